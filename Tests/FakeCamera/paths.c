/* Stands in for libc's calls that take a path, so that /dev/videoN is there: open, stat, access, readlink, realpath. */
#include "interpose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define VIDEO_MAJOR 81
#define VIDEO_GROUP 44

FC_REAL(int, open, const char *, int, ...)
FC_REAL(int, openat, int, const char *, int, ...)
FC_REAL(int, access, const char *, int)
FC_REAL(int, faccessat, int, const char *, int, int)
FC_REAL(int, fstatat, int, const char *, struct stat *, int)
FC_REAL(int, fstat, int, struct stat *)
FC_REAL(int, statx, int, const char *, int, unsigned, struct statx *)
FC_REAL(ssize_t, readlink, const char *, char *, size_t)
FC_REAL(ssize_t, readlinkat, int, const char *, char *, size_t)
FC_REAL(char *, realpath, const char *, char *)

int fc_real_open(const char *path, int flags) {
  fc_load_open();
  return real_open(path, flags, 0666);
}

bool fc_real_exists(const char *path) {
  fc_load_access();
  return !real_access(path, F_OK);
}

static bool is_dev(int directory) {
  struct stat here, dev;
  fc_load_fstatat();
  fc_load_fstat();
  bool got = directory == AT_FDCWD ? !real_fstatat(AT_FDCWD, ".", &here, 0) : !real_fstat(directory, &here);
  return got && !real_fstatat(AT_FDCWD, "/dev", &dev, 0) && here.st_ino == dev.st_ino && here.st_dev == dev.st_dev;
}

static int number_in(const char *name) {
  if (strncmp(name, "video", 5) || name[5] < '0' || name[5] > '9') return -1;
  char *end;
  long number = strtol(name + 5, &end, 10);
  return *end || number > 255 ? -1 : (int)number;
}

struct fc_node *fc_node_of_path(int directory, const char *path) {
  if (!path) return NULL;
  bool absolute = !strncmp(path, "/dev/", 5);
  const char *name = absolute ? path + 5 : path;
  while (absolute && *name == '/') name++;
  if (*name != 'v') return NULL;
  if (absolute && !strncmp(name, "v4l/", 4)) return fc_node_of_link(path);
  int number = number_in(name);
  if (number < 0 || !fc_enabled() || (!absolute && !is_dev(directory))) return NULL;
  return fc_find_node(number);
}

void fc_fill_stat(const struct fc_node *node, struct stat *out) {
  memset(out, 0, sizeof *out);
  out->st_mode = S_IFCHR | 0660;
  out->st_gid = VIDEO_GROUP;
  out->st_rdev = makedev(VIDEO_MAJOR, (unsigned)node->number);
  out->st_dev = makedev(0, 6);
  out->st_ino = 500 + (ino_t)node->number;
  out->st_nlink = 1;
  out->st_blksize = 4096;
}

/* True when the path is a camera's: `result` and errno are then set. */
static bool opened(int directory, const char *path, int flags, int *result) {
  struct fc_node *node = fc_node_of_path(directory, path);
  if (!node) return (*result = fc_open_sysfs(path)) >= 0;
  *result = -1;
  errno = ENOENT;
  if (fc_present(node)) *result = fc_open_node(node, flags);
  return true;
}

static bool checked(int directory, const char *path, int mode, int *result) {
  if (fc_extra_mode(path, true)) return *result = 0, true;
  struct fc_node *node = fc_node_of_path(directory, path);
  if (!node) return false;
  errno = !fc_present(node) ? ENOENT : mode != F_OK && node->camera->faults.permission ? EACCES : mode & X_OK ? EACCES : 0;
  *result = errno ? -1 : 0;
  return true;
}

static bool looked_at(int directory, const char *path, int flags, struct stat *out, int *result) {
  mode_t extra = fc_extra_mode(path, !(flags & AT_SYMLINK_NOFOLLOW));
  if (extra) {
    memset(out, 0, sizeof *out);
    out->st_mode = extra;
    out->st_nlink = 1;
    return *result = 0, true;
  }
  struct fc_node *node = fc_node_of_path(directory, path);
  if (!node) return false;
  *result = fc_present(node) ? 0 : -1;
  if (*result) errno = ENOENT;
  else fc_fill_stat(node, out);
  return true;
}

static bool looked_into(int descriptor, struct stat *out) {
  struct fc_handle *handle = fc_handle_of(descriptor);
  if (!handle) return false;
  fc_fill_stat(handle->node, out);
  fc_release_handle(handle);
  return true;
}

static mode_t mode_of(int flags, va_list arguments) {
  return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name)                                        \
  FC_EXPORT int name(const char *path, int flags, ...) {  \
    va_list arguments;                                    \
    va_start(arguments, flags);                           \
    mode_t mode = mode_of(flags, arguments);              \
    va_end(arguments);                                    \
    int result;                                           \
    if (opened(AT_FDCWD, path, flags, &result)) return result; \
    fc_load_open();                                       \
    return real_open(path, flags, mode);                  \
  }
#define OPENAT(name)                                                     \
  FC_EXPORT int name(int directory, const char *path, int flags, ...) { \
    va_list arguments;                                                   \
    va_start(arguments, flags);                                          \
    mode_t mode = mode_of(flags, arguments);                             \
    va_end(arguments);                                                   \
    int result;                                                          \
    if (opened(directory, path, flags, &result)) return result;          \
    fc_load_openat();                                                    \
    return real_openat(directory, path, flags, mode);                    \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* What a fortified program calls in their place. */
FC_EXPORT int __open_2(const char *path, int flags) { return open(path, flags); }
FC_EXPORT int __open64_2(const char *path, int flags) { return open(path, flags); }
FC_EXPORT int __openat_2(int directory, const char *path, int flags) { return openat(directory, path, flags); }
FC_EXPORT int __openat64_2(int directory, const char *path, int flags) { return openat(directory, path, flags); }

FC_EXPORT int fstatat(int directory, const char *path, struct stat *out, int flags) {
  int result;
  if (flags & AT_EMPTY_PATH && !*path && looked_into(directory, out)) return 0;
  if (looked_at(directory, path, flags, out, &result)) return result;
  fc_load_fstatat();
  return real_fstatat(directory, path, out, flags);
}

FC_EXPORT int fstat(int descriptor, struct stat *out) {
  if (looked_into(descriptor, out)) return 0;
  fc_load_fstat();
  return real_fstat(descriptor, out);
}

/* On 64-bit Linux all these see the same struct, under glibc's old and new names. */
#define SAME(type) (struct stat *)(type)
FC_EXPORT int stat(const char *path, struct stat *out) { return fstatat(AT_FDCWD, path, out, 0); }
FC_EXPORT int lstat(const char *path, struct stat *out) { return fstatat(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW); }
FC_EXPORT int stat64(const char *path, struct stat64 *out) { return stat(path, SAME(out)); }
FC_EXPORT int lstat64(const char *path, struct stat64 *out) { return lstat(path, SAME(out)); }
FC_EXPORT int fstat64(int descriptor, struct stat64 *out) { return fstat(descriptor, SAME(out)); }
FC_EXPORT int fstatat64(int directory, const char *path, struct stat64 *out, int flags) {
  return fstatat(directory, path, SAME(out), flags);
}
#define OLD(name, type)                                                                      \
  FC_EXPORT int __x##name(int version, const char *path, type *out) {                       \
    return (void)version, stat(path, SAME(out));                                             \
  }                                                                                          \
  FC_EXPORT int __lx##name(int version, const char *path, type *out) {                      \
    return (void)version, lstat(path, SAME(out));                                            \
  }                                                                                          \
  FC_EXPORT int __fx##name(int version, int descriptor, type *out) {                        \
    return (void)version, fstat(descriptor, SAME(out));                                      \
  }
OLD(stat, struct stat)
OLD(stat64, struct stat64)
FC_EXPORT int __fxstatat(int version, int directory, const char *path, struct stat *out, int flags) {
  return (void)version, fstatat(directory, path, out, flags);
}
FC_EXPORT int __fxstatat64(int version, int directory, const char *path, struct stat64 *out, int flags) {
  return (void)version, fstatat(directory, path, SAME(out), flags);
}

static void widen(const struct stat *in, struct statx *out) {
  memset(out, 0, sizeof *out);
  out->stx_mask = STATX_BASIC_STATS;
  out->stx_mode = (uint16_t)in->st_mode;
  out->stx_gid = in->st_gid;
  out->stx_nlink = 1;
  out->stx_ino = in->st_ino;
  out->stx_blksize = 4096;
  out->stx_rdev_major = major(in->st_rdev), out->stx_rdev_minor = minor(in->st_rdev);
  out->stx_dev_minor = 6;
}

FC_EXPORT int statx(int directory, const char *path, int flags, unsigned mask, struct statx *out) {
  struct stat found;
  int result = 0;
  bool empty = flags & AT_EMPTY_PATH && !*path;
  if ((empty && looked_into(directory, &found)) || looked_at(directory, path, flags, &found, &result)) {
    if (!result) widen(&found, out);
    return result;
  }
  fc_load_statx();
  return real_statx(directory, path, flags, mask, out);
}

FC_EXPORT int access(const char *path, int mode) {
  int result;
  if (checked(AT_FDCWD, path, mode, &result)) return result;
  fc_load_access();
  return real_access(path, mode);
}

FC_EXPORT int eaccess(const char *path, int mode) { return access(path, mode); }
FC_EXPORT int euidaccess(const char *path, int mode) { return access(path, mode); }

FC_EXPORT int faccessat(int directory, const char *path, int mode, int flags) {
  int result;
  if (checked(directory, path, mode, &result)) return result;
  fc_load_faccessat();
  return real_faccessat(directory, path, mode, flags);
}

/* A buffer of a camera shows in /proc/PID/fd as "/memfd:fakecamera-MARK:videoN (deleted)": who holds it can be found by
 * those who share the camera. */
static ssize_t translate(char *text, ssize_t length, size_t room) {
  char mark[48];
  const size_t size = (size_t)snprintf(mark, sizeof mark, "/memfd:fakecamera-%08x:", fc_config_mark());
  if (length <= (ssize_t)size || memcmp(text, mark, size)) return length;
  char name[64] = "/dev/";
  size_t used = 5;
  for (size_t at = size; at < (size_t)length && text[at] != ' ' && used < sizeof name; at++) name[used++] = text[at];
  if (used > room) used = room;
  memcpy(text, name, used);
  return (ssize_t)used;
}

/* The text of a link, or a failure: true when the path is one of ours. */
static bool link_of(int directory, const char *path, char *out, size_t room, ssize_t *result) {
  char text[256];
  struct fc_node *node = fc_node_of_path(directory, path);
  bool linked = node && path[0] == '/' && fc_node_of_link(path) == node;
  if (!node && !fc_sysfs_link(path, text, sizeof text)) return false;
  *result = -1;
  errno = !node ? 0 : fc_present(node) ? EINVAL : ENOENT;
  if (node && !linked) return true;
  if (linked) snprintf(text, sizeof text, "../../video%d", node->number);
  *result = (ssize_t)strnlen(text, room);
  memcpy(out, text, (size_t)*result);
  return true;
}

FC_EXPORT ssize_t readlink(const char *path, char *out, size_t room) {
  ssize_t length;
  if (link_of(AT_FDCWD, path, out, room, &length)) return length;
  fc_load_readlink();
  length = real_readlink(path, out, room);
  return fc_enabled() ? translate(out, length, room) : length;
}

FC_EXPORT ssize_t readlinkat(int directory, const char *path, char *out, size_t room) {
  ssize_t length;
  if (link_of(directory, path, out, room, &length)) return length;
  fc_load_readlinkat();
  length = real_readlinkat(directory, path, out, room);
  return fc_enabled() ? translate(out, length, room) : length;
}

FC_EXPORT char *realpath(const char *path, char *out) {
  struct fc_node *node = fc_node_of_path(AT_FDCWD, path);
  if (!node) {
    fc_load_realpath();
    return real_realpath(path, out);
  }
  errno = ENOENT;
  if (!fc_present(node)) return NULL;
  if (!out && !(out = malloc(4096))) return NULL;
  snprintf(out, 4096, "/dev/video%d", node->number);
  return out;
}

FC_EXPORT char *canonicalize_file_name(const char *path) { return realpath(path, NULL); }
