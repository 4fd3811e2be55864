/* Stands in for the calls that list a directory, so that /dev shows the cameras beside its real entries. */
#include "interpose.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_LISTINGS 32

FC_REAL(DIR *, opendir, const char *)
FC_REAL(DIR *, fdopendir, int)
FC_REAL(struct dirent *, readdir, DIR *)
FC_REAL(void, rewinddir, DIR *)
FC_REAL(int, closedir, DIR *)
FC_REAL(int, glob, const char *, int, int (*)(const char *, int), glob_t *)
FC_REAL(int, scandir, const char *, struct dirent ***, int (*)(const struct dirent *),
        int (*)(const struct dirent **, const struct dirent **))

/* A listing of /dev that is under way. */
static struct listing {
  DIR *directory;
  enum fc_folder folder;
  unsigned position;
  struct dirent entry;
} listings[MAX_LISTINGS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int listed;

static struct listing *find(DIR *directory) {
  for (int i = 0; i < MAX_LISTINGS; i++)
    if (listings[i].directory == directory) return &listings[i];
  return NULL;
}

static struct listing *find_locked(DIR *directory) {
  if (!atomic_load(&listed)) return NULL;
  pthread_mutex_lock(&lock);
  struct listing *listing = find(directory);
  pthread_mutex_unlock(&lock);
  return listing;
}

static DIR *follow(DIR *directory, enum fc_folder folder) {
  if (!directory) return NULL;
  pthread_mutex_lock(&lock);
  struct listing *listing = find(NULL);
  if (!listing) fc_fail("more than %d listings of /dev at once", MAX_LISTINGS);
  listing->directory = directory;
  listing->folder = folder;
  listing->position = 0;
  atomic_fetch_add(&listed, 1);
  pthread_mutex_unlock(&lock);
  return directory;
}

static bool is_dev(const char *path) {
  if (!path || strncmp(path, "/dev", 4)) return false;
  for (path += 4; *path == '/' || (*path == '.' && path[-1] == '/' && (!path[1] || path[1] == '/')); path++) {
  }
  return !*path && fc_enabled();
}

FC_EXPORT DIR *opendir(const char *path) {
  fc_load_opendir();
  enum fc_folder folder = fc_link_folder(path);
  DIR *directory = real_opendir(folder == FC_NO_FOLDER ? path : "/dev"); /* a folder of links has none of its own */
  if (folder == FC_NO_FOLDER && is_dev(path)) folder = FC_DEV;
  return folder == FC_NO_FOLDER ? directory : follow(directory, folder);
}

FC_EXPORT DIR *fdopendir(int descriptor) {
  char link[32], path[8] = "";
  fc_load_fdopendir();
  DIR *directory = real_fdopendir(descriptor);
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  return is_dev(path) ? follow(directory, FC_DEV) : directory;
}

static struct dirent *entry_of(struct listing *listing, ino_t inode, unsigned char type) {
  memset(&listing->entry, 0, offsetof(struct dirent, d_name));
  listing->entry.d_ino = inode;
  listing->entry.d_reclen = sizeof listing->entry;
  listing->entry.d_type = type;
  return &listing->entry;
}

static struct dirent *next_link(struct listing *listing) {
  static const char *const folders[] = {"by-id", "by-path"};
  char *name = listing->entry.d_name;
  unsigned at = listing->position++;
  if (listing->folder == FC_V4L && at < 2) snprintf(name, sizeof listing->entry.d_name, "%s", folders[at]);
  if (listing->folder == FC_V4L) return at < 2 ? entry_of(listing, 400 + at, DT_DIR) : NULL;
  for (struct fc_node *node; (node = fc_node_at(at)); at = listing->position++) {
    char path[300];
    if (!fc_present(node) || !fc_link_name(node, listing->folder, name, sizeof listing->entry.d_name)) continue;
    snprintf(path, sizeof path, "/dev/v4l/%s/%s", folders[listing->folder == FC_BY_PATH], name);
    if (fc_node_of_link(path) == node) return entry_of(listing, 900 + at, DT_LNK); /* once, where two want it */
  }
  return NULL;
}

static struct dirent *next_node(struct listing *listing) {
  for (struct fc_node *node; (node = fc_node_at(listing->position)); listing->position++) {
    if (!fc_present(node)) continue;
    listing->position++;
    snprintf(listing->entry.d_name, sizeof listing->entry.d_name, "video%d", node->number);
    return entry_of(listing, 500 + (ino_t)node->number, DT_CHR);
  }
  return NULL;
}

FC_EXPORT struct dirent *readdir(DIR *directory) {
  struct listing *listing = find_locked(directory);
  fc_load_readdir();
  if (listing && listing->folder != FC_DEV) return next_link(listing);
  struct dirent *entry;
  while ((entry = real_readdir(directory)) && listing) {
    char path[300];
    snprintf(path, sizeof path, "/dev/%s", entry->d_name);
    if (!fc_node_of_path(AT_FDCWD, path)) break; /* a real node that a camera of ours covers comes below */
  }
  return entry || !listing ? entry : next_node(listing);
}

FC_EXPORT struct dirent64 *readdir64(DIR *directory) { return (struct dirent64 *)readdir(directory); }

FC_EXPORT void rewinddir(DIR *directory) {
  struct listing *listing = find_locked(directory);
  if (listing) listing->position = 0;
  fc_load_rewinddir();
  real_rewinddir(directory);
}

FC_EXPORT int closedir(DIR *directory) {
  pthread_mutex_lock(&lock);
  struct listing *listing = atomic_load(&listed) ? find(directory) : NULL;
  if (listing) {
    listing->directory = NULL;
    atomic_fetch_sub(&listed, 1);
  }
  pthread_mutex_unlock(&lock);
  fc_load_closedir();
  return real_closedir(directory);
}

/* glibc's own scandir() and glob() read directories from within: they are led through the calls above. */
FC_EXPORT int scandir(const char *path, struct dirent ***out, int (*choose)(const struct dirent *),
                      int (*compare)(const struct dirent **, const struct dirent **)) {
  fc_load_scandir();
  if (!is_dev(path)) return real_scandir(path, out, choose, compare);
  DIR *directory = opendir(path);
  struct dirent **entries = NULL, *entry;
  int count = 0;
  if (!directory) return -1;
  while ((entry = readdir(directory))) {
    if (choose && !choose(entry)) continue;
    entries = realloc(entries, (size_t)(count + 1) * sizeof *entries);
    struct dirent *copy = malloc(sizeof *copy);
    if (!entries || !copy) fc_fail("out of memory listing /dev");
    memcpy(copy, entry, entry->d_reclen < sizeof *copy ? entry->d_reclen : sizeof *copy);
    entries[count++] = copy;
  }
  closedir(directory);
  if (compare && count) qsort(entries, (size_t)count, sizeof *entries, (int (*)(const void *, const void *))compare);
  *out = entries;
  return count;
}

FC_EXPORT int scandir64(const char *path, struct dirent64 ***out, int (*choose)(const struct dirent64 *),
                        int (*compare)(const struct dirent64 **, const struct dirent64 **)) {
  return scandir(path, (struct dirent ***)out, (int (*)(const struct dirent *))choose,
                 (int (*)(const struct dirent **, const struct dirent **))compare);
}

static void end_listing(void *directory) { closedir(directory); }

FC_EXPORT int glob(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *out) {
  fc_load_glob();
  bool ours = !strncmp(pattern, "/dev/", 5) && !(flags & GLOB_ALTDIRFUNC) && fc_enabled();
  if (!ours) return real_glob(pattern, flags, failed, out);
  out->gl_opendir = (void *(*)(const char *))opendir;
  out->gl_readdir = (struct dirent * (*)(void *)) readdir;
  out->gl_closedir = end_listing;
  out->gl_stat = stat;
  out->gl_lstat = lstat;
  int result = real_glob(pattern, flags | GLOB_ALTDIRFUNC, failed, out);
  out->gl_flags &= ~GLOB_ALTDIRFUNC;
  return result;
}

FC_EXPORT int glob64(const char *pattern, int flags, int (*failed)(const char *, int), glob64_t *out) {
  return glob(pattern, flags, failed, (glob_t *)out);
}
