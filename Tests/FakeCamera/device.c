/* The cameras, their nodes, and who has them open: descriptors, exclusive use, unplugging. */
#include "fakecamera.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define MAX_DESCRIPTORS 65536

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_rwlock_t registry = PTHREAD_RWLOCK_INITIALIZER;
static struct fc_node *nodes[FC_MAX_NODES];
static unsigned node_count;
static struct fc_handle *_Atomic handles[MAX_DESCRIPTORS];
static char config_path[PATH_MAX];
static atomic_int switched = -1; /* unknown until the constructor or the first call has looked */
static __thread bool loading;

/* After fork() the child has none of the threads: its copies of the descriptors are plain sockets. */
static void forget_all(void) {
  for (int i = 0; i < MAX_DESCRIPTORS; i++) atomic_store(&handles[i], NULL);
}

static void load(void) {
  loading = true;
  fc_read_config(config_path);
  pthread_atfork(NULL, NULL, forget_all);
  loading = false;
}

/* Only getenv() here: the file is read when somebody first looks at a camera's path. */
__attribute__((constructor)) static void look(void) {
  const char *path = getenv("FAKE_CAMERA");
  bool on = path && *path && realpath(path, config_path);
  if (path && *path && !on) fc_fail("FAKE_CAMERA=%s: %s", path, strerror(errno));
  atomic_store(&switched, on);
}

bool fc_enabled(void) {
  if (atomic_load_explicit(&switched, memory_order_relaxed) < 1 || loading) return false;
  pthread_once(&once, load);
  return true;
}

int64_t fc_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

struct fc_node *fc_add_node(struct fc_camera *camera, int number) {
  if (node_count == FC_MAX_NODES) fc_fail("more than %d nodes", FC_MAX_NODES);
  struct fc_node *node = calloc(1, sizeof *node);
  camera->nodes = realloc(camera->nodes, (camera->node_count + 1) * sizeof *camera->nodes);
  if (!node || !camera->nodes) fc_fail("out of memory for a node");
  for (unsigned i = 0; i < node_count; i++)
    if (nodes[i]->number == number) fc_fail("two devices at /dev/video%d", number);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&node->changed, &attributes);
  node->camera = camera;
  node->number = number;
  node->index = (int)camera->node_count;
  node->owner_socket = -1;
  camera->nodes[camera->node_count++] = node;
  nodes[node_count++] = node;
  return node;
}

/* What is plugged in again need not be what was pulled. */
static void come_back_changed(struct fc_camera *camera) {
  struct fc_faults *faults = &camera->faults;
  if (*faults->replug_serial) memcpy(camera->serial, faults->replug_serial, sizeof camera->serial);
  for (unsigned i = 0; i < faults->replug_refuse_count && faults->refuse_count < 16; i++)
    faults->refuse[faults->refuse_count++] = faults->replug_refuses[i];
  faults->replug_refuse_count = 0;
}

/* A pulled camera comes back after its time, perhaps under other numbers. */
static void maybe_replug(struct fc_camera *camera) {
  const struct fc_faults *faults = &camera->faults;
  pthread_mutex_lock(&camera->lock);
  bool due = camera->unplugged_at_ns && faults->replug_after_ms >= 0 &&
             fc_now() >= camera->unplugged_at_ns + faults->replug_after_ms * 1000000;
  if (due) {
    int shift = faults->replug_node < 0 ? 0 : faults->replug_node - camera->nodes[0]->number;
    for (unsigned i = 0; i < camera->node_count; i++) camera->nodes[i]->number += shift;
    camera->unplugged_at_ns = 0;
    come_back_changed(camera);
    fc_log(camera, "replug node=%d", camera->nodes[0]->number);
  }
  pthread_mutex_unlock(&camera->lock);
}

/* The file that a test keeps or removes is the plug, for all processes at once. */
static void follow_presence(struct fc_camera *camera) {
  if (!camera->presence) return;
  bool there = fc_real_exists(camera->presence);
  pthread_mutex_lock(&camera->lock);
  if (!there && !camera->unplugged_at_ns) fc_unplug(camera);
  if (there && camera->unplugged_at_ns) {
    camera->unplugged_at_ns = 0;
    fc_log(camera, "replug node=%d", camera->nodes[0]->number);
    fc_announce_return(camera);
  }
  pthread_mutex_unlock(&camera->lock);
}

static void refresh(void) {
  for (unsigned i = 0; i < node_count; i++)
    if (!nodes[i]->index) {
      maybe_replug(nodes[i]->camera);
      follow_presence(nodes[i]->camera);
    }
}

/* By position in the list; NULL past its end. */
struct fc_node *fc_node_at(unsigned position) {
  if (!position) refresh();
  return position < node_count ? nodes[position] : NULL;
}

struct fc_node *fc_find_node(int number) {
  refresh();
  for (unsigned i = 0; i < node_count; i++)
    if (nodes[i]->number == number) return nodes[i];
  return NULL;
}

bool fc_present(struct fc_node *node) {
  pthread_mutex_lock(&node->camera->lock);
  bool present = !node->camera->unplugged_at_ns;
  pthread_mutex_unlock(&node->camera->lock);
  return present;
}

struct fc_handle *fc_handle_of(int descriptor) {
  if (descriptor < 0 || descriptor >= MAX_DESCRIPTORS) return NULL;
  if (!atomic_load_explicit(&handles[descriptor], memory_order_acquire)) return NULL;
  pthread_rwlock_rdlock(&registry);
  struct fc_handle *handle = atomic_load(&handles[descriptor]);
  if (handle) atomic_fetch_add(&handle->references, 1);
  pthread_rwlock_unlock(&registry);
  return handle;
}

static void unlink_handle(struct fc_handle *handle) {
  struct fc_node *node = handle->node;
  struct fc_handle **link = &node->handles;
  while (*link && *link != handle) link = &(*link)->next;
  if (*link) *link = handle->next;
}

/* The last close: streaming ends, buffers go, the camera is free for others. */
void fc_release_handle(struct fc_handle *handle) {
  if (atomic_fetch_sub(&handle->references, 1) != 1) return;
  struct fc_node *node = handle->node;
  struct fc_camera *camera = node->camera;
  pthread_mutex_lock(&camera->lock);
  if (node->owner == handle) {
    fc_stream_off(node);
    fc_free_buffers(node);
    fc_disclaim(node);
  }
  unlink_handle(handle);
  fc_log(camera, "close node=%d", node->number);
  if (handle->peer >= 0) fc_real_close(handle->peer);
  fc_real_close(handle->own);
  pthread_mutex_unlock(&camera->lock);
  free(handle);
}

/* The lock is held. A camera that is busy for a while is so from the first time that somebody finds it busy. */
bool fc_is_busy(struct fc_camera *camera, enum fc_busy place) {
  const struct fc_faults *faults = &camera->faults;
  if (faults->busy != place) return false;
  if (faults->busy_for_ms <= 0) return true;
  if (!camera->busy_since_ns) camera->busy_since_ns = fc_now();
  return fc_now() < camera->busy_since_ns + faults->busy_for_ms * 1000000;
}

static int refusal(struct fc_camera *camera) {
  if (camera->unplugged_at_ns) return ENOENT;
  if (camera->faults.permission) return EACCES;
  return fc_is_busy(camera, FC_BUSY_OPEN) ? EBUSY : 0;
}

static struct fc_handle *handle_on(struct fc_node *node, const int pair[2]) {
  struct fc_handle *handle = calloc(1, sizeof *handle);
  if (!handle) fc_fail("out of memory for a descriptor");
  fcntl(pair[1], F_SETFD, FD_CLOEXEC);
  fcntl(pair[1], F_SETFL, O_NONBLOCK);
  send(pair[0], "", 1, MSG_NOSIGNAL); /* never read: see fc_unplug */
  handle->node = node;
  handle->peer = pair[1];
  handle->own = fcntl(pair[0], F_DUPFD_CLOEXEC, 0);
  handle->priority = V4L2_PRIORITY_INTERACTIVE;
  atomic_init(&handle->references, 1);
  handle->next = node->handles;
  node->handles = handle;
  fc_log(node->camera, "open node=%d", node->number);
  return handle;
}

int fc_open_node(struct fc_node *node, int flags) {
  int pair[2];
  int wanted = SOCK_STREAM | (flags & O_CLOEXEC ? SOCK_CLOEXEC : 0) | (flags & O_NONBLOCK ? SOCK_NONBLOCK : 0);
  if (socketpair(AF_UNIX, wanted, 0, pair) < 0) return -1;
  pthread_mutex_lock(&node->camera->lock);
  int error = pair[0] < MAX_DESCRIPTORS ? refusal(node->camera) : EMFILE;
  struct fc_handle *handle = error ? NULL : handle_on(node, pair);
  pthread_mutex_unlock(&node->camera->lock);
  if (error) {
    fc_real_close(pair[0]);
    fc_real_close(pair[1]);
    errno = error;
    return -1;
  }
  pthread_rwlock_wrlock(&registry);
  atomic_store(&handles[pair[0]], handle);
  pthread_rwlock_unlock(&registry);
  return pair[0];
}

bool fc_duplicate(int from, int to) {
  if (to < 0 || to >= MAX_DESCRIPTORS) return false;
  struct fc_handle *handle = fc_handle_of(from); /* this reference belongs to the copy from now on */
  if (!handle) return false;
  pthread_rwlock_wrlock(&registry);
  atomic_store(&handles[to], handle);
  pthread_rwlock_unlock(&registry);
  return true;
}

/* Called before the real close(), so that a reused number is never taken for the camera. */
void fc_forget(int descriptor) {
  if (descriptor < 0 || descriptor >= MAX_DESCRIPTORS) return;
  if (!atomic_load_explicit(&handles[descriptor], memory_order_acquire)) return;
  pthread_rwlock_wrlock(&registry);
  struct fc_handle *handle = atomic_exchange(&handles[descriptor], NULL);
  pthread_rwlock_unlock(&registry);
  if (handle) fc_release_handle(handle);
}

/* The camera's lock is held. A peer closed with a byte unread makes poll() say POLLERR | POLLHUP, as a driver does. */
void fc_unplug(struct fc_camera *camera) {
  camera->unplugged_at_ns = fc_now();
  camera->unplugs++;
  fc_log(camera, "unplug");
  for (unsigned i = 0; i < camera->node_count; i++) {
    struct fc_node *node = camera->nodes[i];
    for (struct fc_handle *handle = node->handles; handle; handle = handle->next) {
      handle->lost = true;
      if (handle->peer >= 0) fc_real_close(handle->peer);
      handle->peer = -1;
    }
    pthread_cond_broadcast(&node->changed);
  }
  fc_announce_unplug(camera);
}

uint32_t fc_config_mark(void) {
  uint32_t value = 2166136261u;
  for (const char *text = config_path; *text; text++) value = (value ^ (uint8_t)*text) * 16777619u;
  return value;
}

/* Exclusive use, also between processes: an abstract socket name that only one can bind and that dies with it. */
int fc_claim(struct fc_handle *handle) {
  struct fc_node *node = handle->node;
  if (node->owner) return node->owner == handle ? 0 : EBUSY;
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "fakecamera-%08x-%d-%d", fc_config_mark(),
                        node->camera->nodes[0]->number, node->index);
  int claim = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
  if (bind(claim, (struct sockaddr *)&name, size) < 0) {
    fc_real_close(claim);
    return EBUSY;
  }
  node->owner = handle;
  node->owner_socket = claim;
  return 0;
}

void fc_disclaim(struct fc_node *node) {
  if (node->owner_socket >= 0) fc_real_close(node->owner_socket);
  node->owner_socket = -1;
  node->owner = NULL;
}

/* One line per event, so that a test can ask what was done to the camera. */
void fc_log(const struct fc_camera *camera, const char *format, ...) {
  if (!camera->log) return;
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  int length = snprintf(line, sizeof line, "%.6f %d ", (double)fc_now() / 1e9, (int)getpid());
  length += vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
  va_end(arguments);
  if (length > (int)sizeof line - 2) length = sizeof line - 2;
  line[length++] = '\n';
  int file = fc_real_open(camera->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, line, (size_t)length) < 0) fc_fail("cannot write %s: %s", camera->log, strerror(errno));
  fc_real_close(file);
}
