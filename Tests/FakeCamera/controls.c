/* Controls of the camera as the configuration lists them: query, menus, get, set, and their effect on the rate. */
#include "fakecamera.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *name;
  uint32_t id;
  const char *title;
} known[] = {
    {"brightness", V4L2_CID_BRIGHTNESS, "Brightness"},
    {"contrast", V4L2_CID_CONTRAST, "Contrast"},
    {"saturation", V4L2_CID_SATURATION, "Saturation"},
    {"hue", V4L2_CID_HUE, "Hue"},
    {"white_balance_automatic", V4L2_CID_AUTO_WHITE_BALANCE, "White Balance, Automatic"},
    {"gamma", V4L2_CID_GAMMA, "Gamma"},
    {"gain", V4L2_CID_GAIN, "Gain"},
    {"horizontal_flip", V4L2_CID_HFLIP, "Horizontal Flip"},
    {"vertical_flip", V4L2_CID_VFLIP, "Vertical Flip"},
    {"power_line_frequency", V4L2_CID_POWER_LINE_FREQUENCY, "Power Line Frequency"},
    {"white_balance_temperature", V4L2_CID_WHITE_BALANCE_TEMPERATURE, "White Balance Temperature"},
    {"sharpness", V4L2_CID_SHARPNESS, "Sharpness"},
    {"backlight_compensation", V4L2_CID_BACKLIGHT_COMPENSATION, "Backlight Compensation"},
    {"auto_exposure", V4L2_CID_EXPOSURE_AUTO, "Auto Exposure"},
    {"exposure_time_absolute", V4L2_CID_EXPOSURE_ABSOLUTE, "Exposure Time, Absolute"},
    {"exposure_dynamic_framerate", V4L2_CID_EXPOSURE_AUTO_PRIORITY, "Exposure, Dynamic Framerate"},
    {"exposure_auto_priority", V4L2_CID_EXPOSURE_AUTO_PRIORITY, "Exposure, Auto Priority"},
    {"pan_absolute", V4L2_CID_PAN_ABSOLUTE, "Pan, Absolute"},
    {"tilt_absolute", V4L2_CID_TILT_ABSOLUTE, "Tilt, Absolute"},
    {"focus_absolute", V4L2_CID_FOCUS_ABSOLUTE, "Focus, Absolute"},
    {"focus_automatic_continuous", V4L2_CID_FOCUS_AUTO, "Focus, Automatic Continuous"},
    {"zoom_absolute", V4L2_CID_ZOOM_ABSOLUTE, "Zoom, Absolute"},
    {"zoom_continuous", V4L2_CID_ZOOM_CONTINUOUS, "Zoom, Continuous"},
    {"image_stabilization", V4L2_CID_IMAGE_STABILIZATION, "Image Stabilization"},
    {"led_mode", 0x0a046d05, "LED1 Mode"},
    {"flash_torch_intensity", V4L2_CID_FLASH_TORCH_INTENSITY, "Torch Intensity"},
    {"flash_led_mode", V4L2_CID_FLASH_LED_MODE, "LED Mode"},
};

uint32_t fc_control_id(const char *name) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(known[i].name, name)) return known[i].id;
  return (uint32_t)strtoul(name, NULL, 0);
}

const char *fc_control_title(uint32_t id) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].id == id) return known[i].title;
  return "Control";
}

static struct fc_control *find(struct fc_camera *camera, uint32_t id) {
  uint32_t wanted = id & V4L2_CTRL_ID_MASK;
  bool next = id & V4L2_CTRL_FLAG_NEXT_CTRL;
  for (unsigned i = 0; i < camera->control_count; i++) {
    struct fc_control *control = &camera->controls[i];
    if (next ? control->id > wanted : control->id == wanted) return control;
  }
  return NULL;
}

/* A camera keeps its controls when its user goes: with "controlState" ours does too, over processes. */
static void recall(struct fc_camera *camera) {
  if (!camera->control_state || access(camera->control_state, R_OK)) return;
  char *text = fc_read_text(camera->control_state), *line = text;
  unsigned id;
  long long value;
  for (int used; sscanf(line, "%x %lld%n", &id, &value, &used) == 2; line += used) {
    struct fc_control *control = find(camera, id);
    if (control) control->value = value;
  }
  free(text);
}

static void remember(const struct fc_camera *camera) {
  if (!camera->control_state) return;
  int file = fc_real_open(camera->control_state, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);
  for (unsigned i = 0; file >= 0 && i < camera->control_count; i++)
    dprintf(file, "%x %lld\n", camera->controls[i].id, (long long)camera->controls[i].value);
  if (file >= 0) fc_real_close(file);
}

static int set(struct fc_camera *camera, uint32_t id, int64_t value, int64_t *got) {
  struct fc_control *control = find(camera, id);
  if (!control || id & V4L2_CTRL_FLAG_NEXT_CTRL) return EINVAL;
  if (control->flags & V4L2_CTRL_FLAG_READ_ONLY) return EACCES;
  if (control->flags & V4L2_CTRL_FLAG_GRABBED) return EBUSY;
  if (control->type == V4L2_CTRL_TYPE_MENU && (value < control->minimum || value > control->maximum)) return ERANGE;
  if (control->type == V4L2_CTRL_TYPE_MENU && control->menu_count && !control->menu[value][0]) return EINVAL;
  if (value < control->minimum) value = control->minimum;
  if (value > control->maximum) value = control->maximum;
  if (control->step > 1) value = control->minimum + (value - control->minimum) / control->step * control->step;
  control->value = *got = value;
  remember(camera);
  fc_log(camera, "s_ctrl id=0x%08x value=%lld name=%s", control->id, (long long)value, control->name);
  return 0;
}

static int get(struct fc_camera *camera, uint32_t id, int64_t *value) {
  const struct fc_control *control = find(camera, id);
  if (!control || id & V4L2_CTRL_FLAG_NEXT_CTRL) return EINVAL;
  if (control->flags & V4L2_CTRL_FLAG_WRITE_ONLY) return EACCES;
  *value = control->value;
  return 0;
}

static int query(struct fc_camera *camera, struct v4l2_queryctrl *out) {
  const struct fc_control *control = find(camera, out->id);
  if (!control) return EINVAL;
  memset(out, 0, sizeof *out);
  out->id = control->id, out->type = control->type, out->flags = control->flags;
  memcpy(out->name, control->name, sizeof out->name);
  out->minimum = (int32_t)control->minimum, out->maximum = (int32_t)control->maximum;
  out->step = (int32_t)control->step, out->default_value = (int32_t)control->fallback;
  return 0;
}

static int query_extended(struct fc_camera *camera, struct v4l2_query_ext_ctrl *out) {
  const struct fc_control *control = find(camera, out->id & ~(uint32_t)V4L2_CTRL_FLAG_NEXT_COMPOUND);
  bool compound_only = out->id & V4L2_CTRL_FLAG_NEXT_COMPOUND && !(out->id & V4L2_CTRL_FLAG_NEXT_CTRL);
  if (!control || compound_only) return EINVAL;
  memset(out, 0, sizeof *out);
  out->id = control->id, out->type = control->type, out->flags = control->flags;
  memcpy(out->name, control->name, sizeof out->name);
  out->minimum = control->minimum, out->maximum = control->maximum;
  out->step = (uint64_t)control->step, out->default_value = control->fallback;
  out->elem_size = control->type == V4L2_CTRL_TYPE_INTEGER64 ? 8 : 4, out->elems = 1;
  return 0;
}

static int query_menu(struct fc_camera *camera, struct v4l2_querymenu *out) {
  const struct fc_control *control = find(camera, out->id);
  if (!control || out->index >= control->menu_count || !control->menu[out->index][0]) return EINVAL;
  out->reserved = 0;
  if (control->type == V4L2_CTRL_TYPE_INTEGER_MENU) out->value = atoll(control->menu[out->index]);
  else memcpy(out->name, control->menu[out->index], sizeof out->name);
  return 0;
}

static int extended(struct fc_camera *camera, struct v4l2_ext_controls *list, unsigned long request) {
  bool defaults = list->which == V4L2_CTRL_WHICH_DEF_VAL;
  if (defaults && request != VIDIOC_G_EXT_CTRLS) return EINVAL;
  for (uint32_t i = 0; i < list->count; i++) {
    struct v4l2_ext_control *item = &list->controls[i];
    const struct fc_control *control = find(camera, item->id);
    bool wide = control && control->type == V4L2_CTRL_TYPE_INTEGER64;
    int64_t value = wide ? item->value64 : item->value;
    int error = control ? 0 : EINVAL;
    if (!error && request == VIDIOC_S_EXT_CTRLS) error = set(camera, item->id, value, &value);
    if (!error && request == VIDIOC_G_EXT_CTRLS) error = get(camera, item->id, &value);
    if (!error && defaults) value = control->fallback;
    if (error) {
      list->error_idx = request == VIDIOC_TRY_EXT_CTRLS ? i : list->count;
      return error;
    }
    if (wide) item->value64 = value;
    else item->value = (int32_t)value;
  }
  return 0;
}

int fc_control_ioctl(struct fc_handle *handle, unsigned long request, void *argument) {
  struct fc_camera *camera = handle->node->camera;
  struct v4l2_control *one = argument;
  int64_t value = 0;
  int error;
  if (!camera->control_count) return request == VIDIOC_QUERYCTRL || request == VIDIOC_QUERY_EXT_CTRL ? EINVAL : ENOTTY;
  recall(camera);
  switch (request) {
    case VIDIOC_QUERYCTRL: return query(camera, argument);
    case VIDIOC_QUERY_EXT_CTRL: return query_extended(camera, argument);
    case VIDIOC_QUERYMENU: return query_menu(camera, argument);
    case VIDIOC_G_CTRL:
      error = get(camera, one->id, &value);
      if (!error) one->value = (int32_t)value;
      return error;
    case VIDIOC_S_CTRL:
      error = set(camera, one->id, one->value, &value);
      if (!error) one->value = (int32_t)value;
      return error;
    default: return extended(camera, argument, request);
  }
}

/* Auto exposure that may stretch the frame: on, or absent (then nothing holds the rate). */
bool fc_exposure_may_stretch(const struct fc_camera *camera) {
  for (unsigned i = 0; i < camera->control_count; i++)
    if (camera->controls[i].id == V4L2_CID_EXPOSURE_AUTO_PRIORITY) return camera->controls[i].value != 0;
  return true;
}
