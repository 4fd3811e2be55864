/// Reads how much of an unfinished recording can be played, box by box or cluster by cluster, without decoding it.

import Foundation
import MediaInspection

/// A recording whose muxer did not get to its end: an MP4 in fragments (ISO/IEC 14496-12, 8.8) or a Matroska file in
/// clusters (RFC 9559).
struct UnfinishedFile: Sendable {
  /// Frames in fragments, or in blocks, that are there to their last byte; `nil` where the file cannot be read.
  private(set) var frames: Int? = 0
  /// True where a player finds at least one picture.
  private(set) var isPlayable = false

  /// An unreadable file counts as an empty one.
  init(_ file: URL) {
    guard let handle = try? FileHandle(forReadingFrom: file), let size = try? handle.seekToEnd() else { return }
    defer { try? handle.close() }
    let head = UnfinishedFile.read(handle, at: 0, count: 4)
    if head == [0x1A, 0x45, 0xDF, 0xA3] {
      readBlocks(file, size: size)
    } else {
      readBoxes(handle, size: size)
    }
  }

  /// A cluster may end anywhere: each block in it is a frame by itself.
  private mutating func readBlocks(_ file: URL, size: UInt64) {
    do throws(InspectionError) {
      let count = try MediaFile(contentsOf: file).frames.count
      (frames, isPlayable) = (count, count > 0)
    } catch {
      switch error {
      case .noVideo, .noRecording: break
      // Nobody knows what is in it: it is kept.
      case .unreadable, .unknownContainer: (frames, isPlayable) = (nil, size > 4096)
      }
    }
  }

  /// A fragment is a `moof` with the `mdat` after it or, as mp4mux writes while it records, before it; the first one may
  /// be described by the `moov` itself.
  private mutating func readBoxes(_ handle: FileHandle, size: UInt64) {
    var (offset, hasIndex, count) = (UInt64(0), false, 0)
    var (describedSamples, hasUndescribedData) = (0, false)
    while let box = UnfinishedFile.box(handle, at: offset, end: size) {
      switch box.kind {
      case "moov", "moof":
        hasIndex = hasIndex || box.kind == "moov"
        let samples = UnfinishedFile.samples(handle, in: box)
        if hasUndescribedData { count += samples } else { describedSamples = samples }
        hasUndescribedData = false
      case "mdat":
        count += describedSamples
        hasUndescribedData = describedSamples == 0
        describedSamples = 0
      default: break
      }
      offset = box.end
    }
    frames = count
    isPlayable = hasIndex && count > 0
  }

  private struct Box {
    var kind: String
    /// Of what it holds.
    var start: UInt64
    var end: UInt64
  }

  /// The box at a place; `nil` where there is none that is whole.
  private static func box(_ handle: FileHandle, at offset: UInt64, end: UInt64) -> Box? {
    let head = read(handle, at: offset, count: 16)
    guard head.count >= 8 else { return nil }
    var (length, start) = (number(head[0..<4]), offset + 8)
    if length == 1, head.count == 16 { (length, start) = (number(head[8..<16]), offset + 16) }
    guard length >= start - offset, length <= end - offset else { return nil }
    return Box(kind: String(decoding: head[4..<8], as: UTF8.self), start: start, end: offset + length)
  }

  /// The sample counts of all runs of a fragment (`moof`, `traf`, `trun`), or of an index (`moov` down to `stsz`).
  private static func samples(_ handle: FileHandle, in parent: Box) -> Int {
    var (offset, count) = (parent.start, 0)
    while let child = box(handle, at: offset, end: parent.end) {
      switch child.kind {
      case "traf", "trak", "mdia", "minf", "stbl": count += samples(handle, in: child)
      case "stsz": count += Int(number(read(handle, at: child.start + 8, count: 4)[...]))
      case "trun": count += Int(number(read(handle, at: child.start + 4, count: 4)[...]))
      default: break
      }
      offset = child.end
    }
    return count
  }

  private static func read(_ handle: FileHandle, at offset: UInt64, count: Int) -> [UInt8] {
    guard (try? handle.seek(toOffset: offset)) != nil, let data = try? handle.read(upToCount: count) else { return [] }
    return [UInt8](data)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
