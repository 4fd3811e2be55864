/* For the files that stand in for libc's functions: how to export one, how to reach the one beneath. */
#ifndef FAKECAMERA_INTERPOSE_H
#define FAKECAMERA_INTERPOSE_H

#include "fakecamera.h"

#include <dlfcn.h>
#include <sys/stat.h>

#define FC_EXPORT __attribute__((visibility("default")))

/* Declares real_NAME, and fc_load_NAME() which finds it on first use. */
#define FC_REAL(result, name, ...)                                                       \
  static result (*_Atomic real_##name)(__VA_ARGS__);                                     \
  static inline void fc_load_##name(void) {                                              \
    if (!real_##name) real_##name = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name);     \
  }

/* The camera's node that a path names, or NULL: a plain path costs one comparison of its first letters. */
struct fc_node *fc_node_of_path(int directory, const char *path);
int fc_open_sysfs(const char *path);
bool fc_sysfs_link(const char *path, char *out, size_t room);

/* links.c */
enum fc_folder { FC_NO_FOLDER, FC_DEV, FC_V4L, FC_BY_ID, FC_BY_PATH };
enum fc_folder fc_link_folder(const char *path);
bool fc_link_name(const struct fc_node *node, enum fc_folder folder, char *out, size_t room);
struct fc_node *fc_node_of_link(const char *path);
mode_t fc_extra_mode(const char *path, bool follows);
void fc_fill_stat(const struct fc_node *node, struct stat *out);

#endif
