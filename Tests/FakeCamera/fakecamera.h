/* What the parts of the fake camera share: tables, nodes, buffers, payloads, and the functions between files. */
#ifndef FAKECAMERA_H
#define FAKECAMERA_H

#include <linux/videodev2.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FC_MAX_BUFFERS 32
#define FC_MAX_PLANES 2
#define FC_MAX_NODES 64
#define FC_STRIP_ROWS 32
#define FC_VARIANTS 16 /* noisy pictures in rotation: more than an encoder keeps to predict from */
#define FC_BARS 8

struct fc_fraction {
  uint32_t num, den;
};

enum fc_size_kind { FC_DISCRETE, FC_STEPWISE, FC_CONTINUOUS };

/* One row of ENUM_FRAMESIZES; a discrete size has min == max. Intervals are seconds, as in V4L2. */
struct fc_size {
  enum fc_size_kind kind;
  uint32_t min_width, max_width, step_width;
  uint32_t min_height, max_height, step_height;
  struct fc_fraction *intervals;
  unsigned interval_count;
  bool has_range;
  struct fc_fraction shortest, longest;
};

struct fc_format {
  uint32_t fourcc;
  char description[32];
  bool compressed, usable, emulated;
  struct fc_size *sizes;
  unsigned size_count;
};

/* V4L2's own enumeration values, plus how the JPEG and H.264 payloads are made. */
struct fc_color {
  uint32_t colorspace, transfer, ycbcr, quantization, field;
  bool jpeg_limited, jpeg_420;
};

struct fc_control {
  uint32_t id, type, flags;
  char name[32];
  int64_t minimum, maximum, step, fallback, value;
  char (*menu)[32];
  unsigned menu_count;
};

/* What is shown below the strip. */
enum fc_picture { FC_PICTURE_BARS, FC_PICTURE_NOISE, FC_PICTURE_RAMP };

enum fc_busy { FC_BUSY_NEVER, FC_BUSY_OPEN, FC_BUSY_S_FMT, FC_BUSY_REQBUFS, FC_BUSY_STREAMON };

struct fc_faults {
  uint64_t unplug_after, unplug_times, stall_after, stall_times, corrupt_every, empty_every, error_flag_every, dqbuf_eio_after,
      repeat_each, rate_change_after, faults_until, signal_change_after;
  int64_t replug_after_ms, busy_for_ms;
  int replug_node;
  char replug_serial[32]; /* another unit of the same model comes in its place */
  uint32_t replug_refuses[16];
  unsigned replug_refuse_count;
  unsigned start_delay_ms;
  enum fc_busy busy;
  bool permission, dim;
  uint32_t refuse[16];
  unsigned refuse_count;
  struct fc_fraction actual_rate, changed_rate, force_parm; /* rates, frames a second; den 0 means unset */
  int streamon_errno;
  uint32_t force_width, force_height;
  uint32_t signal_width, signal_height;
  bool signal_is_silent; /* no event, no other list: the JPEGs alone are of another size */
  struct fc_fraction signal_rate;
};

enum fc_buffer_state { FC_IDLE, FC_QUEUED, FC_ACTIVE, FC_DONE };

struct fc_buffer {
  int memory[FC_MAX_PLANES]; /* memfd of each plane */
  uint8_t *bytes[FC_MAX_PLANES];
  uint32_t used[FC_MAX_PLANES];
  enum fc_buffer_state state;
  uint32_t flags, sequence;
  int64_t stamp_ns;
  bool mapped, painted; /* painted: the still part of a raw picture is already in it */
};

/* What a picture of the current format looks like in memory. */
struct fc_mode {
  const struct fc_format *format;
  uint32_t width, height;
  struct fc_fraction interval;
  unsigned planes;
  uint32_t stride[FC_MAX_PLANES], bytes[FC_MAX_PLANES];
};

struct fc_handle;
struct fc_camera;
struct fc_payload;

struct fc_node {
  struct fc_camera *camera;
  atomic_int number; /* changes when the camera comes back elsewhere */
  int index;
  uint32_t caps;
  struct fc_format *formats;
  unsigned format_count;
  struct fc_color color;
  struct fc_mode mode;
  struct fc_handle *owner; /* who may set the format and stream */
  int owner_socket;        /* its claim, seen by other processes */
  struct fc_handle *handles;
  struct fc_buffer buffers[FC_MAX_BUFFERS];
  unsigned buffer_count;
  unsigned queued[FC_MAX_BUFFERS], queued_count;
  unsigned done[FC_MAX_BUFFERS], done_count;
  bool streaming;
  bool signal_changed; /* nothing comes until the stream is started anew */
  pthread_t thread;
  pthread_cond_t changed;
  uint64_t dequeued;
};

struct fc_camera {
  pthread_mutex_t lock;
  char driver[16], card[32], bus_info[32];
  struct fc_faults faults;
  struct fc_control *controls;
  unsigned control_count;
  enum fc_picture picture;
  char *log, *control_state;
  char *presence; /* plugged in while this file is there; NULL: always */
  char vendor[8], product[8], serial[32]; /* of the USB device */
  int64_t unplugged_at_ns; /* 0 while plugged in */
  unsigned unplugs, stalls; /* so far: a camera that came back as often as it should stays */
  int64_t busy_since_ns;    /* when the first caller found it so; 0 before */
  struct fc_node **nodes;
  unsigned node_count;
};

/* One open(): its descriptor is one end of a socket pair, so that poll() and select() work by themselves. */
struct fc_handle {
  struct fc_node *node;
  struct fc_handle *next;
  int peer; /* a byte written here makes the program's descriptor readable: a frame is there */
  int own;  /* our copy of the program's end */
  atomic_uint references;
  atomic_bool lost; /* the camera was pulled while this was open */
  uint32_t priority;
  bool wants_changes, has_change; /* V4L2_EVENT_SOURCE_CHANGE: subscribed to, and waiting to be fetched */
};

/* config.c, table.c, text.c */
struct cJSON;
void fc_read_config(const char *path);
bool fc_has_udev(void);
void fc_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
char *fc_read_text(const char *path);
bool fc_read_table(const struct cJSON *table, struct fc_camera *camera, int first_node);
void fc_read_color(const struct cJSON *color, struct fc_color *out);
void fc_read_faults(const struct cJSON *faults, struct fc_faults *out);
enum fc_picture fc_read_picture(const struct cJSON *device);
void fc_read_controls(const struct cJSON *controls, struct fc_camera *camera);
uint32_t fc_fourcc(const char *text);

/* device.c */
bool fc_enabled(void);
uint32_t fc_config_mark(void); /* the same in processes that share a configuration */
struct fc_node *fc_add_node(struct fc_camera *camera, int number);
struct fc_node *fc_node_at(unsigned position);
struct fc_node *fc_find_node(int number);
bool fc_present(struct fc_node *node);
int fc_open_node(struct fc_node *node, int flags);
struct fc_handle *fc_handle_of(int descriptor);
void fc_release_handle(struct fc_handle *handle);
bool fc_duplicate(int from, int to);
void fc_forget(int descriptor);
void fc_unplug(struct fc_camera *camera);
void fc_announce_unplug(struct fc_camera *camera);
void fc_announce_return(struct fc_camera *camera);
int fc_claim(struct fc_handle *handle);
bool fc_is_busy(struct fc_camera *camera, enum fc_busy place);
void fc_disclaim(struct fc_node *node);
void fc_log(const struct fc_camera *camera, const char *format, ...) __attribute__((format(printf, 2, 3)));
int64_t fc_now(void);

/* enumerate.c, format.c, controls.c, buffers.c: the ioctls. Each answers 0 or an errno. */
int fc_ioctl(struct fc_handle *handle, unsigned long request, void *argument);
int fc_querycap(struct fc_node *node, struct v4l2_capability *out);
int fc_enum_fmt(struct fc_node *node, struct v4l2_fmtdesc *out);
int fc_enum_sizes(struct fc_node *node, struct v4l2_frmsizeenum *out);
int fc_enum_intervals(struct fc_node *node, struct v4l2_frmivalenum *out);
int fc_enum_input(struct v4l2_input *out);
int fc_get_format(struct fc_node *node, struct v4l2_format *out);
int fc_try_format(struct fc_node *node, struct v4l2_format *inout);
int fc_set_format(struct fc_handle *handle, struct v4l2_format *inout);
int fc_get_parm(struct fc_node *node, struct v4l2_streamparm *out);
int fc_set_parm(struct fc_handle *handle, struct v4l2_streamparm *inout);
void fc_default_mode(struct fc_node *node);
const struct fc_size *fc_size_of(const struct fc_format *format, uint32_t width, uint32_t height);
int fc_control_ioctl(struct fc_handle *handle, unsigned long request, void *argument);
bool fc_exposure_may_stretch(const struct fc_camera *camera);
uint32_t fc_control_id(const char *name);
const char *fc_control_title(uint32_t id);
uint32_t fc_buffer_type(const struct fc_node *node);
int fc_request_buffers(struct fc_handle *handle, struct v4l2_requestbuffers *inout);
int fc_query_buffer(struct fc_node *node, struct v4l2_buffer *inout);
int fc_queue_buffer(struct fc_handle *handle, struct v4l2_buffer *inout);
int fc_dequeue_buffer(struct fc_handle *handle, struct v4l2_buffer *inout);
int fc_export_buffer(struct fc_handle *handle, struct v4l2_exportbuffer *inout);
void *fc_map(struct fc_handle *handle, void *address, size_t length, int protection, int flags, int64_t offset);
void fc_free_buffers(struct fc_node *node);

/* stream.c */
int fc_stream_on(struct fc_handle *handle);
int fc_stream_off(struct fc_node *node);

/* events.c */
int fc_event_ioctl(struct fc_handle *handle, unsigned long request, void *argument);
void fc_change_signal(struct fc_node *node);

/* picture.c, chart.c, layout.c, payload.c, jpeg.c, h264.c */
struct fc_paint {
  bool full, bt709;
};
struct fc_row { /* one line of the picture, every sample of every pixel */
  uint8_t *r, *g, *b, *y, *u, *v;
};
struct fc_paint fc_paint_of(uint32_t fourcc, const struct fc_color *color);
void fc_convert(struct fc_paint paint, const uint8_t rgb[3], uint8_t yuv[3]);
struct fc_row *fc_row_new(uint32_t width);
void fc_row_free(struct fc_row *row);
void fc_strip_row(struct fc_row *row, uint32_t width, uint32_t counter, struct fc_paint paint);
struct fc_still { /* the part of the picture that the counter leaves alone */
  enum fc_picture picture;
  uint32_t width, height, seed; /* seed: of the noise, changed by each row */
  struct fc_paint paint;
};
void fc_span(struct fc_row *row, uint32_t from, uint32_t to, const uint8_t rgb[3], struct fc_paint paint);
void fc_still_row(struct fc_still *still, struct fc_row *row, uint32_t y);
void fc_chart_row(struct fc_row *row, uint32_t width, uint32_t height, uint32_t y, struct fc_paint paint);
bool fc_layout(uint32_t fourcc, struct fc_mode *mode);
void fc_pack_row(const struct fc_mode *mode, uint8_t *const planes[], const struct fc_row *row, uint32_t y);

struct fc_payload *fc_payload_new(const struct fc_mode *mode, const struct fc_color *color, enum fc_picture picture);
void fc_payload_fill(struct fc_payload *payload, struct fc_buffer *buffer, uint32_t counter);
void fc_payload_skip(struct fc_payload *payload, uint32_t counter);
void fc_payload_free(struct fc_payload *payload);
struct fc_jpeg *fc_jpeg_new(const struct fc_mode *mode, const struct fc_color *color, enum fc_picture picture);
size_t fc_jpeg_fill(struct fc_jpeg *jpeg, uint8_t *out, size_t room, uint32_t counter);
void fc_jpeg_free(struct fc_jpeg *jpeg);
struct fc_h264 *fc_h264_new(const struct fc_mode *mode, const struct fc_color *color, enum fc_picture picture);
size_t fc_h264_fill(struct fc_h264 *encoder, uint8_t *out, size_t room, uint32_t counter);
void fc_h264_free(struct fc_h264 *encoder);

/* libc as it is beneath the interposition */
int fc_real_close(int descriptor);
int fc_real_open(const char *path, int flags);
bool fc_real_exists(const char *path);
void *fc_real_mmap(void *address, size_t length, int protection, int flags, int descriptor, int64_t offset);

#endif
