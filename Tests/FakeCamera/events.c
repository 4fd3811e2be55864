/* Events: that a capture device's input has another signal now. */
#include "fakecamera.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static int subscribe(struct fc_handle *handle, const struct v4l2_event_subscription *wanted) {
  /* As uvcvideo, which knows control events alone (none ever comes here); a grabber knows its source's. */
  if (wanted->type == V4L2_EVENT_CTRL) return 0;
  if (wanted->type != V4L2_EVENT_SOURCE_CHANGE || !handle->node->camera->faults.signal_change_after) return EINVAL;
  handle->wants_changes = true;
  return 0;
}

static int fetch(struct fc_handle *handle, struct v4l2_event *out) {
  if (!handle->has_change) return ENOENT;
  char token;
  recv(handle->own, &token, 1, MSG_OOB | MSG_DONTWAIT);
  handle->has_change = false;
  memset(out, 0, sizeof *out);
  out->type = V4L2_EVENT_SOURCE_CHANGE;
  out->u.src_change.changes = V4L2_EVENT_SRC_CH_RESOLUTION;
  return 0;
}

int fc_event_ioctl(struct fc_handle *handle, unsigned long request, void *argument) {
  if (request == VIDIOC_SUBSCRIBE_EVENT) return subscribe(handle, argument);
  if (request == VIDIOC_DQEVENT) return fetch(handle, argument);
  handle->wants_changes = false;
  return 0;
}

/* Every format has one size from now on, that of the signal. The mode that is set stays until another one is. */
static void narrow(struct fc_format *format, const struct fc_faults *faults) {
  struct fc_size *size = calloc(1, sizeof *size);
  struct fc_fraction *interval = calloc(1, sizeof *interval);
  if (!size || !interval) fc_fail("out of memory for another signal");
  *interval = faults->signal_rate.num ? (struct fc_fraction){faults->signal_rate.den, faults->signal_rate.num}
                                      : format->sizes[0].intervals[0];
  size->min_width = size->max_width = faults->signal_width, size->step_width = 1;
  size->min_height = size->max_height = faults->signal_height, size->step_height = 1;
  size->intervals = interval, size->interval_count = 1;
  format->sizes = size, format->size_count = 1; /* what was there before stays: a mode may point to it */
}

/* The lock is held. Out-of-band bytes make poll() say POLLPRI, as a driver with an event does. */
void fc_change_signal(struct fc_node *node) {
  node->signal_changed = true;
  for (unsigned i = 0; i < node->format_count; i++) narrow(&node->formats[i], &node->camera->faults);
  fc_log(node->camera, "signal width=%u height=%u", node->camera->faults.signal_width, node->camera->faults.signal_height);
  for (struct fc_handle *handle = node->handles; handle; handle = handle->next) {
    if (!handle->wants_changes || handle->has_change || handle->peer < 0) continue;
    handle->has_change = true;
    send(handle->peer, "", 1, MSG_OOB | MSG_NOSIGNAL | MSG_DONTWAIT);
  }
}
