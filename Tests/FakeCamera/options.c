/* Reads a device's colour, faults and controls from the configuration, by the names that v4l2-ctl prints. */
#include "fakecamera.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
  const char *text;
  uint32_t value;
};

static uint32_t look_up(const cJSON *item, const struct word words[], const char *what) {
  if (cJSON_IsNumber(item)) return (uint32_t)item->valuedouble;
  for (int i = 0; cJSON_IsString(item) && words[i].text; i++)
    if (!strncasecmp(item->valuestring, words[i].text, strlen(words[i].text))) return words[i].value;
  fc_fail("%s: unknown value %s", what, cJSON_IsString(item) ? item->valuestring : "?");
}

static void take(const cJSON *color, const char *key, const struct word words[], uint32_t *out) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(color, key);
  if (item) *out = look_up(item, words, key);
}

/* "Default (...)" stays default: the bracket is what v4l2-ctl concluded, not what the driver said. */
void fc_read_color(const cJSON *color, struct fc_color *out) {
  static const struct word spaces[] = {{"Default", V4L2_COLORSPACE_DEFAULT}, {"SMPTE 170M", V4L2_COLORSPACE_SMPTE170M},
                                       {"sRGB", V4L2_COLORSPACE_SRGB},       {"Rec. 709", V4L2_COLORSPACE_REC709},
                                       {"JPEG", V4L2_COLORSPACE_JPEG},       {"BT.2020", V4L2_COLORSPACE_BT2020},
                                       {"Raw", V4L2_COLORSPACE_RAW},         {NULL, 0}};
  static const struct word transfers[] = {{"Default", V4L2_XFER_FUNC_DEFAULT}, {"Rec. 709", V4L2_XFER_FUNC_709},
                                          {"sRGB", V4L2_XFER_FUNC_SRGB},       {"None", V4L2_XFER_FUNC_NONE}, {NULL, 0}};
  static const struct word matrices[] = {{"Default", V4L2_YCBCR_ENC_DEFAULT}, {"ITU-R 601", V4L2_YCBCR_ENC_601},
                                         {"Rec. 709", V4L2_YCBCR_ENC_709},    {"xvYCC 709", V4L2_YCBCR_ENC_XV709},
                                         {"BT.2020", V4L2_YCBCR_ENC_BT2020},  {NULL, 0}};
  static const struct word ranges[] = {{"Default", V4L2_QUANTIZATION_DEFAULT}, {"Full", V4L2_QUANTIZATION_FULL_RANGE},
                                       {"Limited", V4L2_QUANTIZATION_LIM_RANGE}, {NULL, 0}};
  static const struct word fields[] = {{"None", V4L2_FIELD_NONE}, {"Interlaced", V4L2_FIELD_INTERLACED}, {NULL, 0}};
  static const struct word jpegs[] = {{"full", 0}, {"limited", 1}, {"4:2:2", 0}, {"4:2:0", 1}, {NULL, 0}};
  uint32_t limited = out->jpeg_limited, down = out->jpeg_420;
  take(color, "colorspace", spaces, &out->colorspace);
  take(color, "transfer", transfers, &out->transfer);
  take(color, "ycbcr_encoding", matrices, &out->ycbcr);
  take(color, "quantization", ranges, &out->quantization);
  take(color, "field", fields, &out->field);
  take(color, "jpegRange", jpegs, &limited);
  take(color, "jpegSubsampling", jpegs, &down);
  out->jpeg_limited = limited, out->jpeg_420 = down;
}

/* `noise: true` is a short word for one of the pictures. */
enum fc_picture fc_read_picture(const cJSON *device) {
  static const struct word pictures[] = {
      {"bars", FC_PICTURE_BARS}, {"noise", FC_PICTURE_NOISE}, {"ramp", FC_PICTURE_RAMP}, {NULL, 0}};
  const cJSON *picture = cJSON_GetObjectItemCaseSensitive(device, "picture");
  if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(device, "noise"))) return FC_PICTURE_NOISE;
  return picture ? (enum fc_picture)look_up(picture, pictures, "picture") : FC_PICTURE_BARS;
}

static const struct word errors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},     {"EINVAL", EINVAL}, {"EBUSY", EBUSY},   {"ENODEV", ENODEV},
                                     {"ENOMEM", ENOMEM}, {"EPIPE", EPIPE}, {"EPROTO", EPROTO}, {"ETIMEDOUT", ETIMEDOUT}, {NULL, 0}};
static const struct word busies[] = {{"open", FC_BUSY_OPEN}, {"s_fmt", FC_BUSY_S_FMT}, {"reqbufs", FC_BUSY_REQBUFS},
                                     {"streamon", FC_BUSY_STREAMON}, {NULL, 0}};

static struct fc_fraction rate(const cJSON *item) {
  struct fc_fraction value = {0, 0};
  if (cJSON_IsNumber(item)) value = (struct fc_fraction){(uint32_t)item->valuedouble, 1};
  else if (!cJSON_IsString(item) || sscanf(item->valuestring, "%u/%u", &value.num, &value.den) != 2) value.den = 0;
  if (!value.num || !value.den) fc_fail("faults: \"%s\" must be a rate such as \"20/1\"", item->string);
  return value;
}

static void read_size(const cJSON *item, uint32_t *width, uint32_t *height) {
  const cJSON *across = cJSON_GetObjectItemCaseSensitive(item, "width");
  const cJSON *down = cJSON_GetObjectItemCaseSensitive(item, "height");
  if (!cJSON_IsNumber(across) || !cJSON_IsNumber(down)) fc_fail("faults: \"%s\" needs width and height", item->string);
  *width = (uint32_t)across->valueint, *height = (uint32_t)down->valueint;
}

static void read_signal(const cJSON *item, struct fc_faults *out) {
  const cJSON *pace = cJSON_GetObjectItemCaseSensitive(item, "rate");
  read_size(item, &out->signal_width, &out->signal_height);
  if (pace) out->signal_rate = rate(pace);
  out->signal_is_silent = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(item, "silent"));
}

static bool read_count(const cJSON *item, struct fc_faults *out) {
  const struct {
    const char *key;
    uint64_t *value;
  } counts[] = {{"unplugAfter", &out->unplug_after},     {"unplugTimes", &out->unplug_times},
                {"stallAfter", &out->stall_after},       {"stallTimes", &out->stall_times},
                {"rateChangeAfter", &out->rate_change_after}, {"faultsUntil", &out->faults_until},
                {"corruptEvery", &out->corrupt_every},   {"emptyEvery", &out->empty_every},
                {"errorFlagEvery", &out->error_flag_every}, {"dqbufEIOAfter", &out->dqbuf_eio_after},
                {"repeatEach", &out->repeat_each},       {"signalChangeAfter", &out->signal_change_after}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (!strcmp(item->string, counts[i].key)) {
      if (!cJSON_IsNumber(item) || item->valuedouble < 1) fc_fail("faults: \"%s\" must be a count from 1", item->string);
      *counts[i].value = (uint64_t)item->valuedouble;
      return true;
    }
  return false;
}

static void read_refused(const cJSON *list, uint32_t codes[16], unsigned *count) {
  const cJSON *item;
  cJSON_ArrayForEach(item, list)
    if (cJSON_IsString(item) && *count < 16) codes[(*count)++] = fc_fourcc(item->valuestring);
}

void fc_read_faults(const cJSON *faults, struct fc_faults *out) {
  out->replug_after_ms = out->replug_node = -1;
  for (const cJSON *item = faults ? faults->child : NULL; item; item = item->next) {
    const char *key = item->string;
    if (read_count(item, out)) continue;
    if (!strcmp(key, "busy")) out->busy = look_up(item, busies, key);
    else if (!strcmp(key, "permission")) out->permission = cJSON_IsTrue(item);
    else if (!strcmp(key, "dim")) out->dim = cJSON_IsTrue(item);
    else if (!strcmp(key, "refuseFormats")) read_refused(item, out->refuse, &out->refuse_count);
    else if (!strcmp(key, "replugRefuses")) read_refused(item, out->replug_refuses, &out->replug_refuse_count);
    else if (!strcmp(key, "replugSerial")) snprintf(out->replug_serial, sizeof out->replug_serial, "%s", item->valuestring);
    else if (!strcmp(key, "busyForMs")) out->busy_for_ms = (int64_t)item->valuedouble;
    else if (!strcmp(key, "changedRate")) out->changed_rate = rate(item);
    else if (!strcmp(key, "actualRate")) out->actual_rate = rate(item);
    else if (!strcmp(key, "forceParm")) out->force_parm = rate(item);
    else if (!strcmp(key, "streamonErrno")) out->streamon_errno = (int)look_up(item, errors, key);
    else if (!strcmp(key, "sFmtSize")) read_size(item, &out->force_width, &out->force_height);
    else if (!strcmp(key, "changedSignal")) read_signal(item, out);
    else if (!strcmp(key, "startDelayMs")) out->start_delay_ms = (unsigned)item->valuedouble;
    else if (!strcmp(key, "replugAfterMs")) out->replug_after_ms = (int64_t)item->valuedouble;
    else if (!strcmp(key, "replugNode")) out->replug_node = item->valueint;
    else fc_fail("unknown fault \"%s\"", key);
  }
}

static int64_t whole(const cJSON *object, const char *key, int64_t fallback) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  return cJSON_IsNumber(item) ? (int64_t)item->valuedouble : cJSON_IsBool(item) ? cJSON_IsTrue(item) : fallback;
}

static uint32_t control_flags(const cJSON *list) {
  static const struct word names[] = {{"inactive", V4L2_CTRL_FLAG_INACTIVE},   {"read_only", V4L2_CTRL_FLAG_READ_ONLY},
                                      {"disabled", V4L2_CTRL_FLAG_DISABLED},   {"volatile", V4L2_CTRL_FLAG_VOLATILE},
                                      {"grabbed", V4L2_CTRL_FLAG_GRABBED},     {"update", V4L2_CTRL_FLAG_UPDATE},
                                      {"write_only", V4L2_CTRL_FLAG_WRITE_ONLY}, {NULL, 0}};
  uint32_t flags = 0;
  const cJSON *item;
  cJSON_ArrayForEach(item, list) flags |= look_up(item, names, "flags");
  return flags;
}

static void read_menu(const cJSON *list, struct fc_control *control) {
  const cJSON *item;
  control->menu = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *control->menu);
  cJSON_ArrayForEach(item, list)
    snprintf(control->menu[control->menu_count++], 32, "%s", cJSON_IsString(item) ? item->valuestring : "");
}

static void read_control(const cJSON *json, struct fc_control *control) {
  static const struct word types[] = {{"int64", V4L2_CTRL_TYPE_INTEGER64}, {"intmenu", V4L2_CTRL_TYPE_INTEGER_MENU},
                                      {"int", V4L2_CTRL_TYPE_INTEGER},     {"bool", V4L2_CTRL_TYPE_BOOLEAN},
                                      {"menu", V4L2_CTRL_TYPE_MENU},       {"button", V4L2_CTRL_TYPE_BUTTON}, {NULL, 0}};
  const cJSON *id = cJSON_GetObjectItemCaseSensitive(json, "id"), *name = cJSON_GetObjectItemCaseSensitive(json, "name");
  const cJSON *type = cJSON_GetObjectItemCaseSensitive(json, "type");
  if (cJSON_IsString(id)) control->id = fc_control_id(id->valuestring);
  else if (cJSON_IsNumber(id)) control->id = (uint32_t)id->valuedouble;
  if (!control->id) fc_fail("controls: unknown id %s (give a known name, or its number)", cJSON_IsString(id) ? id->valuestring : "");
  snprintf(control->name, sizeof control->name, "%s", cJSON_IsString(name) ? name->valuestring : fc_control_title(control->id));
  control->type = type ? look_up(type, types, "type") : V4L2_CTRL_TYPE_INTEGER;
  bool boolean = control->type == V4L2_CTRL_TYPE_BOOLEAN;
  read_menu(cJSON_GetObjectItemCaseSensitive(json, "menu"), control);
  control->minimum = whole(json, "min", 0);
  control->maximum = whole(json, "max", boolean ? 1 : control->menu_count ? (int64_t)control->menu_count - 1 : 255);
  control->step = whole(json, "step", 1);
  control->fallback = whole(json, "default", control->minimum);
  control->value = whole(json, "value", control->fallback);
  control->flags = control_flags(cJSON_GetObjectItemCaseSensitive(json, "flags"));
}

static int by_id(const void *left, const void *right) {
  uint32_t a = ((const struct fc_control *)left)->id, b = ((const struct fc_control *)right)->id;
  return a < b ? -1 : a > b;
}

void fc_read_controls(const cJSON *controls, struct fc_camera *camera) {
  const cJSON *item;
  camera->controls = calloc((size_t)cJSON_GetArraySize(controls) + 1, sizeof *camera->controls);
  if (!camera->controls) fc_fail("out of memory for controls");
  cJSON_ArrayForEach(item, controls) read_control(item, &camera->controls[camera->control_count++]);
  /* V4L2_CTRL_FLAG_NEXT_CTRL walks them in order of their numbers. */
  qsort(camera->controls, camera->control_count, sizeof *camera->controls, by_id);
}
