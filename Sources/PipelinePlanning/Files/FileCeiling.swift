/// The largest file that can be written to a place.

public struct FileCeiling: Sendable, Hashable {
  public var bytes: Int64
  /// Who allows no larger one.
  public var reason: String

  /// - Parameters:
  ///   - fileSystem: as GIO names its kind (`filesystem::type`).
  ///   - processLimit: of this process, in bytes (`RLIMIT_FSIZE`).
  /// - Returns: `nil` for a place without one.
  public init?(fileSystem: String?, processLimit: Int64?) {
    let ofFileSystem = fileSystem.flatMap { FileCeiling.fileSystems[$0] }
    let ofProcess = processLimit.map { FileCeiling(bytes: $0, reason: "the limit of this session (`ulimit -f`)") }
    guard let least = [ofFileSystem, ofProcess].compactMap({ $0 }).min(by: { $0.bytes < $1.bytes }) else { return nil }
    self = least
  }

  private init(bytes: Int64, reason: String) {
    self.bytes = bytes
    self.reason = reason
  }

  /// Sizes of 32 bits.
  private static let fileSystems: [String: FileCeiling] = {
    let fat = FileCeiling(bytes: 4_294_967_295, reason: "the file system (FAT)")
    return ["msdos": fat, "vfat": fat]
  }()
}
