/* Turns a camera's capability table (JSON, as in Tests/Fixtures/cameras) into nodes with formats, sizes and intervals. */
#include "fakecamera.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cJSON *field(const cJSON *object, const char *key) { return cJSON_GetObjectItemCaseSensitive(object, key); }

static uint32_t number(const cJSON *object, const char *key, uint32_t fallback) {
  const cJSON *item = field(object, key);
  return cJSON_IsNumber(item) ? (uint32_t)item->valuedouble : fallback;
}

static void copy(char *out, size_t room, const cJSON *object, const char *key) {
  const cJSON *item = field(object, key);
  if (cJSON_IsString(item)) snprintf(out, room, "%s", item->valuestring);
}

static void *zeros(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) fc_fail("out of memory for a table");
  return memory;
}

uint32_t fc_fourcc(const char *text) {
  char four[4] = {' ', ' ', ' ', ' '};
  for (int i = 0; i < 4 && text[i]; i++) four[i] = text[i];
  return v4l2_fourcc((uint32_t)four[0], (uint32_t)four[1], (uint32_t)four[2], (uint32_t)four[3]);
}

static struct fc_fraction fraction(const cJSON *object) {
  return (struct fc_fraction){number(object, "num", 1), number(object, "den", 30)};
}

static void read_intervals(const cJSON *json, struct fc_size *size) {
  const cJSON *list = field(json, "intervals"), *range = field(json, "interval_range"), *item;
  size->intervals = zeros((size_t)cJSON_GetArraySize(list), sizeof *size->intervals);
  cJSON_ArrayForEach(item, list) size->intervals[size->interval_count++] = fraction(item);
  size->has_range = range != NULL;
  if (!range) return;
  size->shortest = fraction(field(range, "min"));
  size->longest = fraction(field(range, "max"));
}

static void read_size(const cJSON *json, struct fc_size *size) {
  const cJSON *type = field(json, "type");
  const char *kind = cJSON_IsString(type) ? type->valuestring : "discrete";
  size->kind = !strcmp(kind, "stepwise") ? FC_STEPWISE : !strcmp(kind, "continuous") ? FC_CONTINUOUS : FC_DISCRETE;
  size->min_width = number(json, "min_width", number(json, "width", 640));
  size->max_width = number(json, "max_width", size->min_width);
  size->step_width = number(json, "step_width", 1);
  size->min_height = number(json, "min_height", number(json, "height", 480));
  size->max_height = number(json, "max_height", size->min_height);
  size->step_height = number(json, "step_height", 1);
  read_intervals(json, size);
}

static void read_format(const cJSON *json, struct fc_format *format) {
  const cJSON *fourcc = field(json, "fourcc"), *sizes = field(json, "sizes"), *item;
  if (!cJSON_IsString(fourcc)) fc_fail("a format of the table has no \"fourcc\"");
  format->fourcc = fc_fourcc(fourcc->valuestring);
  copy(format->description, sizeof format->description, json, "description");
  format->compressed = cJSON_IsTrue(field(json, "compressed"));
  format->emulated = cJSON_IsTrue(field(json, "emulated"));
  format->usable = !cJSON_IsFalse(field(json, "usable"));
  format->sizes = zeros((size_t)cJSON_GetArraySize(sizes), sizeof *format->sizes);
  cJSON_ArrayForEach(item, sizes) read_size(item, &format->sizes[format->size_count++]);
}

static uint32_t read_caps(const cJSON *list) {
  static const struct {
    const char *name;
    uint32_t bit;
  } names[] = {
      {"VIDEO_CAPTURE", V4L2_CAP_VIDEO_CAPTURE},
      {"VIDEO_CAPTURE_MPLANE", V4L2_CAP_VIDEO_CAPTURE_MPLANE},
      {"VIDEO_OUTPUT", V4L2_CAP_VIDEO_OUTPUT},
      {"VIDEO_OUTPUT_MPLANE", V4L2_CAP_VIDEO_OUTPUT_MPLANE},
      {"VIDEO_M2M", V4L2_CAP_VIDEO_M2M},
      {"VIDEO_M2M_MPLANE", V4L2_CAP_VIDEO_M2M_MPLANE},
      {"META_CAPTURE", V4L2_CAP_META_CAPTURE},
      {"META_OUTPUT", V4L2_CAP_META_OUTPUT},
      {"VBI_CAPTURE", V4L2_CAP_VBI_CAPTURE},
      {"STREAMING", V4L2_CAP_STREAMING},
      {"READWRITE", V4L2_CAP_READWRITE},
  };
  uint32_t caps = V4L2_CAP_EXT_PIX_FORMAT;
  const cJSON *item;
  cJSON_ArrayForEach(item, list) {
    uint32_t bit = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (cJSON_IsString(item) && !strcmp(item->valuestring, names[i].name)) bit = names[i].bit;
    if (!bit) fc_fail("unknown name in device_caps: %s", cJSON_IsString(item) ? item->valuestring : "?");
    caps |= bit;
  }
  if (!cJSON_GetArraySize(list)) caps |= V4L2_CAP_VIDEO_CAPTURE;
  return caps | V4L2_CAP_STREAMING; /* tables cut short leave it out, yet every one of these drivers streams */
}

static void read_node(const cJSON *json, struct fc_camera *camera, int place, const struct fc_color *color) {
  const cJSON *formats = field(json, "formats"), *item;
  struct fc_node *node = fc_add_node(camera, place);
  node->caps = read_caps(field(json, "device_caps"));
  node->color = *color;
  fc_read_color(field(json, "color"), &node->color);
  node->formats = zeros((size_t)cJSON_GetArraySize(formats), sizeof *node->formats);
  cJSON_ArrayForEach(item, formats) read_format(item, &node->formats[node->format_count++]);
  fc_default_mode(node);
}

/* The table's first node becomes `first`; "video2" among its other nodes becomes `first` + 2. */
bool fc_read_table(const cJSON *table, struct fc_camera *camera, int first) {
  struct fc_color color = {.colorspace = V4L2_COLORSPACE_SRGB, .field = V4L2_FIELD_NONE};
  const cJSON *item;
  snprintf(camera->driver, sizeof camera->driver, "uvcvideo");
  copy(camera->driver, sizeof camera->driver, table, "driver");
  copy(camera->card, sizeof camera->card, table, "card");
  copy(camera->bus_info, sizeof camera->bus_info, table, "bus_info");
  read_node(table, camera, first, &color);
  color = camera->nodes[0]->color;
  cJSON_ArrayForEach(item, field(table, "other_nodes")) {
    const cJSON *name = field(item, "node");
    int offset = 0;
    if (!cJSON_IsString(name) || sscanf(name->valuestring, "video%d", &offset) != 1)
      fc_fail("other_nodes: \"node\" must read videoN");
    read_node(item, camera, first + offset, &color);
  }
  return true;
}
