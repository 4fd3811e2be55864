/* Shows the cameras to GUdev's users, so that GStreamer's device monitor lists them and sees them come and go.
 *
 * GLib is not linked: the library must load into any program. Its functions are found only once GUdev is in the process. */
#include "interpose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CLIENTS 16

typedef struct _GList GList;

/* GUdev came with a plug-in, outside the scope that RTLD_NEXT searches: it and what it needs are asked by handle. */
static void *library(void) {
  static void *_Atomic handle;
  if (!handle) handle = dlopen("libgudev-1.0.so.0", RTLD_LAZY | RTLD_NOLOAD);
  return handle;
}

#define GLIB(result, name, ...) ((result(*)(__VA_ARGS__))dlsym(library(), #name))

/* Who wants to hear of changes, and the main context in which they want it. */
static struct {
  void *client, *context;
} clients[MAX_CLIENTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct facts { /* what a GUdevDevice of ours says; it outlives the node's number */
  char file[32], path[128], product[32], place[32], capabilities[16], vendor[8], model[8], serial[32];
};

static const struct facts *facts_of(void *device) {
  return GLIB(void *, g_object_get_data, void *, const char *)(device, "fakecamera");
}

static void *device_of(const struct fc_node *node) {
  struct facts *facts = calloc(1, sizeof *facts);
  if (!facts) fc_fail("out of memory for a udev device");
  const struct fc_camera *camera = node->camera;
  bool captures = node->caps & (V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_CAPTURE_MPLANE);
  snprintf(facts->file, sizeof facts->file, "/dev/video%d", node->number);
  snprintf(facts->path, sizeof facts->path, "/sys/devices/%s/video4linux/video%d", camera->bus_info, node->number);
  memcpy(facts->product, camera->card, sizeof facts->product);
  memcpy(facts->place, camera->bus_info, sizeof facts->place);
  memcpy(facts->vendor, camera->vendor, sizeof facts->vendor);
  memcpy(facts->model, camera->product, sizeof facts->model);
  memcpy(facts->serial, camera->serial, sizeof facts->serial);
  snprintf(facts->capabilities, sizeof facts->capabilities, captures ? ":capture:" : ":");
  unsigned long type = GLIB(unsigned long, g_udev_device_get_type, void)();
  void *device = GLIB(void *, g_object_new, unsigned long, const char *, ...)(type, NULL);
  GLIB(void, g_object_set_data_full, void *, const char *, void *, void (*)(void *))(device, "fakecamera", facts, free);
  return device;
}

static void forget_client(void *unused, void *client) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MAX_CLIENTS; i++)
    if (clients[i].client == client) clients[i].client = NULL;
  pthread_mutex_unlock(&lock);
}

/* A camera whose plug is a file is noticed by looking. */
static int look(void *unused) {
  (void)unused;
  fc_find_node(-1);
  return 1;
}

static void look_regularly(void *context) {
  void *source = GLIB(void *, g_timeout_source_new, unsigned)(100);
  GLIB(void, g_source_set_callback, void *, int (*)(void *), void *, void *)(source, look, NULL, NULL);
  GLIB(unsigned, g_source_attach, void *, void *)(source, context);
  GLIB(void, g_source_unref, void *)(source);
}

static void tell(void *client, void *context, struct fc_node *node, bool removed, unsigned delay);

/* Whoever begins to listen while a camera is away hears of its return too. */
static void promise_return(void *client, void *context) {
  struct fc_node *node;
  for (unsigned i = 0; (node = fc_node_at(i)); i++) {
    struct fc_camera *camera = node->camera;
    pthread_mutex_lock(&camera->lock);
    int64_t left = camera->unplugged_at_ns / 1000000 + camera->faults.replug_after_ms - fc_now() / 1000000;
    bool awaited = camera->unplugged_at_ns && camera->faults.replug_after_ms >= 0;
    pthread_mutex_unlock(&camera->lock);
    if (awaited) tell(client, context, node, false, (unsigned)(left > 0 ? left : 0) + 50);
  }
}

FC_EXPORT void *g_udev_client_new(const char *const *subsystems) {
  void *client = GLIB(void *, g_udev_client_new, const char *const *)(subsystems);
  if (!fc_enabled()) return client;
  promise_return(client, GLIB(void *, g_main_context_get_thread_default, void)());
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MAX_CLIENTS; i++)
    if (!clients[i].client) {
      clients[i].client = client;
      clients[i].context = GLIB(void *, g_main_context_ref_thread_default, void)();
      look_regularly(clients[i].context);
      break;
    }
  pthread_mutex_unlock(&lock);
  GLIB(void, g_object_weak_ref, void *, void (*)(void *, void *), void *)(client, forget_client, NULL);
  return client;
}

FC_EXPORT GList *g_udev_client_query_by_subsystem(void *client, const char *subsystem) {
  GList *list = GLIB(GList *, g_udev_client_query_by_subsystem, void *, const char *)(client, subsystem);
  if (!subsystem || strcmp(subsystem, "video4linux") || !fc_enabled()) return list;
  struct fc_node *node;
  for (unsigned i = 0; (node = fc_node_at(i)); i++)
    if (fc_present(node)) list = GLIB(GList *, g_list_append, GList *, void *)(list, device_of(node));
  return list;
}

FC_EXPORT const char *g_udev_device_get_device_file(void *device) {
  const struct facts *facts = facts_of(device);
  return facts ? facts->file : GLIB(const char *, g_udev_device_get_device_file, void *)(device);
}

FC_EXPORT const char *g_udev_device_get_sysfs_path(void *device) {
  const struct facts *facts = facts_of(device);
  return facts ? facts->path : GLIB(const char *, g_udev_device_get_sysfs_path, void *)(device);
}

FC_EXPORT const char *g_udev_device_get_property(void *device, const char *key) {
  const struct facts *facts = facts_of(device);
  if (!facts) return GLIB(const char *, g_udev_device_get_property, void *, const char *)(device, key);
  const struct {
    const char *key, *value;
  } known[] = {{"ID_V4L_PRODUCT", facts->product}, {"ID_V4L_CAPABILITIES", facts->capabilities}, {"ID_V4L_VERSION", "2"},
               {"ID_PATH", facts->place},          {"SUBSYSTEM", "video4linux"},                 {"DEVNAME", facts->file},
               {"ID_VENDOR_ID", facts->vendor},    {"ID_MODEL_ID", facts->model},                    {"ID_SERIAL", facts->serial}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(key, known[i].key)) return *known[i].value ? known[i].value : NULL;
  return NULL;
}

FC_EXPORT int g_udev_device_get_property_as_int(void *device, const char *key) {
  if (!facts_of(device)) return GLIB(int, g_udev_device_get_property_as_int, void *, const char *)(device, key);
  const char *value = g_udev_device_get_property(device, key);
  return value ? atoi(value) : 0;
}

struct change {
  void *client, *device;
  struct fc_node *node;
};

/* Runs in the client's own main context, as GUdev does it. */
static int announce(void *argument) {
  struct change *change = argument;
  const char *action = change->device ? "remove" : "add";
  fc_find_node(-1); /* lets a pulled camera come back when its time is over */
  if (!change->device) change->device = device_of(change->node);
  GLIB(void, g_signal_emit_by_name, void *, const char *, ...)(change->client, "uevent", action, change->device);
  GLIB(void, g_object_unref, void *)(change->device);
  GLIB(void, g_object_unref, void *)(change->client);
  free(change);
  return 0;
}

static void tell(void *client, void *context, struct fc_node *node, bool removed, unsigned delay) {
  struct change *change = calloc(1, sizeof *change);
  if (!change) fc_fail("out of memory for a udev event");
  change->client = GLIB(void *, g_object_ref, void *)(client);
  change->node = node;
  change->device = removed ? device_of(node) : NULL;
  void *source = GLIB(void *, g_timeout_source_new, unsigned)(delay);
  GLIB(void, g_source_set_callback, void *, int (*)(void *), void *, void *)(source, announce, change, NULL);
  GLIB(unsigned, g_source_attach, void *, void *)(source, context);
  GLIB(void, g_source_unref, void *)(source);
}

/* The camera's lock is held. */
void fc_announce_return(struct fc_camera *camera) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MAX_CLIENTS; i++)
    for (unsigned n = 0; clients[i].client && n < camera->node_count; n++)
      tell(clients[i].client, clients[i].context, camera->nodes[n], false, 0);
  pthread_mutex_unlock(&lock);
}

/* Called with the camera's lock held, just after it was pulled: nothing here calls back into the program. */
void fc_announce_unplug(struct fc_camera *camera) {
  int64_t back = camera->faults.replug_after_ms;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MAX_CLIENTS; i++)
    for (unsigned n = 0; clients[i].client && n < camera->node_count; n++) {
      tell(clients[i].client, clients[i].context, camera->nodes[n], true, 0);
      if (back >= 0) tell(clients[i].client, clients[i].context, camera->nodes[n], false, (unsigned)back + 50);
    }
  pthread_mutex_unlock(&lock);
}
