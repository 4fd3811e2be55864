/* What udev keeps of a camera where it runs: the links below /dev/v4l, and the socket by which it is known to be there. */
#include "interpose.h"

#include <stdio.h>
#include <string.h>

#define BY_ID "/dev/v4l/by-id/"
#define BY_PATH "/dev/v4l/by-path/"

/* Vendor, card with underscores, serial number where there is one: two cameras can be called the same. */
static void id_of(const struct fc_node *node, char *out, size_t room) {
  const struct fc_camera *camera = node->camera;
  char card[sizeof camera->card];
  memcpy(card, camera->card, sizeof card);
  for (char *at = card; *at; at++)
    if (*at == ' ' || *at == '/') *at = '_';
  snprintf(out, room, "usb-%s_%s%s%s-video-index%d", camera->vendor, card, *camera->serial ? "_" : "", camera->serial, node->index);
}

/* usb-0000:00:14.0-3 is port 3 of the controller pci-0000:00:14.0. */
static void path_of(const struct fc_node *node, char *out, size_t room) {
  const char *bus = node->camera->bus_info, *port = strrchr(bus, '-');
  if (!strncmp(bus, "usb-", 4) && port > bus + 3)
    snprintf(out, room, "pci-%.*s-usb-0:%s:1.0-video-index%d", (int)(port - bus - 4), bus + 4, port + 1, node->index);
  else snprintf(out, room, "platform-%s-video-index%d", bus, node->index);
}

bool fc_link_name(const struct fc_node *node, enum fc_folder folder, char *out, size_t room) {
  if (folder == FC_BY_ID && !*node->camera->vendor) return false; /* only USB devices have one */
  if (folder == FC_BY_ID) id_of(node, out, room);
  else path_of(node, out, room);
  return true;
}

enum fc_folder fc_link_folder(const char *path) {
  size_t length = path ? strlen(path) : 0;
  while (length > 1 && path[length - 1] == '/') length--;
  static const struct {
    const char *path;
    enum fc_folder folder;
  } folders[] = {{"/dev/v4l", FC_V4L}, {"/dev/v4l/by-id", FC_BY_ID}, {"/dev/v4l/by-path", FC_BY_PATH}};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (strlen(folders[i].path) == length && !strncmp(path, folders[i].path, length) && fc_enabled() && fc_has_udev()) return folders[i].folder;
  return FC_NO_FOLDER;
}

/* Where several cameras want one name, the last of them has it, as with udev. */
struct fc_node *fc_node_of_link(const char *path) {
  enum fc_folder folder = !path ? FC_NO_FOLDER
                          : !strncmp(path, BY_ID, sizeof BY_ID - 1)     ? FC_BY_ID
                          : !strncmp(path, BY_PATH, sizeof BY_PATH - 1) ? FC_BY_PATH
                                                                        : FC_NO_FOLDER;
  if (folder == FC_NO_FOLDER || !fc_enabled() || !fc_has_udev()) return NULL;
  const char *name = strrchr(path, '/') + 1;
  char own[160];
  struct fc_node *node, *found = NULL;
  for (unsigned i = 0; (node = fc_node_at(i)); i++)
    if (fc_present(node) && fc_link_name(node, folder, own, sizeof own) && !strcmp(own, name)) found = node;
  return found;
}

/* Links and folders have no node of their own; /run/udev/control is there for a look, not to be opened. */
mode_t fc_extra_mode(const char *path, bool follows) {
  if (!path || (*path != '/') || (strncmp(path, "/dev/v4l", 8) && strcmp(path, "/run/udev/control"))) return 0;
  if (!fc_enabled() || !fc_has_udev()) return 0;
  if (!strcmp(path, "/run/udev/control")) return S_IFSOCK | 0600;
  if (fc_link_folder(path) != FC_NO_FOLDER) return S_IFDIR | 0755;
  return !follows && fc_node_of_link(path) ? S_IFLNK | 0777 : 0;
}
