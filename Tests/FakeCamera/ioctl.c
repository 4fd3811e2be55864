/* Leads each V4L2 ioctl to the function that answers it. */
#include "fakecamera.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

static int input(struct fc_node *node, unsigned long request, void *argument) {
  if (!(node->caps & (V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_CAPTURE_MPLANE))) return ENOTTY;
  if (request == VIDIOC_ENUMINPUT) return fc_enum_input(argument);
  if (request == VIDIOC_S_INPUT) return *(int *)argument ? EINVAL : 0;
  *(int *)argument = 0;
  return 0;
}

static int priority(struct fc_handle *handle, unsigned long request, uint32_t *value) {
  uint32_t highest = V4L2_PRIORITY_UNSET;
  for (const struct fc_handle *other = handle->node->handles; other; other = other->next)
    if (other->priority > highest) highest = other->priority;
  if (request == VIDIOC_G_PRIORITY) *value = highest;
  else if (*value < V4L2_PRIORITY_BACKGROUND || *value > V4L2_PRIORITY_RECORD) return EINVAL;
  else if (handle->priority < highest) return EBUSY;
  else handle->priority = *value;
  return 0;
}

static int ask(struct fc_handle *handle, unsigned long request, void *argument) {
  struct fc_node *node = handle->node;
  switch (request) {
    case VIDIOC_QUERYCAP: return fc_querycap(node, argument);
    case VIDIOC_ENUM_FMT: return fc_enum_fmt(node, argument);
    case VIDIOC_ENUM_FRAMESIZES: return fc_enum_sizes(node, argument);
    case VIDIOC_ENUM_FRAMEINTERVALS: return fc_enum_intervals(node, argument);
    case VIDIOC_ENUMINPUT: case VIDIOC_G_INPUT: case VIDIOC_S_INPUT: return input(node, request, argument);
    case VIDIOC_G_FMT: return fc_get_format(node, argument);
    case VIDIOC_TRY_FMT: return fc_try_format(node, argument);
    case VIDIOC_S_FMT: return fc_set_format(handle, argument);
    case VIDIOC_G_PARM: return fc_get_parm(node, argument);
    case VIDIOC_S_PARM: return fc_set_parm(handle, argument);
    case VIDIOC_G_PRIORITY: case VIDIOC_S_PRIORITY: return priority(handle, request, argument);
    case VIDIOC_SUBSCRIBE_EVENT: case VIDIOC_UNSUBSCRIBE_EVENT: case VIDIOC_DQEVENT: 
      return fc_event_ioctl(handle, request, argument);
    default: return -1;
  }
}

static int move(struct fc_handle *handle, unsigned long request, void *argument) {
  struct fc_node *node = handle->node;
  switch (request) {
    case VIDIOC_REQBUFS: return fc_request_buffers(handle, argument);
    case VIDIOC_QUERYBUF: return fc_query_buffer(node, argument);
    case VIDIOC_QBUF: return fc_queue_buffer(handle, argument);
    case VIDIOC_DQBUF: return fc_dequeue_buffer(handle, argument);
    case VIDIOC_EXPBUF: return fc_export_buffer(handle, argument);
    case VIDIOC_STREAMON: return *(uint32_t *)argument == fc_buffer_type(node) ? fc_stream_on(handle) : EINVAL;
    case VIDIOC_STREAMOFF:
      if (*(uint32_t *)argument != fc_buffer_type(node)) return EINVAL;
      if (node->owner && node->owner != handle) return EBUSY;
      return fc_stream_off(node);
    case VIDIOC_QUERYCTRL: case VIDIOC_QUERY_EXT_CTRL: case VIDIOC_QUERYMENU: case VIDIOC_G_CTRL: case VIDIOC_S_CTRL:
    case VIDIOC_G_EXT_CTRLS: case VIDIOC_S_EXT_CTRLS: case VIDIOC_TRY_EXT_CTRLS:
      return fc_control_ioctl(handle, request, argument);
    default: return ENOTTY; /* selection, cropping, standards, CREATE_BUFS: this driver has none */
  }
}

/* 0 or an errno. */
int fc_ioctl(struct fc_handle *handle, unsigned long request, void *argument) {
  struct fc_camera *camera = handle->node->camera;
  request &= 0xFFFFFFFF; /* a caller's int may have been sign-extended */
  if (!argument) return _IOC_SIZE(request) ? EFAULT : ENOTTY;
  pthread_mutex_lock(&camera->lock);
  int error = handle->lost ? ENODEV : ask(handle, request, argument);
  if (error == -1) error = move(handle, request, argument);
  pthread_mutex_unlock(&camera->lock);
  return error;
}
