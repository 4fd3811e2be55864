/* Stands in for libc's calls on open descriptors: ioctl, mmap, read, close, dup, fcntl, fstat of a camera's. */
#include "interpose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

FC_REAL(int, ioctl, int, unsigned long, ...)
FC_REAL(int, close, int)
FC_REAL(int, dup, int)
FC_REAL(int, dup2, int, int)
FC_REAL(int, dup3, int, int, int)
FC_REAL(int, fcntl, int, int, ...)
FC_REAL(int, fcntl64, int, int, ...)
FC_REAL(ssize_t, read, int, void *, size_t)
FC_REAL(void *, mmap, void *, size_t, int, int, int, off_t)

int fc_real_close(int descriptor) {
  fc_load_close();
  return real_close(descriptor);
}

void *fc_real_mmap(void *address, size_t length, int protection, int flags, int descriptor, int64_t offset) {
  fc_load_mmap();
  return real_mmap(address, length, protection, flags, descriptor, offset);
}

FC_EXPORT int ioctl(int descriptor, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  struct fc_handle *handle = fc_handle_of(descriptor);
  if (!handle) {
    fc_load_ioctl();
    return real_ioctl(descriptor, request, argument);
  }
  int kept = errno, error = fc_ioctl(handle, request, argument);
  fc_release_handle(handle);
  errno = error ? error : kept;
  return error ? -1 : 0;
}

FC_EXPORT void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  struct fc_handle *handle = flags & MAP_ANONYMOUS ? NULL : fc_handle_of(descriptor);
  if (!handle) return fc_real_mmap(address, length, protection, flags, descriptor, offset);
  void *result = fc_map(handle, address, length, protection, flags, offset);
  fc_release_handle(handle);
  return result;
}

FC_EXPORT void *mmap64(void *address, size_t length, int protection, int flags, int descriptor, off64_t offset) {
  return mmap(address, length, protection, flags, descriptor, offset);
}

FC_EXPORT ssize_t read(int descriptor, void *bytes, size_t count) {
  struct fc_handle *handle = fc_handle_of(descriptor);
  if (!handle) {
    fc_load_read();
    return real_read(descriptor, bytes, count);
  }
  errno = handle->lost ? ENODEV : EINVAL; /* uvcvideo streams only */
  fc_release_handle(handle);
  return -1;
}

FC_EXPORT ssize_t __read_chk(int descriptor, void *bytes, size_t count, size_t room) {
  if (count > room) __builtin_trap();
  return read(descriptor, bytes, count);
}

FC_EXPORT int close(int descriptor) {
  fc_forget(descriptor);
  return fc_real_close(descriptor);
}

FC_EXPORT int dup(int descriptor) {
  fc_load_dup();
  int copy = real_dup(descriptor);
  fc_duplicate(descriptor, copy);
  return copy;
}

FC_EXPORT int dup2(int descriptor, int copy) {
  fc_load_dup2();
  if (descriptor == copy) return real_dup2(descriptor, copy);
  fc_forget(copy);
  int result = real_dup2(descriptor, copy);
  fc_duplicate(descriptor, result);
  return result;
}

FC_EXPORT int dup3(int descriptor, int copy, int flags) {
  fc_load_dup3();
  if (descriptor != copy) fc_forget(copy);
  int result = real_dup3(descriptor, copy, flags);
  fc_duplicate(descriptor, result);
  return result;
}

static int after_fcntl(int descriptor, int command, int result) {
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) fc_duplicate(descriptor, result);
  return result;
}

FC_EXPORT int fcntl(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  fc_load_fcntl();
  return after_fcntl(descriptor, command, real_fcntl(descriptor, command, argument));
}

FC_EXPORT int fcntl64(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  fc_load_fcntl64();
  return after_fcntl(descriptor, command, real_fcntl64(descriptor, command, argument));
}
