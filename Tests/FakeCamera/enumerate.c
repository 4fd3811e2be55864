/* What the camera says about itself: QUERYCAP, ENUM_FMT, ENUM_FRAMESIZES, ENUM_FRAMEINTERVALS, ENUMINPUT. */
#include "fakecamera.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* `capabilities` is the union over the camera's nodes, as of every driver: only `device_caps` speaks of this one. */
int fc_querycap(struct fc_node *node, struct v4l2_capability *out) {
  const struct fc_camera *camera = node->camera;
  memset(out, 0, sizeof *out);
  snprintf((char *)out->driver, sizeof out->driver, "%.15s", camera->driver);
  snprintf((char *)out->card, sizeof out->card, "%.31s", camera->card);
  snprintf((char *)out->bus_info, sizeof out->bus_info, "%.31s", camera->bus_info);
  out->version = 6 << 16 | 1 << 8;
  out->device_caps = node->caps;
  out->capabilities = V4L2_CAP_DEVICE_CAPS;
  for (unsigned i = 0; i < camera->node_count; i++) out->capabilities |= camera->nodes[i]->caps;
  return 0;
}

uint32_t fc_buffer_type(const struct fc_node *node) {
  if (node->caps & V4L2_CAP_VIDEO_CAPTURE) return V4L2_BUF_TYPE_VIDEO_CAPTURE;
  if (node->caps & V4L2_CAP_VIDEO_CAPTURE_MPLANE) return V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
  if (node->caps & V4L2_CAP_META_CAPTURE) return V4L2_BUF_TYPE_META_CAPTURE;
  if (node->caps & V4L2_CAP_VIDEO_OUTPUT) return V4L2_BUF_TYPE_VIDEO_OUTPUT;
  return V4L2_BUF_TYPE_PRIVATE;
}

int fc_enum_fmt(struct fc_node *node, struct v4l2_fmtdesc *out) {
  uint32_t index = out->index, type = out->type;
  if (type != fc_buffer_type(node) || index >= node->format_count) return EINVAL;
  const struct fc_format *format = &node->formats[index];
  memset(out, 0, sizeof *out);
  out->index = index;
  out->type = type;
  out->pixelformat = format->fourcc;
  out->flags = (format->compressed ? V4L2_FMT_FLAG_COMPRESSED : 0) | (format->emulated ? V4L2_FMT_FLAG_EMULATED : 0);
  snprintf((char *)out->description, sizeof out->description, "%s", format->description);
  return 0;
}

static const struct fc_format *listed(const struct fc_node *node, uint32_t fourcc) {
  for (unsigned i = 0; i < node->format_count; i++)
    if (node->formats[i].fourcc == fourcc) return &node->formats[i];
  return NULL;
}

int fc_enum_sizes(struct fc_node *node, struct v4l2_frmsizeenum *out) {
  const struct fc_format *format = listed(node, out->pixel_format);
  if (!format || out->index >= format->size_count) return EINVAL;
  const struct fc_size *size = &format->sizes[out->index];
  memset(out->reserved, 0, sizeof out->reserved);
  if (size->kind == FC_DISCRETE) {
    out->type = V4L2_FRMSIZE_TYPE_DISCRETE;
    out->discrete.width = size->min_width;
    out->discrete.height = size->min_height;
    return 0;
  }
  if (out->index) return EINVAL;
  out->type = size->kind == FC_STEPWISE ? V4L2_FRMSIZE_TYPE_STEPWISE : V4L2_FRMSIZE_TYPE_CONTINUOUS;
  out->stepwise = (struct v4l2_frmsize_stepwise){size->min_width,  size->max_width,  size->step_width,
                                                 size->min_height, size->max_height, size->step_height};
  return 0;
}

static bool on_grid(uint32_t value, uint32_t minimum, uint32_t maximum, uint32_t step) {
  return value >= minimum && value <= maximum && (step < 2 || (value - minimum) % step == 0);
}

/* The first listed size that is exactly this one. */
const struct fc_size *fc_size_of(const struct fc_format *format, uint32_t width, uint32_t height) {
  for (unsigned i = 0; i < format->size_count; i++) {
    const struct fc_size *size = &format->sizes[i];
    if (on_grid(width, size->min_width, size->max_width, size->step_width) &&
        on_grid(height, size->min_height, size->max_height, size->step_height))
      return size;
  }
  return NULL;
}

int fc_enum_intervals(struct fc_node *node, struct v4l2_frmivalenum *out) {
  const struct fc_format *format = listed(node, out->pixel_format);
  const struct fc_size *size = format ? fc_size_of(format, out->width, out->height) : NULL;
  if (!size) return EINVAL;
  memset(out->reserved, 0, sizeof out->reserved);
  if (size->has_range) {
    if (out->index) return EINVAL;
    out->type = V4L2_FRMIVAL_TYPE_CONTINUOUS;
    out->stepwise.min = (struct v4l2_fract){size->shortest.num, size->shortest.den};
    out->stepwise.max = (struct v4l2_fract){size->longest.num, size->longest.den};
    out->stepwise.step = (struct v4l2_fract){1, 1};
    return 0;
  }
  if (out->index >= size->interval_count) return EINVAL;
  out->type = V4L2_FRMIVAL_TYPE_DISCRETE;
  out->discrete = (struct v4l2_fract){size->intervals[out->index].num, size->intervals[out->index].den};
  return 0;
}

int fc_enum_input(struct v4l2_input *out) {
  if (out->index) return EINVAL;
  memset(out, 0, sizeof *out);
  snprintf((char *)out->name, sizeof out->name, "Camera 1");
  out->type = V4L2_INPUT_TYPE_CAMERA;
  return 0;
}
