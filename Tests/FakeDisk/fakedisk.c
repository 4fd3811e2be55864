/* A disk that is slow or broken, played to the program that this is preloaded into; README.md has the words. */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static atomic_llong written;
static atomic_llong synchronised;
static atomic_bool stalled;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void rest(long long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  while (nanosleep(&time, &time) && errno == EINTR) {}
}

/* Whether a descriptor is that of a file which is played. */
static int is_played(int fd) {
  const char *match = getenv("FAKE_DISK_MATCH");
  if (!match) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strstr(path, match) != NULL;
}

/* Reads `A:B`. */
static int two_numbers(const char *name, long long *first, long long *second) {
  const char *text = getenv(name);
  return text && sscanf(text, "%lld:%lld", first, second) == 2;
}

/* 0, or the errno that a write of so many bytes fails with. */
static int before_write(long long bytes) {
  long long before = atomic_fetch_add(&written, bytes), limit, value;
  if (two_numbers("FAKE_DISK_STALL", &limit, &value) && before >= limit && !atomic_exchange(&stalled, true)) rest(value);
  if (two_numbers("FAKE_DISK_WRITE", &limit, &value) && before + bytes > limit) return (int)value;
  return 0;
}

EXPORT ssize_t write(int fd, const void *data, size_t count) {
  static ssize_t (*next)(int, const void *, size_t);
  if (!next) next = dlsym(RTLD_NEXT, "write");
  int error = is_played(fd) ? before_write((long long)count) : 0;
  if (error) return errno = error, -1;
  return next(fd, data, count);
}

EXPORT ssize_t writev(int fd, const struct iovec *parts, int count) {
  static ssize_t (*next)(int, const struct iovec *, int);
  if (!next) next = dlsym(RTLD_NEXT, "writev");
  long long bytes = 0;
  for (int part = 0; part < count; part++) bytes += (long long)parts[part].iov_len;
  int error = is_played(fd) ? before_write(bytes) : 0;
  if (error) return errno = error, -1;
  return next(fd, parts, count);
}

static void log_line(const char *call, long long began) {
  const char *path = getenv("FAKE_DISK_LOG");
  if (!path) return;
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return;
  dprintf(fd, "%s %lld %lld\n", call, began, now());
  close(fd);
}

static int synchronise(const char *call, int fd) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, call);
  if (!is_played(fd)) return next(fd);
  long long began = now(), limit, value;
  const char *slow = getenv("FAKE_DISK_SLOW_SYNC");
  if (slow) rest(atoll(slow));
  if (two_numbers("FAKE_DISK_SYNC", &limit, &value) && atomic_fetch_add(&synchronised, 1) >= limit) {
    return errno = (int)value, -1;
  }
  int result = next(fd);
  log_line(call, began);
  return result;
}

EXPORT int fsync(int fd) { return synchronise("fsync", fd); }
EXPORT int fdatasync(int fd) { return synchronise("fdatasync", fd); }
