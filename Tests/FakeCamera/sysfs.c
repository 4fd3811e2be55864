/* The few files of /sys that tools read about a camera: /sys/dev/char/81:N and /sys/class/video4linux/videoN. */
#include "interpose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/xattr.h>
#include <unistd.h>

FC_REAL(FILE *, fopen, const char *, const char *)
FC_REAL(ssize_t, getxattr, const char *, const char *, void *, size_t)
FC_REAL(ssize_t, lgetxattr, const char *, const char *, void *, size_t)

static struct fc_node *node_of(const char *path, const char **attribute) {
  int number = -1, used = 0;
  bool mine = !strncmp(path, "/sys/", 5) && (sscanf(path, "/sys/dev/char/81:%d/%n", &number, &used) == 1 ||
                                             sscanf(path, "/sys/class/video4linux/video%d/%n", &number, &used) == 1);
  if (!mine || !used || !fc_enabled()) return NULL;
  struct fc_node *node = fc_find_node(number);
  *attribute = path + used;
  return node && fc_present(node) ? node : NULL;
}

static bool text_of(const struct fc_node *node, const char *attribute, char *out, size_t room) {
  if (!strcmp(attribute, "uevent"))
    snprintf(out, room, "MAJOR=81\nMINOR=%d\nDEVNAME=video%d\n", node->number, node->number);
  else if (!strcmp(attribute, "name")) snprintf(out, room, "%s\n", node->camera->card);
  else if (!strcmp(attribute, "index")) snprintf(out, room, "%d\n", node->index);
  else if (!strcmp(attribute, "dev")) snprintf(out, room, "81:%d\n", node->number);
  else if (!strcmp(attribute, "device/../idVendor")) snprintf(out, room, "%s\n", node->camera->vendor);
  else if (!strcmp(attribute, "device/../idProduct")) snprintf(out, room, "%s\n", node->camera->product);
  else if (!strcmp(attribute, "device/../serial")) snprintf(out, room, "%s\n", node->camera->serial);
  else return false;
  return out[0] != '\n';
}

/* A descriptor of the file's text, or -1 when the path is not one of ours. */
int fc_open_sysfs(const char *path) {
  const char *attribute;
  char text[128];
  struct fc_node *node = node_of(path, &attribute);
  if (!node || !text_of(node, attribute, text, sizeof text)) return -1;
  int descriptor = memfd_create("fakecamera-sysfs", MFD_CLOEXEC);
  if (descriptor < 0 || write(descriptor, text, strlen(text)) < 0) return -1;
  lseek(descriptor, 0, SEEK_SET);
  return descriptor;
}

/* The interface that a node belongs to; nodes of one camera share the device above it. */
bool fc_sysfs_link(const char *path, char *out, size_t room) {
  const char *attribute, *class = "/sys/class/video4linux/video";
  char folder[128];
  if (!path || strncmp(path, class, strlen(class)) || strlen(path) > sizeof folder - 2) return false;
  snprintf(folder, sizeof folder, "%s", path);
  struct fc_node *node = node_of(folder, &attribute);
  if (!node || strcmp(attribute, "device")) return false;
  snprintf(out, room, "/sys/devices/%s/%s:1.0", node->camera->bus_info, node->camera->bus_info);
  return true;
}

FC_EXPORT FILE *fopen(const char *path, const char *mode) {
  int descriptor = fc_open_sysfs(path);
  if (descriptor >= 0) return fdopen(descriptor, "r");
  fc_load_fopen();
  return real_fopen(path, mode);
}

FC_EXPORT FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

/* `ls -l` asks for access lists. */
FC_EXPORT ssize_t getxattr(const char *path, const char *name, void *out, size_t room) {
  fc_load_getxattr();
  if (!fc_node_of_path(AT_FDCWD, path)) return real_getxattr(path, name, out, room);
  errno = ENODATA;
  return -1;
}

FC_EXPORT ssize_t lgetxattr(const char *path, const char *name, void *out, size_t room) {
  fc_load_lgetxattr();
  if (!fc_node_of_path(AT_FDCWD, path)) return real_lgetxattr(path, name, out, room);
  errno = ENODATA;
  return -1;
}
