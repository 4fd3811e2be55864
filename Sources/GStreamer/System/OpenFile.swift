/// An open file or folder: what is done by its descriptor is done to it, wherever its path leads meanwhile.

import CGStreamer
import Glibc

/// What the system refused (`errno`, `strerror`).
package struct SystemFailure: Error, Sendable, Hashable {
  package let errno: Int32
  /// The system's own words.
  package let text: String

  package init(of number: Int32) { (errno, text) = (number, SystemFailure.text(of: number)) }

  /// `strerror_r(3)`.
  package static func text(of errno: Int32) -> String { V4L2Error.text(errno) }
}

@safe package final class OpenFile: Sendable {
  package let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// `open(2)` with `O_DIRECTORY`.
  package static func folder(_ path: String) throws(SystemFailure) -> OpenFile {
    try adopting(unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  }

  /// A file of this folder, to be read and written; a link is not followed (`openat(2)`).
  package func file(_ name: String) throws(SystemFailure) -> OpenFile {
    try OpenFile.adopting(unsafe openat(descriptor, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC))
  }

  /// Creates a file in this folder (`openat(2)` with `O_EXCL`: a link of that name is not followed, it is in the way).
  /// - Parameter mode: its permissions from the first byte on, whatever the process's mask; `nil` for the usual ones.
  package func create(_ name: String, mode: UInt32?) throws(SystemFailure) -> OpenFile {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = try OpenFile.adopting(unsafe openat(descriptor, name, flags, mode_t(mode ?? 0o666)))
    guard let mode, fchmod(file.descriptor, mode_t(mode)) != 0 else { return file }
    throw SystemFailure(of: Glibc.errno)
  }

  /// Takes a file's name out of this folder (`unlinkat(2)`).
  package func remove(_ name: String) throws(SystemFailure) {
    guard unsafe unlinkat(descriptor, name, 0) == 0 else { throw SystemFailure(of: Glibc.errno) }
  }

  private static func adopting(_ descriptor: Int32) throws(SystemFailure) -> OpenFile {
    guard descriptor >= 0 else { throw SystemFailure(of: Glibc.errno) }
    return OpenFile(descriptor)
  }

  /// Returns once the bytes, and what is needed to find them, are on the disk (`fdatasync(2)`).
  package func synchronizeData() throws(SystemFailure) {
    guard fdatasync(descriptor) == 0 else { throw SystemFailure(of: Glibc.errno) }
  }

  /// The same for all that is known of it; of a folder, the names in it (`fsync(2)`).
  package func synchronize() throws(SystemFailure) {
    guard fsync(descriptor) == 0 else { throw SystemFailure(of: Glibc.errno) }
  }

  /// Writes all bytes of this file into another, which is empty (`sendfile(2)`).
  package func copy(to other: OpenFile) throws(SystemFailure) {
    var offset: off_t = 0
    while true {
      let count = unsafe sendfile(other.descriptor, descriptor, &offset, 1 << 30)
      if count == 0 { return }
      if count < 0, Glibc.errno != EINTR { throw SystemFailure(of: Glibc.errno) }
    }
  }

  /// Leads any program of this process to the file itself (proc(5)).
  package var aliasPath: String { "/proc/self/fd/\(descriptor)" }

  /// Where it is now; `nil` where it has been removed, or /proc is not there (`readlink(2)`).
  package var path: String? {
    guard linkCount ?? 0 > 0 else { return nil }
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(aliasPath, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  private var status: stat? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? status : nil
  }

  /// Names that it has; 0 for one that was removed.
  package var linkCount: Int? { status.map { Int($0.st_nlink) } }

  /// Bytes that it takes on its disk.
  package var allocatedBytes: Int64? { status.map { Int64($0.st_blocks) * 512 } }

  package var byteCount: Int64? { status.map { Int64($0.st_size) } }

  /// Its permissions, without what says what it is.
  package var mode: UInt32? { status.map { UInt32($0.st_mode) & 0o7777 } }

  /// Bytes that are free on its disk for those who are not root (`fstatvfs(3)`).
  package var freeBytes: Int64? {
    var status = statvfs()
    guard unsafe fstatvfs(descriptor, &status) == 0 else { return nil }
    return Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
  }

  /// As GIO names the kind of its file system, `msdos` or `ext3/ext4`; `nil` where it does not know it
  /// (`filesystem::type`).
  package var fileSystem: String? {
    guard let file = unsafe g_file_new_for_path(aliasPath) else { return nil }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(file)) }
    guard let info = unsafe g_file_query_filesystem_info(file, G_FILE_ATTRIBUTE_FILESYSTEM_TYPE, nil, nil) else {
      return nil
    }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(info)) }
    return unsafe copied(g_file_info_get_attribute_string(info, G_FILE_ATTRIBUTE_FILESYSTEM_TYPE))
  }
}
