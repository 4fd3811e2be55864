/* Streaming: a thread that makes a frame at each exact deadline, and loses it when no buffer waits for it. */
#include "fakecamera.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void raise_priority(void) {
  /* A sensor does not wait for a busy machine; without the right to this, the thread just runs on. */
  int error = errno;
  setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), -15);
  errno = error;
}

static struct fc_fraction true_interval(const struct fc_node *node) {
  const struct fc_faults *faults = &node->camera->faults;
  struct fc_fraction interval = node->mode.interval;
  if (faults->actual_rate.den) interval = (struct fc_fraction){faults->actual_rate.den, faults->actual_rate.num};
  return interval;
}

/* Sleeps on the condition, so that STREAMOFF and unplugging end the wait at once. The lock is held. */
static bool sleep_until(struct fc_node *node, int64_t deadline) {
  struct timespec time = {deadline / 1000000000, deadline % 1000000000};
  while (node->streaming && !node->camera->unplugged_at_ns && fc_now() < deadline)
    pthread_cond_timedwait(&node->changed, &node->camera->lock, &time);
  return node->streaming && !node->camera->unplugged_at_ns;
}

static bool each(uint64_t every, uint64_t sequence) { return every && (sequence + 1) % every == 0; }

static void spoil(const struct fc_faults *faults, struct fc_buffer *buffer, uint64_t sequence) {
  if (faults->faults_until && sequence >= faults->faults_until) return;
  if (each(faults->corrupt_every, sequence)) buffer->used[0] /= 3;
  if (each(faults->empty_every, sequence)) memset(buffer->used, 0, sizeof buffer->used);
  if (each(faults->error_flag_every, sequence)) buffer->flags |= V4L2_BUF_FLAG_ERROR;
}

/* The number in the picture: a camera that sends each picture several times counts them all as frames. */
static uint64_t pictured(const struct fc_faults *faults, uint64_t sequence) {
  return faults->repeat_each ? sequence / faults->repeat_each * faults->repeat_each : sequence;
}

/* The picture is painted without the lock: a buffer in the state ACTIVE belongs to this thread. */
static void deliver(struct fc_node *node, struct fc_payload *payload, uint64_t sequence, int64_t stamp) {
  struct fc_camera *camera = node->camera;
  if (!node->queued_count) {
    pthread_mutex_unlock(&camera->lock);
    fc_payload_skip(payload, (uint32_t)sequence);
    pthread_mutex_lock(&camera->lock);
    return;
  }
  unsigned index = node->queued[0];
  struct fc_buffer *buffer = &node->buffers[index];
  memmove(node->queued, node->queued + 1, --node->queued_count * sizeof *node->queued);
  buffer->state = FC_ACTIVE;
  pthread_mutex_unlock(&camera->lock);
  fc_payload_fill(payload, buffer, (uint32_t)pictured(&camera->faults, sequence));
  pthread_mutex_lock(&camera->lock);
  buffer->sequence = (uint32_t)sequence;
  buffer->stamp_ns = stamp;
  spoil(&camera->faults, buffer, sequence);
  buffer->state = FC_DONE;
  node->done[node->done_count++] = index;
  if (node->owner && node->owner->peer >= 0) send(node->owner->peer, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
  pthread_cond_broadcast(&node->changed);
}

/* In a dim room the frame lasts twice as long, while auto exposure is allowed to do that. */
static int64_t frame_length(const struct fc_node *node) {
  return node->camera->faults.dim && fc_exposure_may_stretch(node->camera) ? 2 : 1;
}

/* JPEGs of another size than was agreed, in the same buffers. */
static struct fc_payload *resized(const struct fc_node *node, struct fc_payload *payload) {
  struct fc_mode mode = node->mode;
  mode.width = node->camera->faults.signal_width, mode.height = node->camera->faults.signal_height;
  fc_payload_free(payload);
  return fc_payload_new(&mode, &node->color, node->camera->picture);
}

static void *run(void *argument) {
  struct fc_node *node = argument;
  struct fc_camera *camera = node->camera;
  const struct fc_faults *faults = &camera->faults;
  raise_priority();
  struct fc_payload *payload = fc_payload_new(&node->mode, &node->color, camera->picture);
  bool silent = false;
  pthread_mutex_lock(&camera->lock);
  struct fc_fraction interval = true_interval(node);
  int64_t start = fc_now() + (int64_t)faults->start_delay_ms * 1000000, ticks = 0;
  unsigned stall_times = faults->stall_times ? (unsigned)faults->stall_times : UINT32_MAX;
  for (uint64_t sequence = 0; node->streaming && !camera->unplugged_at_ns; sequence++) {
    if (faults->rate_change_after && sequence == faults->rate_change_after) {
      start += (int64_t)((__int128)ticks * interval.num * 1000000000 / interval.den), ticks = 0;
      interval = (struct fc_fraction){faults->changed_rate.den, faults->changed_rate.num};
    }
    ticks += frame_length(node);
    /* Counted from the start, never added up: no drift at 7013/117. */
    int64_t deadline = start + (int64_t)((__int128)ticks * interval.num * 1000000000 / interval.den);
    if (faults->stall_after && sequence == faults->stall_after && camera->stalls < stall_times) camera->stalls++, silent = true;
    if (!sleep_until(node, silent ? INT64_MAX : deadline)) break;
    bool pulled = faults->unplug_after && sequence >= faults->unplug_after &&
                  camera->unplugs < (faults->unplug_times ? faults->unplug_times : 1);
    bool changes = faults->signal_change_after && sequence == faults->signal_change_after && !node->signal_changed;
    if (changes && faults->signal_is_silent) payload = resized(node, payload);
    else if (changes) fc_change_signal(node), silent = true;
    if (silent) continue;
    if (pulled) fc_unplug(camera);
    else deliver(node, payload, sequence, deadline);
  }
  pthread_mutex_unlock(&camera->lock);
  fc_payload_free(payload);
  return NULL;
}

int fc_stream_on(struct fc_handle *handle) {
  struct fc_node *node = handle->node;
  const struct fc_faults *faults = &node->camera->faults;
  if (node->owner && node->owner != handle) return EBUSY;
  if (fc_is_busy(node->camera, FC_BUSY_STREAMON)) return EBUSY;
  if (faults->streamon_errno) return faults->streamon_errno;
  if (!node->buffer_count || node->owner != handle) return EINVAL;
  if (node->streaming) return 0;
  node->streaming = true;
  node->dequeued = 0;
  if (pthread_create(&node->thread, NULL, run, node)) {
    node->streaming = false;
    return ENOMEM;
  }
  fc_log(node->camera, "streamon node=%d fourcc=%.4s width=%u height=%u interval=%u/%u", node->number,
         (const char *)&node->mode.format->fourcc, node->mode.width, node->mode.height, node->mode.interval.num,
         node->mode.interval.den);
  return 0;
}

/* The lock is held, and let go of while the thread ends. All buffers come back to the program. */
int fc_stream_off(struct fc_node *node) {
  if (node->streaming) {
    node->streaming = false;
    pthread_cond_broadcast(&node->changed);
    pthread_mutex_unlock(&node->camera->lock);
    pthread_join(node->thread, NULL);
    pthread_mutex_lock(&node->camera->lock);
    fc_log(node->camera, "streamoff node=%d", node->number);
  }
  char token;
  while (node->owner && node->done_count && node->done_count--)
    recv(node->owner->own, &token, 1, MSG_DONTWAIT); /* a frame nobody fetched must not wake a later poll() */
  node->queued_count = node->done_count = 0;
  for (unsigned i = 0; i < node->buffer_count; i++) node->buffers[i].state = FC_IDLE;
  return 0;
}
