/// What is wrong with a file, judged from its index, its stream's header and the levels of its pictures.

import MediaFormats

public struct FileFindings: Sendable, Hashable {
  public let file: MediaFile
  /// What the first key frame says; `nil` where it cannot be read.
  public let stream: StreamHeader?
  /// What the container's copy of the stream's header says, where it has one.
  public let record: StreamHeader?
  /// `nil` where nothing was decoded.
  public let levels: LevelCount?
  public let timing: FrameTiming

  public init(file: MediaFile, stream: StreamHeader?, record: StreamHeader?, levels: LevelCount?) {
    self.file = file
    self.stream = stream
    self.record = record
    self.levels = levels
    timing = FrameTiming(file.frames, timescale: file.timescale)
  }

  // MARK: Colour

  private static let fields: [(name: String, code: @Sendable (CodedColor) -> Int?)] = [
    ("range", { $0.range?.rawValue }), ("primaries", { $0.primaries }), ("transfer", { $0.transfer }),
    ("matrix", { $0.matrix }),
  ]

  /// Codes 5 and 6 are one matrix, 1, 6, 14 and 15 one curve (ISO/IEC 23091-2). VP8 and VP9 have fewer words, and what
  /// they do not say is no disagreement.
  private static func isSame(_ field: String, _ one: Int, _ other: Int) -> Bool {
    let equal: [Set<Int>] = field == "matrix" ? [[5, 6]] : field == "transfer" ? [[1, 6, 14, 15]] : []
    return one == other || equal.contains { $0.contains(one) && $0.contains(other) }
  }

  /// Each with both values.
  public var disagreements: [String] {
    var found: [String] = []
    let sources = [("stream", stream?.color), ("record", record?.color), ("container", file.color)]
    for (place, one) in sources.enumerated() {
      for other in sources[(place + 1)...] {
        guard let first = one.1, let second = other.1 else { continue }
        for (name, code) in FileFindings.fields {
          guard let a = code(first), let b = code(second), !FileFindings.isSame(name, a, b) else { continue }
          found.append("\(name): \(one.0) \(FileFindings.word(name, a)), \(other.0) \(FileFindings.word(name, b))")
        }
      }
    }
    return found
  }

  private static func word(_ field: String, _ code: Int) -> String {
    field == "range" ? ColorRange(rawValue: code)?.name ?? "?" : "\(code)"
  }

  /// What a player goes by: the stream, the container where the stream is silent, and where both are, the format's own
  /// standard.
  public var color: CodedColor {
    let standard = file.codec == "mjpeg" ? CodedColor.jpeg : CodedColor()
    return (stream?.color ?? CodedColor()).completed(by: file.color).completed(by: standard)
  }

  public var range: RangeVerdict {
    RangeVerdict(tag: color.range, evidence: levels?.evidence ?? .none, signalsDisagree: !disagreements.isEmpty)
  }

  private var colorFindings: [Finding] {
    var found: [Finding] = []
    if !disagreements.isEmpty { found.append(Finding(.signalsDisagree, disagreements.joined(separator: "; "))) }
    switch RangeVerdict(tag: color.range, evidence: levels?.evidence ?? .none, signalsDisagree: false) {
    case .limitedPixelsTaggedFull:
      found.append(
        Finding(.limitedPixelsTaggedFull, "the pictures keep to 16...235 (\(span)), and full range is written"))
    case .fullPixelsTaggedLimited:
      let written = color.range == nil ? "no range is written, which means limited" : "limited range is written"
      found.append(
        Finding(.fullPixelsTaggedLimited, "the pictures use codes beyond 16...235 (\(span)), and \(written)"))
    default: break
    }
    return found + unknownColor + malformedBox
  }

  private var span: String { "\(levels?.lowest ?? 0)...\(levels?.highest ?? 0)" }

  /// Chromium shows full range with an unknown curve or primaries crushed, and takes a limited file's matrix for another
  /// where only that is known. Where nothing is known it guesses by size, as every player does.
  private var unknownColor: [Finding] {
    let missing = FileFindings.fields.filter { $0.code(color) == nil }.map(\.name)
    if missing.isEmpty { return [] }
    let isWrong = color.range == .full || color.matrix != nil
    return [
      Finding(
        isWrong ? .shownWrongInBrowsers : .colorUnknown,
        "not written: \(missing.joined(separator: ", ")); \(isWrong ? "browsers show other tones" : "players guess")")
    ]
  }

  private var malformedBox: [Finding] {
    guard let box = file.colorBox else { return [] }
    let wanted = ["nclx": 19, "nclc": 18][box.kind]
    guard let wanted, box.size != wanted else { return [] }
    return [Finding(.colorBoxMalformed, "the colr box \(box.kind) has \(box.size) bytes, not \(wanted)")]
  }

  // MARK: Format

  private var formatFindings: [Finding] {
    guard let stream else {
      let isKnown = ["h264", "h265", "vp8", "vp9", "av1"].contains(file.codec)
      return isKnown && !file.frames.isEmpty
        ? [Finding(.undecodable, "the \(file.codec) stream has no header that can be read")] : []
    }
    let isAlike = stream.dimensions == file.dimensions
    return isAlike
      ? playing(stream)
      : playing(stream) + [
        Finding(.sizesDisagree, "the container says \(file.dimensions), the stream \(stream.dimensions)")
      ]
  }

  private func playing(_ stream: StreamHeader) -> [Finding] {
    let isDeep = stream.codec == "h264" && stream.depth > 8
    // Whoever decodes JPEG decodes it in 4:2:2 too.
    guard stream.codec != "mjpeg", stream.chroma != .yuv420 || isDeep else { return [] }
    let profile = stream.profile.map { ", profile \($0)" } ?? ""
    return [
      Finding(.notPlayedEverywhere, "\(stream.codec) in \(stream.chroma.name) of \(stream.depth) bits\(profile)")
    ]
  }

  // MARK: Time

  /// Players jump to key frames: further apart than this, seeking is felt.
  public static let farApart = 10.0

  private var timeFindings: [Finding] {
    var found: [Finding] = []
    if file.frames.isEmpty { return [Finding(.noFrames, "the index has no frame")] }
    if !timing.gaps.isEmpty {
      let worst = timing.gaps.max { $0.length < $1.length }
      let detail = worst.map { "the longest \(milliseconds($0.length)) at \(seconds($0.time))" } ?? ""
      found.append(Finding(.gap, "\(timing.gaps.count) place(s) where frames are missing, \(detail)"))
    }
    if timing.disordered > 0 {
      found.append(Finding(.timesDisordered, "\(timing.disordered) frame(s) are shown at the time of another"))
    }
    if timing.keyFrameDistance > FileFindings.farApart {
      found.append(Finding(.keyFramesFarApart, "up to \(seconds(timing.keyFrameDistance)) from key frame to key frame"))
    }
    return found + editFindings + durationFindings + layoutFindings
  }

  private var frameTime: Double { timing.rate.map { 1 / $0 } ?? timing.duration }

  private var editFindings: [Finding] {
    var found: [Finding] = []
    let empty = file.edits.filter { $0.start == nil }.reduce(0) { $0 + $1.duration }
    if empty > frameTime / 2 { found.append(Finding(.edited, "the movie begins with \(seconds(empty)) of nothing")) }
    let kept = file.edits.filter { $0.start != nil }
    guard let first = kept.first, let start = first.start else { return found }
    let before = start - timing.start
    if before > frameTime / 2 {
      found.append(Finding(.edited, "the edit list leaves out the first \(seconds(before))"))
    }
    let after = timing.duration - before - kept.reduce(0) { $0 + $1.duration }
    // A movie in fragments has no duration yet, and so its edit has none.
    if after > 1.5 * frameTime, first.duration > 0 {
      found.append(Finding(.edited, "the edit list leaves out the last \(seconds(after))"))
    }
    return found
  }

  /// The movie lasts as long as what the edits take into it or another track, the track as long as its frames.
  private var durationFindings: [Finding] {
    guard file.layout.fragments == 0 else { return [] }
    let edited = file.edits.isEmpty ? timing.duration : file.edits.reduce(0) { $0 + $1.duration }
    let movie = max(edited, file.othersEnd)
    let lengths = [("movie", file.movieDuration, movie), ("track", file.trackDuration, timing.duration)]
    // A movie may be longer: sound has frames of its own.
    let allowed = frameTime * 1.5 + 0.002 + timing.start
    let wrong = lengths.filter { name, written, frames in
      written.map { $0 < frames - allowed || ($0 > frames + allowed + (name == "movie" ? 0.1 : 0)) } ?? false
    }
    if wrong.isEmpty { return [] }
    let said = wrong.map { "the \($0.0) \(seconds($0.1 ?? 0)) and not \(seconds($0.2))" }
    return [Finding(.durationsDisagree, said.joined(separator: "; "))]
  }

  private var layoutFindings: [Finding] {
    if file.layout.isTruncated { return [Finding(.unfinished, "the last part of the file is not whole")] }
    if file.layout.fragments > 0, !file.layout.hasFragmentIndex {
      return [
        Finding(
          .unfinished,
          "the file is in \(file.layout.fragments) fragments without an index (mfra), as a recording that was cut off is"
        )
      ]
    }
    return []
  }

  private func seconds(_ time: Double) -> String { "\((time * 1000).rounded() / 1000) s" }
  private func milliseconds(_ time: Double) -> String { "\((time * 10_000).rounded() / 10) ms" }

  /// Everything that is wrong; empty for a file as it should be.
  public var all: [Finding] { colorFindings + formatFindings + timeFindings }
}
