/* Reads FAKE_CAMERA's JSON file: which nodes there are, from which table, with which colour, controls and faults. */
#include "fakecamera.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A test with a broken configuration must not go on as if there were no camera. */
void fc_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("fakecamera: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  _exit(97);
}

char *fc_read_text(const char *path) {
  int descriptor = fc_real_open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fc_fail("cannot open %s: %s", path, strerror(errno));
  size_t used = 0, room = 1 << 16;
  char *text = malloc(room + 1);
  for (ssize_t got; text && (got = read(descriptor, text + used, room - used)) > 0;) {
    used += (size_t)got;
    if (used == room) text = realloc(text, (room *= 2) + 1);
  }
  fc_real_close(descriptor);
  if (!text) fc_fail("out of memory reading %s", path);
  text[used] = 0;
  return text;
}

static bool udev_runs;

bool fc_has_udev(void) { return udev_runs; }

static cJSON *parse(const char *path) {
  char *text = fc_read_text(path);
  cJSON *json = cJSON_Parse(text);
  if (!json) fc_fail("%s is not JSON, near: %.40s", path, cJSON_GetErrorPtr() ? cJSON_GetErrorPtr() : "");
  free(text);
  return json;
}

static void beside(const char *config, const char *name, char out[PATH_MAX]) {
  const char *slash = strrchr(config, '/');
  if (name[0] == '/' || !slash)
    snprintf(out, PATH_MAX, "%s", name);
  else
    snprintf(out, PATH_MAX, "%.*s/%s", (int)(slash - config), config, name);
}

static char *path_field(const char *config, const cJSON *device, const char *key) {
  const cJSON *field = cJSON_GetObjectItemCaseSensitive(device, key);
  char path[PATH_MAX];
  if (!cJSON_IsString(field)) return NULL;
  beside(config, field->valuestring, path);
  return strdup(path);
}

static void check_keys(const cJSON *object, const char *what, const char *const known[]) {
  for (const cJSON *field = object ? object->child : NULL; field; field = field->next) {
    bool found = false;
    for (int i = 0; known[i] && !found; i++) found = !strcmp(known[i], field->string);
    if (!found) fc_fail("unknown field \"%s\" in %s", field->string, what);
  }
}

static void copy(char *out, size_t room, const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (cJSON_IsString(item)) snprintf(out, room, "%s", item->valuestring);
}

/* What tells two cameras of one model apart. */
static void read_identity(const cJSON *device, struct fc_camera *camera) {
  static const char *const keys[] = {"idVendor", "idProduct", "serial", NULL};
  const cJSON *usb = cJSON_GetObjectItemCaseSensitive(device, "usb");
  check_keys(usb, "\"usb\"", keys);
  copy(camera->vendor, sizeof camera->vendor, usb, "idVendor");
  copy(camera->product, sizeof camera->product, usb, "idProduct");
  copy(camera->serial, sizeof camera->serial, usb, "serial");
  copy(camera->bus_info, sizeof camera->bus_info, device, "bus_info");
  copy(camera->card, sizeof camera->card, device, "card");
}

static void read_device(const char *path, const cJSON *device) {
  static const char *const keys[] = {"node", "table", "color", "faults", "controls", "noise", "picture",
                                     "log", "controlState", "bus_info", "card", "usb", "presentWhile", NULL};
  check_keys(device, "a device", keys);
  const cJSON *number = cJSON_GetObjectItemCaseSensitive(device, "node");
  const cJSON *table = cJSON_GetObjectItemCaseSensitive(device, "table");
  cJSON *loaded = NULL;
  struct fc_camera *camera = calloc(1, sizeof *camera);
  if (!camera) fc_fail("out of memory");
  pthread_mutex_init(&camera->lock, NULL);
  if (cJSON_IsString(table)) {
    char name[PATH_MAX];
    beside(path, table->valuestring, name);
    table = loaded = parse(name);
  }
  if (!cJSON_IsObject(table)) fc_fail("%s: a device needs \"table\": a file name or an object", path);
  fc_read_faults(cJSON_GetObjectItemCaseSensitive(device, "faults"), &camera->faults);
  fc_read_table(table, camera, cJSON_IsNumber(number) ? number->valueint : 0);
  for (unsigned i = 0; i < camera->node_count; i++)
    fc_read_color(cJSON_GetObjectItemCaseSensitive(device, "color"), &camera->nodes[i]->color);
  fc_read_controls(cJSON_GetObjectItemCaseSensitive(device, "controls"), camera);
  camera->picture = fc_read_picture(device);
  camera->log = path_field(path, device, "log");
  camera->control_state = path_field(path, device, "controlState");
  camera->presence = path_field(path, device, "presentWhile");
  read_identity(device, camera);
  cJSON_Delete(loaded);
}

void fc_read_config(const char *path) {
  static const char *const keys[] = {"devices", "udev", NULL};
  cJSON *config = parse(path);
  check_keys(config, "the configuration", keys);
  udev_runs = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(config, "udev"));
  const cJSON *devices = cJSON_GetObjectItemCaseSensitive(config, "devices"), *device;
  if (!cJSON_IsArray(devices)) fc_fail("%s: needs an array \"devices\"", path);
  cJSON_ArrayForEach(device, devices) read_device(path, device);
  cJSON_Delete(config);
}
