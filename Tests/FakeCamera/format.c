/* The current mode: G/TRY/S_FMT that adjust to the nearest size, G/S_PARM that adjust to the nearest interval. */
#include "fakecamera.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t nearest(uint32_t value, uint32_t minimum, uint32_t maximum, uint32_t step) {
  if (value <= minimum) return minimum;
  if (value >= maximum) return maximum;
  return step < 2 ? value : minimum + (value - minimum) / step * step;
}

/* uvcvideo's distance: the area that the two rectangles do not share. */
static uint64_t distance(uint32_t aw, uint32_t ah, uint32_t bw, uint32_t bh) {
  uint64_t shared = (uint64_t)(aw < bw ? aw : bw) * (ah < bh ? ah : bh);
  return (uint64_t)aw * ah + (uint64_t)bw * bh - 2 * shared;
}

static struct fc_fraction default_interval(const struct fc_size *size) {
  struct fc_fraction thirtieth = {1, 30};
  if (!size || size->has_range || !size->interval_count) return thirtieth;
  for (unsigned i = 0; i < size->interval_count; i++)
    if (size->intervals[i].num * 30 == size->intervals[i].den) return size->intervals[i];
  return size->intervals[0];
}

static void lay_out(const struct fc_node *node, struct fc_mode *mode) {
  if (!fc_layout(mode->format->fourcc, mode) && mode->bytes[0] < 65536) mode->bytes[0] = 65536;
  if (node->caps & V4L2_CAP_META_CAPTURE) mode->bytes[0] = 10240;
  if (mode->planes == 2 && !(node->caps & V4L2_CAP_VIDEO_CAPTURE_MPLANE)) {
    mode->planes = 1;
    mode->bytes[0] += mode->bytes[1];
  }
}

static struct fc_mode closest(const struct fc_node *node, const struct fc_format *format, uint32_t width, uint32_t height) {
  struct fc_mode mode = {.format = format, .width = 640, .height = 480};
  uint64_t best = UINT64_MAX;
  for (unsigned i = 0; i < format->size_count && best; i++) {
    const struct fc_size *size = &format->sizes[i];
    uint32_t w = nearest(width, size->min_width, size->max_width, size->step_width);
    uint32_t h = nearest(height, size->min_height, size->max_height, size->step_height);
    uint64_t far = distance(w, h, width, height);
    if (far >= best) continue;
    best = far;
    mode.width = w;
    mode.height = h;
  }
  mode.interval = default_interval(fc_size_of(format, mode.width, mode.height));
  lay_out(node, &mode);
  return mode;
}

void fc_default_mode(struct fc_node *node) {
  if (!node->format_count) return;
  const struct fc_format *format = &node->formats[0];
  const struct fc_size *size = format->size_count ? &format->sizes[0] : NULL;
  bool listed = size && size->kind == FC_DISCRETE;
  node->mode = closest(node, format, listed ? size->min_width : 640, listed ? size->min_height : 480);
}

static void describe_planes(const struct fc_node *node, const struct fc_mode *mode, struct v4l2_pix_format_mplane *out) {
  memset(out, 0, sizeof *out);
  out->width = mode->width, out->height = mode->height;
  out->pixelformat = mode->format->fourcc;
  out->field = node->color.field;
  out->colorspace = node->color.colorspace, out->xfer_func = (uint8_t)node->color.transfer;
  out->ycbcr_enc = (uint8_t)node->color.ycbcr, out->quantization = (uint8_t)node->color.quantization;
  out->num_planes = (uint8_t)mode->planes;
  for (unsigned i = 0; i < mode->planes; i++) {
    out->plane_fmt[i].sizeimage = mode->bytes[i];
    out->plane_fmt[i].bytesperline = mode->stride[i];
  }
}

static void describe(const struct fc_node *node, const struct fc_mode *mode, struct v4l2_format *out) {
  if (out->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE) {
    describe_planes(node, mode, &out->fmt.pix_mp);
    return;
  }
  if (out->type == V4L2_BUF_TYPE_META_CAPTURE) {
    out->fmt.meta = (struct v4l2_meta_format){.dataformat = mode->format->fourcc, .buffersize = mode->bytes[0]};
    return;
  }
  struct v4l2_pix_format *pixels = &out->fmt.pix;
  memset(pixels, 0, sizeof *pixels);
  pixels->width = mode->width, pixels->height = mode->height;
  pixels->pixelformat = mode->format->fourcc;
  pixels->field = node->color.field;
  pixels->bytesperline = mode->stride[0], pixels->sizeimage = mode->bytes[0];
  pixels->colorspace = node->color.colorspace, pixels->xfer_func = node->color.transfer;
  pixels->ycbcr_enc = node->color.ycbcr, pixels->quantization = node->color.quantization;
  pixels->priv = V4L2_PIX_FMT_PRIV_MAGIC;
}

int fc_get_format(struct fc_node *node, struct v4l2_format *out) {
  if (out->type != fc_buffer_type(node) || !node->format_count) return EINVAL;
  describe(node, &node->mode, out);
  return 0;
}

/* The mode that the request comes down to: an unknown format becomes the first one. */
static struct fc_mode adjusted(const struct fc_node *node, const struct v4l2_format *request) {
  bool multi = request->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
  uint32_t fourcc = multi ? request->fmt.pix_mp.pixelformat : request->fmt.pix.pixelformat;
  uint32_t width = multi ? request->fmt.pix_mp.width : request->fmt.pix.width;
  uint32_t height = multi ? request->fmt.pix_mp.height : request->fmt.pix.height;
  const struct fc_format *format = &node->formats[0];
  for (unsigned i = 0; i < node->format_count; i++)
    if (node->formats[i].fourcc == fourcc) {
      format = &node->formats[i];
      break;
    }
  return closest(node, format, width, height);
}

int fc_try_format(struct fc_node *node, struct v4l2_format *inout) {
  if (inout->type != fc_buffer_type(node) || !node->format_count) return EINVAL;
  if (inout->type == V4L2_BUF_TYPE_META_CAPTURE) return fc_get_format(node, inout);
  struct fc_mode mode = adjusted(node, inout);
  describe(node, &mode, inout);
  return 0;
}

static bool refused(const struct fc_faults *faults, const struct fc_format *format) {
  for (unsigned i = 0; i < faults->refuse_count; i++)
    if (faults->refuse[i] == format->fourcc) return true;
  return !format->usable;
}

int fc_set_format(struct fc_handle *handle, struct v4l2_format *inout) {
  struct fc_node *node = handle->node;
  const struct fc_faults *faults = &node->camera->faults;
  if (inout->type != fc_buffer_type(node) || !node->format_count) return EINVAL;
  if (fc_is_busy(handle->node->camera, FC_BUSY_S_FMT)) return EBUSY;
  int error = fc_claim(handle);
  if (error) return error;
  if (node->buffer_count) return EBUSY;
  if (inout->type == V4L2_BUF_TYPE_META_CAPTURE) return fc_get_format(node, inout);
  struct fc_mode mode = adjusted(node, inout);
  if (refused(faults, mode.format)) return EINVAL;
  if (faults->force_width) {
    mode.width = faults->force_width, mode.height = faults->force_height;
    lay_out(node, &mode);
  }
  node->mode = mode;
  describe(node, &mode, inout);
  fc_log(node->camera, "s_fmt node=%d fourcc=%.4s width=%u height=%u", node->number, (const char *)&mode.format->fourcc,
         mode.width, mode.height);
  return 0;
}

static double seconds(struct fc_fraction interval) { return (double)interval.num / interval.den; }

static struct fc_fraction nearest_interval(const struct fc_mode *mode, struct fc_fraction wish) {
  const struct fc_size *size = fc_size_of(mode->format, mode->width, mode->height);
  if (!size || !wish.num || !wish.den) return default_interval(size);
  if (size->has_range) {
    if (seconds(wish) < seconds(size->shortest)) return size->shortest;
    return seconds(wish) > seconds(size->longest) ? size->longest : wish;
  }
  struct fc_fraction best = default_interval(size);
  double least = 1e9;
  for (unsigned i = 0; i < size->interval_count; i++) {
    double far = seconds(size->intervals[i]) - seconds(wish);
    if (far < 0) far = -far;
    if (far < least) least = far, best = size->intervals[i];
  }
  return best;
}

int fc_get_parm(struct fc_node *node, struct v4l2_streamparm *out) {
  if (out->type != fc_buffer_type(node) || out->type == V4L2_BUF_TYPE_META_CAPTURE || !node->format_count) return EINVAL;
  const struct fc_size *size = fc_size_of(node->mode.format, node->mode.width, node->mode.height);
  bool settable = size && (size->has_range || size->interval_count);
  memset(&out->parm, 0, sizeof out->parm);
  out->parm.capture.capability = settable ? V4L2_CAP_TIMEPERFRAME : 0;
  out->parm.capture.timeperframe = (struct v4l2_fract){node->mode.interval.num, node->mode.interval.den};
  return 0;
}

int fc_set_parm(struct fc_handle *handle, struct v4l2_streamparm *inout) {
  struct fc_node *node = handle->node;
  const struct fc_fraction forced = node->camera->faults.force_parm;
  if (inout->type != fc_buffer_type(node) || inout->type == V4L2_BUF_TYPE_META_CAPTURE || !node->format_count) return EINVAL;
  int error = fc_claim(handle);
  if (error) return error;
  if (node->streaming) return EBUSY;
  const struct v4l2_fract wish = inout->parm.capture.timeperframe;
  node->mode.interval = nearest_interval(&node->mode, (struct fc_fraction){wish.numerator, wish.denominator});
  if (forced.den) node->mode.interval = (struct fc_fraction){forced.den, forced.num};
  fc_log(node->camera, "s_parm node=%d interval=%u/%u", node->number, node->mode.interval.num, node->mode.interval.den);
  return fc_get_parm(node, inout);
}
