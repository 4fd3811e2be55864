/* The buffer queue: REQBUFS, QUERYBUF, QBUF, DQBUF, EXPBUF and mmap(), each buffer plane in a memfd of its own. */
#include "fakecamera.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define PAGE 4096u
/* What mmap() is given as offset: which buffer and plane it means, in whole pages. */
#define COOKIE(buffer, plane) (((uint32_t)(buffer) * FC_MAX_PLANES + (uint32_t)(plane)) << 24)

static size_t room(const struct fc_mode *mode, unsigned plane) { return (mode->bytes[plane] + PAGE - 1) / PAGE * PAGE; }

void fc_free_buffers(struct fc_node *node) {
  for (unsigned i = 0; i < node->buffer_count; i++)
    for (unsigned plane = 0; plane < node->mode.planes; plane++) {
      munmap(node->buffers[i].bytes[plane], room(&node->mode, plane));
      fc_real_close(node->buffers[i].memory[plane]);
    }
  memset(node->buffers, 0, sizeof node->buffers);
  node->buffer_count = node->queued_count = node->done_count = 0;
}

/* The memfd bears the node's name, so that /proc/PID/fd tells who holds the camera (see readlink in paths.c). */
static bool allocate(const struct fc_node *node, struct fc_buffer *buffer, unsigned plane) {
  char name[32];
  snprintf(name, sizeof name, "fakecamera-%08x:video%d", fc_config_mark(), node->number);
  size_t length = room(&node->mode, plane);
  int memory = memfd_create(name, MFD_CLOEXEC);
  if (memory < 0 || ftruncate(memory, (off_t)length) < 0) return false;
  buffer->memory[plane] = memory;
  buffer->bytes[plane] = fc_real_mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  return buffer->bytes[plane] != MAP_FAILED;
}

int fc_request_buffers(struct fc_handle *handle, struct v4l2_requestbuffers *inout) {
  struct fc_node *node = handle->node;
  inout->capabilities = V4L2_BUF_CAP_SUPPORTS_MMAP;
  inout->flags = 0;
  if (inout->type != fc_buffer_type(node) || inout->type == V4L2_BUF_TYPE_META_CAPTURE) return EINVAL;
  if (inout->memory != V4L2_MEMORY_MMAP || !node->format_count) return EINVAL;
  if (inout->count && fc_is_busy(node->camera, FC_BUSY_REQBUFS)) return EBUSY;
  int error = fc_claim(handle);
  if (error) return error;
  if (node->streaming) return EBUSY;
  fc_free_buffers(node);
  if (!inout->count) {
    fc_disclaim(node);
    return 0;
  }
  uint32_t count = inout->count < 2 ? 2 : inout->count > FC_MAX_BUFFERS ? FC_MAX_BUFFERS : inout->count;
  for (; node->buffer_count < count; node->buffer_count++)
    for (unsigned plane = 0; plane < node->mode.planes; plane++)
      if (!allocate(node, &node->buffers[node->buffer_count], plane)) return ENOMEM;
  inout->count = count;
  return 0;
}

static void describe(const struct fc_node *node, uint32_t index, struct v4l2_buffer *out) {
  const struct fc_buffer *buffer = &node->buffers[index];
  out->index = index;
  out->memory = V4L2_MEMORY_MMAP;
  out->field = node->color.field;
  out->sequence = buffer->sequence;
  out->timestamp.tv_sec = buffer->stamp_ns / 1000000000;
  out->timestamp.tv_usec = buffer->stamp_ns % 1000000000 / 1000;
  out->flags = buffer->flags | V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
  if (buffer->mapped) out->flags |= V4L2_BUF_FLAG_MAPPED;
  if (buffer->state == FC_QUEUED || buffer->state == FC_ACTIVE) out->flags |= V4L2_BUF_FLAG_QUEUED;
  if (buffer->state == FC_DONE) out->flags |= V4L2_BUF_FLAG_DONE;
  if (out->type != V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE) {
    out->bytesused = buffer->used[0];
    out->length = node->mode.bytes[0];
    out->m.offset = COOKIE(index, 0);
    return;
  }
  if (out->length > node->mode.planes) out->length = node->mode.planes;
  for (uint32_t plane = 0; plane < out->length; plane++) {
    out->m.planes[plane].bytesused = buffer->used[plane];
    out->m.planes[plane].length = node->mode.bytes[plane];
    out->m.planes[plane].m.mem_offset = COOKIE(index, plane);
  }
}

static bool wrong(const struct fc_node *node, const struct v4l2_buffer *buffer) {
  return buffer->type != fc_buffer_type(node) || buffer->index >= node->buffer_count;
}

int fc_query_buffer(struct fc_node *node, struct v4l2_buffer *inout) {
  if (wrong(node, inout)) return EINVAL;
  describe(node, inout->index, inout);
  return 0;
}

int fc_queue_buffer(struct fc_handle *handle, struct v4l2_buffer *inout) {
  struct fc_node *node = handle->node;
  if (node->owner != handle) return node->owner ? EBUSY : EINVAL;
  if (wrong(node, inout) || inout->memory != V4L2_MEMORY_MMAP) return EINVAL;
  if (inout->flags & V4L2_BUF_FLAG_REQUEST_FD) return EBADR;
  struct fc_buffer *buffer = &node->buffers[inout->index];
  if (buffer->state != FC_IDLE) return EINVAL;
  buffer->state = FC_QUEUED;
  buffer->flags = 0;
  node->queued[node->queued_count++] = inout->index;
  describe(node, inout->index, inout);
  return 0;
}

static int wait_for_frame(struct fc_handle *handle) {
  struct fc_node *node = handle->node;
  while (true) {
    if (handle->lost) return ENODEV;
    if (node->owner != handle || !node->streaming) return EINVAL;
    if (node->done_count) return 0;
    if (fcntl(handle->own, F_GETFL) & O_NONBLOCK) return EAGAIN;
    pthread_cond_wait(&node->changed, &node->camera->lock);
  }
}

int fc_dequeue_buffer(struct fc_handle *handle, struct v4l2_buffer *inout) {
  struct fc_node *node = handle->node;
  if (inout->type != fc_buffer_type(node)) return EINVAL;
  int error = wait_for_frame(handle);
  if (error) return error;
  const uint64_t failing = node->camera->faults.dqbuf_eio_after;
  if (failing && node->dequeued == failing) {
    node->dequeued++;
    return EIO;
  }
  char token;
  recv(handle->own, &token, 1, MSG_DONTWAIT);
  unsigned index = node->done[0];
  memmove(node->done, node->done + 1, --node->done_count * sizeof *node->done);
  node->buffers[index].state = FC_IDLE;
  node->dequeued++;
  describe(node, index, inout);
  return 0;
}

int fc_export_buffer(struct fc_handle *handle, struct v4l2_exportbuffer *inout) {
  struct fc_node *node = handle->node;
  if (inout->type != fc_buffer_type(node) || inout->index >= node->buffer_count) return EINVAL;
  if (inout->plane >= node->mode.planes) return EINVAL;
  int command = inout->flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD;
  inout->fd = fcntl(node->buffers[inout->index].memory[inout->plane], command, 0);
  return inout->fd < 0 ? errno : 0;
}

void *fc_map(struct fc_handle *handle, void *address, size_t length, int protection, int flags, int64_t offset) {
  struct fc_node *node = handle->node;
  uint32_t place = (uint32_t)(offset >> 24), index = place / FC_MAX_PLANES, plane = place % FC_MAX_PLANES;
  pthread_mutex_lock(&node->camera->lock);
  bool good = index < node->buffer_count && plane < node->mode.planes && length <= room(&node->mode, plane);
  int memory = good ? node->buffers[index].memory[plane] : -1;
  if (good) node->buffers[index].mapped = true;
  void *result = good ? fc_real_mmap(address, length, protection, flags, memory, 0) : MAP_FAILED;
  int error = good ? errno : handle->lost ? ENODEV : EINVAL;
  pthread_mutex_unlock(&node->camera->lock);
  errno = error;
  return result;
}
