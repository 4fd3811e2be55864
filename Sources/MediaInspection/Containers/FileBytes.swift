/// A file that is read in places: it may be larger than memory, and end anywhere.

import Foundation

/// Not for use by several threads at once.
final class FileBytes {
  let size: UInt64
  private let handle: FileHandle
  private var window: [UInt8] = []
  private var windowStart: UInt64 = 0
  private static let windowSize = 64 << 10

  init(_ file: URL) throws(InspectionError) {
    do {
      handle = try FileHandle(forReadingFrom: file)
      size = try handle.seekToEnd()
    } catch {
      throw .unreadable(
        "\(file.path(percentEncoded: false)) cannot be read; check that it is there and that you may read it")
    }
  }

  /// As many of the bytes as are there.
  func read(at offset: UInt64, count: Int) -> [UInt8] {
    guard offset < size, count > 0 else { return [] }
    let count = Int(min(UInt64(count), size - offset))
    if offset >= windowStart, offset + UInt64(count) <= windowStart + UInt64(window.count) {
      let start = Int(offset - windowStart)
      return Array(window[start..<start + count])
    }
    if count > FileBytes.windowSize { return load(offset, count) }
    window = load(offset, FileBytes.windowSize)
    windowStart = offset
    return Array(window.prefix(count))
  }

  /// `nil` where the file ends before.
  func number(at offset: UInt64, bytes: Int) -> UInt64? {
    let read = read(at: offset, count: bytes)
    return read.count == bytes ? read.reduce(0) { $0 << 8 | UInt64($1) } : nil
  }

  /// The first place of some bytes, from another one on.
  func place(of pattern: [UInt8], from start: UInt64) -> UInt64? {
    var place = start
    while place < size {
      let chunk = read(at: place, count: 1 << 20)
      guard chunk.count >= pattern.count else { return nil }
      var next = 0
      while let index = chunk[next...].firstIndex(of: pattern[0]) {
        if chunk[index...].starts(with: pattern) { return place + UInt64(index) }
        next = index + 1
      }
      // What stands across the border is found in the next chunk.
      place += UInt64(chunk.count - pattern.count + 1)
    }
    return nil
  }

  private func load(_ offset: UInt64, _ count: Int) -> [UInt8] {
    guard (try? handle.seek(toOffset: offset)) != nil, let data = try? handle.read(upToCount: count) else { return [] }
    return [UInt8](data)
  }
}

/// Why a file cannot be inspected, in a sentence without its stop.
public enum InspectionError: Error, Sendable, Hashable {
  case unreadable(String)
  /// It is no container that is known here.
  case unknownContainer
  /// Its index is missing: it was not written to its end.
  case noVideo(String)
  /// It is whole and has no pictures.
  case noRecording(String)
}

extension InspectionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let reason): reason
    case .unknownContainer: "this is no MP4, QuickTime, Matroska or WebM file"
    case .noVideo(let reason), .noRecording(let reason): reason
    }
  }
}
