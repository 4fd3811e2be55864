/* What Swift cannot import of GStreamer, GLib and V4L2 by itself: macros, variadics, cast macros, unions and
   GValue work of several steps. Every function says which of these it is here for. */

#ifndef CAPSTAN_SHIM_H
#define CAPSTAN_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib.h>
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/base/gstbasesrc.h>
#include <gst/gst.h>
#include <gst/pbutils/pbutils.h>
#include <gst/video/video.h>
#include <linux/videodev2.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- GObject ---- */

/* Macro: G_OBJECT_GET_CLASS. */
static inline GParamSpec *capstan_find_property(gpointer object, const char *name) {
  return g_object_class_find_property(G_OBJECT_GET_CLASS(object), name);
}

/* Macro: G_OBJECT_GET_CLASS. */
static inline GParamSpec **capstan_list_properties(gpointer object, guint *count) {
  return g_object_class_list_properties(G_OBJECT_GET_CLASS(object), count);
}

/* Cast macro: G_OBJECT_CLASS, on a class that g_type_class_ref gave. */
static inline GParamSpec **capstan_list_class_properties(gpointer object_class, guint *count) {
  return g_object_class_list_properties(G_OBJECT_CLASS(object_class), count);
}

/* Cast macros: GST_IS_PRESET, GST_PRESET. NULL for an element that has no presets. */
static inline GstPreset *capstan_preset(gpointer object) {
  return object && GST_IS_PRESET(object) ? GST_PRESET(object) : NULL;
}

/* Macro: GST_IS_ENCODING_CONTAINER_PROFILE. */
static inline bool capstan_is_encoding_container(gpointer profile) {
  return GST_IS_ENCODING_CONTAINER_PROFILE(profile);
}

/* Macro: G_TYPE_FUNDAMENTAL. */
static inline GType capstan_fundamental(GType type) { return G_TYPE_FUNDAMENTAL(type); }

/* Macros: the G_TYPE_ constants are casts of shifts. */
static inline GType capstan_type_boolean(void) { return G_TYPE_BOOLEAN; }
static inline GType capstan_type_char(void) { return G_TYPE_CHAR; }
static inline GType capstan_type_uchar(void) { return G_TYPE_UCHAR; }
static inline GType capstan_type_int(void) { return G_TYPE_INT; }
static inline GType capstan_type_uint(void) { return G_TYPE_UINT; }
static inline GType capstan_type_long(void) { return G_TYPE_LONG; }
static inline GType capstan_type_ulong(void) { return G_TYPE_ULONG; }
static inline GType capstan_type_int64(void) { return G_TYPE_INT64; }
static inline GType capstan_type_uint64(void) { return G_TYPE_UINT64; }
static inline GType capstan_type_float(void) { return G_TYPE_FLOAT; }
static inline GType capstan_type_double(void) { return G_TYPE_DOUBLE; }
static inline GType capstan_type_string(void) { return G_TYPE_STRING; }
static inline GType capstan_type_enum(void) { return G_TYPE_ENUM; }
static inline GType capstan_type_flags(void) { return G_TYPE_FLAGS; }

/* Macros: G_VALUE_HOLDS_BOXED, G_VALUE_HOLDS_OBJECT. True for objects and for no object: neither prints as text. */
static inline bool capstan_value_is_opaque(const GValue *value) {
  return G_VALUE_HOLDS_OBJECT(value) || (G_VALUE_HOLDS_BOXED(value) && g_value_get_boxed(value) == NULL);
}

enum capstan_range_kind { CAPSTAN_RANGE_NONE, CAPSTAN_RANGE_SIGNED, CAPSTAN_RANGE_UNSIGNED, CAPSTAN_RANGE_REAL };

/* The range of a numeric property, whichever of ten structs holds it. */
struct capstan_range {
  enum capstan_range_kind kind;
  int64_t min, max;
  uint64_t umin, umax;
  double dmin, dmax;
};

static inline struct capstan_range capstan_signed_range(int64_t min, int64_t max) {
  struct capstan_range range = {CAPSTAN_RANGE_SIGNED, min, max, 0, 0, 0, 0};
  return range;
}

static inline struct capstan_range capstan_unsigned_range(uint64_t min, uint64_t max) {
  struct capstan_range range = {CAPSTAN_RANGE_UNSIGNED, 0, 0, min, max, 0, 0};
  return range;
}

static inline struct capstan_range capstan_real_range(double min, double max) {
  struct capstan_range range = {CAPSTAN_RANGE_REAL, 0, 0, 0, 0, min, max};
  return range;
}

/* Cast macros: G_PARAM_SPEC_INT and its nine sisters. */
static inline struct capstan_range capstan_range_of(GParamSpec *spec) {
#define CAPSTAN_RANGE_IF(NAME, kind) \
  if (G_IS_PARAM_SPEC_##NAME(spec)) \
    return capstan_##kind##_range(G_PARAM_SPEC_##NAME(spec)->minimum, G_PARAM_SPEC_##NAME(spec)->maximum);
  CAPSTAN_RANGE_IF(CHAR, signed)
  CAPSTAN_RANGE_IF(UCHAR, unsigned)
  CAPSTAN_RANGE_IF(INT, signed)
  CAPSTAN_RANGE_IF(UINT, unsigned)
  CAPSTAN_RANGE_IF(LONG, signed)
  CAPSTAN_RANGE_IF(ULONG, unsigned)
  CAPSTAN_RANGE_IF(INT64, signed)
  CAPSTAN_RANGE_IF(UINT64, unsigned)
  CAPSTAN_RANGE_IF(FLOAT, real)
  CAPSTAN_RANGE_IF(DOUBLE, real)
#undef CAPSTAN_RANGE_IF
  struct capstan_range none = {CAPSTAN_RANGE_NONE, 0, 0, 0, 0, 0, 0};
  return none;
}

/* Cast macro: GST_PARAM_SPEC_FRACTION; false where the property is none. */
static inline bool capstan_fraction_range(GParamSpec *spec, int parts[4]) {
  if (!GST_IS_PARAM_SPEC_FRACTION(spec)) return false;
  GstParamSpecFraction *fraction = GST_PARAM_SPEC_FRACTION(spec);
  parts[0] = fraction->min_num;
  parts[1] = fraction->min_den;
  parts[2] = fraction->max_num;
  parts[3] = fraction->max_den;
  return true;
}

/* ---- GStreamer ---- */

/* Macro: GST_OBJECT_PARENT. */
static inline bool capstan_has_parent(gpointer object) { return GST_OBJECT_PARENT(object) != NULL; }

/* Macro: GST_OBJECT_REFCOUNT_VALUE. */
static inline int capstan_reference_count(gpointer object) { return GST_OBJECT_REFCOUNT_VALUE(object); }

/* Macro: GST_PAD_PROBE_INFO_DATA writes into an anonymous position of the struct. */
static inline void capstan_set_probe_data(GstPadProbeInfo *info, gpointer data) { GST_PAD_PROBE_INFO_DATA(info) = data; }

/* Macros: the wildcards that several calls take are casts of -1. */
static inline GstClockTime capstan_no_time(void) { return GST_CLOCK_TIME_NONE; }
static inline guint64 capstan_no_offset(void) { return GST_BUFFER_OFFSET_NONE; }

/* Macros: GST_VIDEO_FORMAT_INFO_ and their flags. True where every plane is rows of bytes, each a sample. */
static inline bool capstan_has_planes_of_bytes(const GstVideoInfo *info) {
  const GstVideoFormatInfo *format = info->finfo;
  if (!GST_VIDEO_FORMAT_INFO_IS_YUV(format) && !GST_VIDEO_FORMAT_INFO_IS_GRAY(format)) return false;
  if (GST_VIDEO_FORMAT_INFO_IS_COMPLEX(format) || GST_VIDEO_FORMAT_INFO_IS_TILED(format)) return false;
  if (GST_VIDEO_FORMAT_INFO_HAS_ALPHA(format)) return false;
  for (guint i = 0; i < GST_VIDEO_FORMAT_INFO_N_COMPONENTS(format); i++)
    if (GST_VIDEO_FORMAT_INFO_DEPTH(format, i) != 8 || GST_VIDEO_FORMAT_INFO_BITS(format) != 8) return false;
  /* Packed YUV has luma and chroma in one plane. */
  return GST_VIDEO_FORMAT_INFO_IS_GRAY(format) || GST_VIDEO_FORMAT_INFO_N_PLANES(format) > 1;
}

static inline guint capstan_frame_planes(const GstVideoFrame *frame) { return GST_VIDEO_FRAME_N_PLANES(frame); }

struct capstan_plane {
  void *bytes;
  int width, height, stride;
  bool is_luma;
};

/* Macros: GST_VIDEO_FRAME_PLANE_ and GST_VIDEO_FRAME_COMP_, by way of the first component that lies in the plane. */
static inline struct capstan_plane capstan_frame_plane(const GstVideoFrame *frame, guint plane) {
  guint first = 0;
  while (first + 1 < GST_VIDEO_FRAME_N_COMPONENTS(frame) && GST_VIDEO_FRAME_COMP_PLANE(frame, first) != (int)plane)
    first++;
  struct capstan_plane found = {
      GST_VIDEO_FRAME_PLANE_DATA(frame, plane),
      GST_VIDEO_FRAME_COMP_WIDTH(frame, first) * GST_VIDEO_FRAME_COMP_PSTRIDE(frame, first),
      GST_VIDEO_FRAME_COMP_HEIGHT(frame, first), GST_VIDEO_FRAME_PLANE_STRIDE(frame, plane), first == 0};
  return found;
}

/* Macros: GST_VIDEO_FORMAT_INFO_ and their flags. True where the first component is luma in whole bytes, little-endian
   where it is deeper than 8 bits. */
static inline bool capstan_has_luma(const GstVideoInfo *info) {
  const GstVideoFormatInfo *format = info->finfo;
  if (!GST_VIDEO_FORMAT_INFO_IS_YUV(format) && !GST_VIDEO_FORMAT_INFO_IS_GRAY(format)) return false;
  if (GST_VIDEO_FORMAT_INFO_IS_COMPLEX(format) || GST_VIDEO_FORMAT_INFO_IS_TILED(format)) return false;
  return GST_VIDEO_FORMAT_INFO_DEPTH(format, 0) == 8 || GST_VIDEO_FORMAT_INFO_IS_LE(format);
}

struct capstan_luma_plane {
  void *bytes;
  int width, height, stride, pixel_stride, depth;
};

/* Macros: GST_VIDEO_FRAME_COMP_. */
static inline struct capstan_luma_plane capstan_luma(const GstVideoFrame *frame) {
  struct capstan_luma_plane luma = {GST_VIDEO_FRAME_COMP_DATA(frame, 0),    GST_VIDEO_FRAME_COMP_WIDTH(frame, 0),
                                    GST_VIDEO_FRAME_COMP_HEIGHT(frame, 0),  GST_VIDEO_FRAME_COMP_STRIDE(frame, 0),
                                    GST_VIDEO_FRAME_COMP_PSTRIDE(frame, 0), GST_VIDEO_FRAME_COMP_DEPTH(frame, 0)};
  return luma;
}

/* Cast macros: GST_BIN, GST_ELEMENT. */
static inline gboolean capstan_bin_add(gpointer bin, gpointer element) {
  return gst_bin_add(GST_BIN(bin), GST_ELEMENT(element));
}

/* Cast macros: GST_BIN, GST_ELEMENT. */
static inline gboolean capstan_bin_remove(gpointer bin, gpointer element) {
  return gst_bin_remove(GST_BIN(bin), GST_ELEMENT(element));
}

/* Cast macro: GST_BIN; null where the element is no bin. */
static inline GstElement *capstan_bin_child(gpointer element, const char *name) {
  return GST_IS_BIN(element) ? gst_bin_get_by_name(GST_BIN(element), name) : NULL;
}

/* Cast macro: GST_BIN; null where the element is no bin. */
static inline GstIterator *capstan_bin_sources(gpointer element) {
  return GST_IS_BIN(element) ? gst_bin_iterate_sources(GST_BIN(element)) : NULL;
}

/* Macro: GST_IS_PIPELINE. */
static inline bool capstan_is_pipeline(gpointer object) { return object && GST_IS_PIPELINE(object); }

/* Macro: GST_IS_ELEMENT. */
static inline bool capstan_is_element(gpointer object) { return object && GST_IS_ELEMENT(object); }

/* Macro: GST_IS_APP_SRC. */
static inline bool capstan_is_app_source(gpointer object) { return object && GST_IS_APP_SRC(object); }

/* Cast macro: GST_IS_APP_SINK. */
static inline bool capstan_is_app_sink(gpointer element) { return GST_IS_APP_SINK(element); }

/* ---- V4L2: ioctl is variadic, its requests are macros, and its structs are full of unions ---- */

/* Variadic: ioctl. Retried where a signal cut it short. Returns 0 or an errno. */
static inline int capstan_ioctl(int fd, unsigned long request, void *argument) {
  int result;
  do result = ioctl(fd, request, argument);
  while (result == -1 && errno == EINTR);
  return result == -1 ? errno : 0;
}

/* Variadic: open. Non-blocking, so that a driver that waits for a signal cannot hold us; returns the descriptor or
   the errno below zero. */
static inline int capstan_v4l2_open(const char *path) {
  int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  return fd == -1 ? -errno : fd;
}

/* Variadic: fcntl. A second descriptor of an open device; or the errno below zero. */
static inline int capstan_v4l2_duplicate(int descriptor) {
  int fd = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  return fd == -1 ? -errno : fd;
}

/* Macro: VIDIOC_QUERYCAP. */
static inline int capstan_v4l2_capability(int fd, struct v4l2_capability *out) {
  memset(out, 0, sizeof *out);
  return capstan_ioctl(fd, VIDIOC_QUERYCAP, out);
}

struct capstan_v4l2_format_description {
  uint32_t fourcc, flags;
  char description[33];
};

/* Macro: VIDIOC_ENUM_FMT. */
static inline int capstan_v4l2_enumerate_format(
    int fd, uint32_t type, uint32_t index, struct capstan_v4l2_format_description *out) {
  struct v4l2_fmtdesc format = {.index = index, .type = type};
  int error = capstan_ioctl(fd, VIDIOC_ENUM_FMT, &format);
  memset(out, 0, sizeof *out);
  out->fourcc = format.pixelformat;
  out->flags = format.flags;
  memcpy(out->description, format.description, sizeof format.description);
  return error;
}

/* Discrete sizes have min equal to max and no step. */
struct capstan_v4l2_size {
  uint32_t kind, min_width, max_width, step_width, min_height, max_height, step_height;
};

/* Macro and union: VIDIOC_ENUM_FRAMESIZES. */
static inline int capstan_v4l2_enumerate_size(
    int fd, uint32_t fourcc, uint32_t index, struct capstan_v4l2_size *out) {
  struct v4l2_frmsizeenum size = {.index = index, .pixel_format = fourcc};
  int error = capstan_ioctl(fd, VIDIOC_ENUM_FRAMESIZES, &size);
  memset(out, 0, sizeof *out);
  out->kind = size.type;
  if (size.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
    out->min_width = out->max_width = size.discrete.width;
    out->min_height = out->max_height = size.discrete.height;
  } else {
    out->min_width = size.stepwise.min_width;
    out->max_width = size.stepwise.max_width;
    out->step_width = size.stepwise.step_width;
    out->min_height = size.stepwise.min_height;
    out->max_height = size.stepwise.max_height;
    out->step_height = size.stepwise.step_height;
  }
  return error;
}

/* Discrete intervals have min equal to max and no step. */
struct capstan_v4l2_interval {
  uint32_t kind;
  struct v4l2_fract min, max, step;
};

/* Macro and union: VIDIOC_ENUM_FRAMEINTERVALS. */
static inline int capstan_v4l2_enumerate_interval(
    int fd, uint32_t fourcc, uint32_t width, uint32_t height, uint32_t index, struct capstan_v4l2_interval *out) {
  struct v4l2_frmivalenum interval = {.index = index, .pixel_format = fourcc, .width = width, .height = height};
  int error = capstan_ioctl(fd, VIDIOC_ENUM_FRAMEINTERVALS, &interval);
  memset(out, 0, sizeof *out);
  out->kind = interval.type;
  if (interval.type == V4L2_FRMIVAL_TYPE_DISCRETE) {
    out->min = out->max = interval.discrete;
  } else {
    out->min = interval.stepwise.min;
    out->max = interval.stepwise.max;
    out->step = interval.stepwise.step;
  }
  return error;
}

/* One plane and several told alike; bytes_per_line is the first plane's, size_image the sum. */
struct capstan_v4l2_pixel_format {
  uint32_t width, height, fourcc, field, bytes_per_line, size_image, planes;
  uint32_t colorspace, transfer, encoding, quantization;
};

/* Union: both spellings of a format, out. */
static inline void capstan_v4l2_flatten(const struct v4l2_format *format, struct capstan_v4l2_pixel_format *out) {
  memset(out, 0, sizeof *out);
  if (format->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE) {
    const struct v4l2_pix_format_mplane *pixels = &format->fmt.pix_mp;
    *out = (struct capstan_v4l2_pixel_format){
        pixels->width, pixels->height, pixels->pixelformat, pixels->field, pixels->plane_fmt[0].bytesperline, 0,
        pixels->num_planes, pixels->colorspace, pixels->xfer_func, pixels->ycbcr_enc, pixels->quantization};
    for (uint32_t i = 0; i < pixels->num_planes && i < VIDEO_MAX_PLANES; i++)
      out->size_image += pixels->plane_fmt[i].sizeimage;
  } else {
    const struct v4l2_pix_format *pixels = &format->fmt.pix;
    *out = (struct capstan_v4l2_pixel_format){
        pixels->width, pixels->height, pixels->pixelformat, pixels->field, pixels->bytesperline, pixels->sizeimage,
        1, pixels->colorspace, pixels->xfer_func, pixels->ycbcr_enc, pixels->quantization};
  }
}

/* Macro and union: VIDIOC_G_FMT. */
static inline int capstan_v4l2_get_format(int fd, uint32_t type, struct capstan_v4l2_pixel_format *out) {
  struct v4l2_format format = {.type = type};
  int error = capstan_ioctl(fd, VIDIOC_G_FMT, &format);
  capstan_v4l2_flatten(&format, out);
  return error;
}

/* Macro and union: VIDIOC_TRY_FMT. */
static inline int capstan_v4l2_try_format(
    int fd, uint32_t type, uint32_t fourcc, uint32_t width, uint32_t height, struct capstan_v4l2_pixel_format *out) {
  struct v4l2_format format = {.type = type};
  if (type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE) {
    format.fmt.pix_mp.width = width;
    format.fmt.pix_mp.height = height;
    format.fmt.pix_mp.pixelformat = fourcc;
    format.fmt.pix_mp.field = V4L2_FIELD_ANY;
  } else {
    format.fmt.pix.width = width;
    format.fmt.pix.height = height;
    format.fmt.pix.pixelformat = fourcc;
    format.fmt.pix.field = V4L2_FIELD_ANY;
  }
  int error = capstan_ioctl(fd, VIDIOC_TRY_FMT, &format);
  capstan_v4l2_flatten(&format, out);
  return error;
}

/* Macro and union: VIDIOC_G_PARM; the interval is 0/0 where the driver keeps none. */
static inline int capstan_v4l2_get_interval(int fd, uint32_t type, struct v4l2_fract *out) {
  struct v4l2_streamparm parameters = {.type = type};
  int error = capstan_ioctl(fd, VIDIOC_G_PARM, &parameters);
  *out = parameters.parm.capture.timeperframe;
  return error;
}

/* Macro and union: VIDIOC_G_SELECTION. */
static inline int capstan_v4l2_get_selection(int fd, uint32_t target, struct v4l2_rect *out) {
  struct v4l2_selection selection = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .target = target};
  int error = capstan_ioctl(fd, VIDIOC_G_SELECTION, &selection);
  *out = selection.r;
  return error;
}

struct capstan_v4l2_control {
  uint32_t id, type, flags;
  char name[33];
  int64_t min, max, step, default_value;
  uint32_t elements;
};

/* Macro: VIDIOC_QUERYCTRL, for drivers that know only the older call. */
static inline int capstan_v4l2_query_control_old(int fd, uint32_t id, struct capstan_v4l2_control *out) {
  struct v4l2_queryctrl query = {.id = id};
  int error = capstan_ioctl(fd, VIDIOC_QUERYCTRL, &query);
  if (error) return error;
  out->id = query.id;
  out->type = query.type;
  out->flags = query.flags;
  memcpy(out->name, query.name, sizeof query.name);
  out->min = query.minimum;
  out->max = query.maximum;
  out->step = query.step;
  out->default_value = query.default_value;
  out->elements = 1;
  return 0;
}

/* Macro: VIDIOC_QUERY_EXT_CTRL; `id` may carry the NEXT flags. */
static inline int capstan_v4l2_query_control(int fd, uint32_t id, struct capstan_v4l2_control *out) {
  memset(out, 0, sizeof *out);
  struct v4l2_query_ext_ctrl query = {.id = id};
  int error = capstan_ioctl(fd, VIDIOC_QUERY_EXT_CTRL, &query);
  if (error == ENOTTY) return capstan_v4l2_query_control_old(fd, id & ~V4L2_CTRL_FLAG_NEXT_COMPOUND, out);
  if (error) return error;
  out->id = query.id;
  out->type = query.type;
  out->flags = query.flags;
  memcpy(out->name, query.name, sizeof query.name);
  out->min = query.minimum;
  out->max = query.maximum;
  out->step = (int64_t)query.step;
  out->default_value = query.default_value;
  out->elements = query.elems;
  return 0;
}

/* Macro and union: VIDIOC_QUERYMENU; `number` is set for menus of integers. */
static inline int capstan_v4l2_query_menu(int fd, uint32_t id, uint32_t index, char name[33], int64_t *number) {
  struct v4l2_querymenu menu = {.id = id, .index = index};
  int error = capstan_ioctl(fd, VIDIOC_QUERYMENU, &menu);
  memset(name, 0, 33);
  memcpy(name, menu.name, sizeof menu.name);
  memcpy(number, &menu.value, sizeof *number);
  return error;
}

/* Macro and union: VIDIOC_G_EXT_CTRLS for one control, or VIDIOC_G_CTRL where that is not known. */
static inline int capstan_v4l2_get_control(int fd, uint32_t id, bool wide, int64_t *value) {
  struct v4l2_ext_control control = {.id = id};
  struct v4l2_ext_controls controls = {.which = V4L2_CTRL_WHICH_CUR_VAL, .count = 1, .controls = &control};
  int error = capstan_ioctl(fd, VIDIOC_G_EXT_CTRLS, &controls);
  *value = wide ? control.value64 : control.value;
  if (error != ENOTTY && error != EINVAL) return error;
  struct v4l2_control old = {.id = id};
  error = capstan_ioctl(fd, VIDIOC_G_CTRL, &old);
  *value = old.value;
  return error;
}

/* Macro and union: VIDIOC_S_EXT_CTRLS for one control, or VIDIOC_S_CTRL where that is not known. */
static inline int capstan_v4l2_set_control(int fd, uint32_t id, bool wide, int64_t value) {
  struct v4l2_ext_control control = {.id = id};
  if (wide) control.value64 = value;
  else control.value = (int32_t)value;
  struct v4l2_ext_controls controls = {.which = V4L2_CTRL_WHICH_CUR_VAL, .count = 1, .controls = &control};
  int error = capstan_ioctl(fd, VIDIOC_S_EXT_CTRLS, &controls);
  if (error != ENOTTY && error != EINVAL) return error;
  struct v4l2_control old = {.id = id, .value = (int32_t)value};
  return capstan_ioctl(fd, VIDIOC_S_CTRL, &old);
}

/* Macro and union: VIDIOC_S_FMT; `out` is what the driver made of it. */
static inline int capstan_v4l2_set_format(
    int fd, uint32_t type, uint32_t fourcc, uint32_t width, uint32_t height, struct capstan_v4l2_pixel_format *out) {
  struct v4l2_format format = {.type = type};
  if (V4L2_TYPE_IS_MULTIPLANAR(type)) {
    format.fmt.pix_mp.pixelformat = fourcc, format.fmt.pix_mp.width = width, format.fmt.pix_mp.height = height;
  } else {
    format.fmt.pix.pixelformat = fourcc, format.fmt.pix.width = width, format.fmt.pix.height = height;
  }
  int error = capstan_ioctl(fd, VIDIOC_S_FMT, &format);
  capstan_v4l2_flatten(&format, out);
  return error;
}

/* Macro and union: VIDIOC_S_PARM. */
static inline int capstan_v4l2_set_interval(int fd, uint32_t type, uint32_t numerator, uint32_t denominator) {
  struct v4l2_streamparm parameters = {.type = type};
  parameters.parm.capture.timeperframe.numerator = numerator;
  parameters.parm.capture.timeperframe.denominator = denominator;
  return capstan_ioctl(fd, VIDIOC_S_PARM, &parameters);
}

/* Macros and union: asks for buffers, queues them and starts the stream, then undoes it all, because v4l2src does not
   tell which of these calls failed. 0, or the errno of the first that did, and its name in *call. */
static inline int capstan_v4l2_try_streaming(int fd, uint32_t type, uint32_t plane_count, const char **call) {
  struct v4l2_requestbuffers request = {.count = 4, .type = type, .memory = V4L2_MEMORY_MMAP};
  *call = "VIDIOC_REQBUFS";
  int error = capstan_ioctl(fd, VIDIOC_REQBUFS, &request);
  if (error) return error;
  for (uint32_t index = 0; index < request.count && !error; index++) {
    struct v4l2_plane planes[VIDEO_MAX_PLANES] = {0};
    struct v4l2_buffer buffer = {.index = index, .type = type, .memory = V4L2_MEMORY_MMAP};
    if (V4L2_TYPE_IS_MULTIPLANAR(type)) buffer.m.planes = planes, buffer.length = plane_count;
    *call = "VIDIOC_QBUF";
    error = capstan_ioctl(fd, VIDIOC_QBUF, &buffer);
  }
  int kind = (int)type;
  if (!error) {
    *call = "VIDIOC_STREAMON";
    error = capstan_ioctl(fd, VIDIOC_STREAMON, &kind);
    if (!error) capstan_ioctl(fd, VIDIOC_STREAMOFF, &kind);
  }
  request.count = 0;
  capstan_ioctl(fd, VIDIOC_REQBUFS, &request);
  return error;
}

/* Variadic: renameat2(2) with RENAME_NOREPLACE (1), by syscall(2), because its prototype is a GNU extension that Swift
   does not see. 0 or an errno. */
static inline int capstan_rename_exclusively(int folder, const char *from, const char *to) {
  return syscall(SYS_renameat2, folder, from, folder, to, 1u) == 0 ? 0 : errno;
}

#endif
