/// Compares what was asked with what was measured, and says where they part.

struct ContractJudge: Sendable {
  let ask: ContractAsk
  /// That the camera agreed to; `nil` where it told none.
  let agreedRate: Double?
  let files: [MeasuredFile]
  let ledger: LedgerReport
  /// Counts as there.
  var removed = RemovedFiles()
  /// `nil` where nobody looked.
  var recoveryPoint: RecoveryReport?

  /// Rates that are off by more than this share are told.
  static let rateTolerance = 0.01
  static let bitRateTolerance = 0.15
  /// A rate control works on seconds: what is shorter than this is not judged by it.
  static let shortest: Int64 = 4_000_000_000

  var frames: Int { files.reduce(0) { $0 + $1.frames } }
  /// Nanoseconds.
  var duration: Int64 { files.reduce(0) { $0 + $1.duration } }
  var bitRate: Int? {
    duration > 0 ? Int(Double(files.reduce(0) { $0 + $1.bytes }) * 8e9 / Double(duration)) : nil
  }

  /// Of several files, from the first frame of each to the end of its last.
  var rate: Double? {
    if files.count == 1 { return files[0].rate }
    return duration > 0 ? Double(frames) * 1e9 / Double(duration) : nil
  }

  /// With what was taken away on purpose.
  private var recordedFrames: Int { frames + removed.frames }
  /// Nanoseconds.
  private var recordedDuration: Int64 { duration + removed.duration }

  /// Nanoseconds.
  private var period: Int64 { rate.map { Int64(1e9 / $0) } ?? 0 }

  var breaches: [ContractBreach] {
    guard !files.isEmpty else { return ledger.written > 0 ? [lost, recovery].compactMap { $0 } : [] }
    return [size, rateBreach, codec].compactMap { $0 } + range
      + [bitRateBreach, durationBreach, framesBreach, lost, recovery].compactMap { $0 }
  }

  private var size: ContractBreach? {
    guard let asked = ask.dimensions, let other = files.first(where: { $0.dimensions != asked }) else { return nil }
    return ContractBreach(.size, asked: "\(asked)", got: "\(other.dimensions)")
  }

  /// A short recording's times waver by more than a hundredth: they have to be off by more than a frame as well.
  private var rateBreach: ContractBreach? {
    guard let asked = ask.rate ?? agreedRate, let rate, asked > 0, rate > 0 else { return nil }
    let isOff = abs(rate / asked - 1) > ContractJudge.rateTolerance
    let span = Double(max(0, frames - 1)) / rate
    guard isOff, abs(span * asked - Double(frames - 1)) > 1 else { return nil }
    return ContractBreach(.rate, asked: "\(text(asked)) fps", got: "\(text(rate)) fps")
  }

  private var codec: ContractBreach? {
    guard let asked = ask.codec, let other = files.first(where: { !ContractJudge.isSame($0.codec, asked) }) else {
      return nil
    }
    return ContractBreach(.codec, asked: asked, got: other.codec)
  }

  /// Containers call Motion JPEG by both names.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    func plain(_ codec: String) -> String { codec == "jpeg" ? "mjpeg" : codec }
    return plain(one) == plain(other)
  }

  /// What is written, and what the pictures are.
  private var range: [ContractBreach] {
    var found: [ContractBreach] = []
    if let asked = ask.range, let other = files.first(where: { $0.taggedRange != asked }) {
      let got = other.taggedRange.map { "\($0.name) in stream and container" } ?? "no range written"
      found.append(ContractBreach(.range, asked: asked.name, got: got))
    }
    if let other = files.first(where: { $0.verdict.isFault }) {
      let asked = ask.range ?? other.taggedRange
      found.append(ContractBreach(.range, asked: asked?.name ?? "one that is true", got: other.verdict.rawValue))
    }
    return found
  }

  /// Less than was asked is no breach: pictures that are easy need no more.
  private var bitRateBreach: ContractBreach? {
    guard let asked = ask.bitRate, let bitRate, duration >= ContractJudge.shortest,
      Double(bitRate) > Double(asked) * (1 + ContractJudge.bitRateTolerance)
    else { return nil }
    return ContractBreach(
      .bitRate, asked: "\(BitRate(bitsPerSecond: asked))", got: "\(BitRate(bitsPerSecond: bitRate))")
  }

  /// Times waver by less than a frame.
  private var durationBreach: ContractBreach? {
    guard let asked = ask.duration, !ask.wasStopped else { return nil }
    let (got, isEndedByFrames) = (recordedDuration, ask.frames.map { recordedFrames >= $0 } ?? false)
    guard abs(got - asked) > period, !(isEndedByFrames && got < asked) else { return nil }
    return ContractBreach(.duration, asked: seconds(asked), got: seconds(got))
  }

  /// Of those that the recorder says it has written, all have to be there.
  private var framesBreach: ContractBreach? {
    let got = recordedFrames
    if got != ledger.written {
      return ContractBreach(.frames, asked: "the \(ledger.written) written", got: "\(got)")
    }
    guard let asked = ask.frames, !ask.wasStopped, got != asked else { return nil }
    let isEndedByTime = ask.duration.map { recordedDuration >= $0 - period } ?? false
    return isEndedByTime && got < asked ? nil : ContractBreach(.frames, asked: "\(asked)", got: "\(got)")
  }

  private var lost: ContractBreach? {
    guard ledger.lost.total > 0 || ledger.difference > 0 else { return nil }
    var causes = ledger.lost.causes.map { "\($0.name) \($0.frames)" }
    if ledger.difference > 0 { causes.append("without a cause \(ledger.difference)") }
    let total = ledger.lost.total + max(0, ledger.difference)
    return ContractBreach(.lost, asked: "none", got: "\(total) (\(causes.joined(separator: ", ")))")
  }

  /// Rounded up to the millisecond, so that what is too long never reads as what was asked.
  private var recovery: ContractBreach? {
    guard let point = recoveryPoint, !point.isHeld else { return nil }
    let (whole, rest) = point.worst.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let worst = (whole + (rest > 0 ? 1 : 0)) * 1_000_000
    return ContractBreach(.recoveryPoint, asked: seconds(point.asked.nanoseconds), got: seconds(worst))
  }

  private func text(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
  private func seconds(_ time: Int64) -> String { "\((Double(time) / 1e6).rounded() / 1e3) s" }
}

extension RecordingContract {
  /// - Parameter encodedBitRate: that the encoder was set to.
  init(_ judge: ContractJudge, encodedBitRate: Int?) {
    let (ask, files) = (judge.ask, judge.files)
    let last = files.last
    size = Term(
      "container", "stream", asked: ask.dimensions, declared: last?.declaredDimensions, measured: last?.dimensions)
    rate = Term("camera", "index", asked: ask.rate, declared: judge.agreedRate, measured: judge.rate)
    range = Term(
      "stream", "pictures", asked: ask.range?.name, declared: last?.taggedRange?.name,
      measured: files.compactMap(\.pictureRange).last?.name)
    codec = Term("recorder", "stream", asked: ask.codec, declared: ask.codec, measured: last?.codec)
    bitRate = Term("encoder", "index", asked: ask.bitRate, declared: encodedBitRate, measured: judge.bitRate)
    duration = Term(
      "container", "index", asked: ask.duration,
      declared: files.isEmpty ? nil : files.reduce(0) { $0 + ($1.declaredDuration ?? 0) },
      measured: files.isEmpty ? nil : judge.duration)
    frames = Term(
      "recorder", "index", asked: ask.frames, declared: judge.ledger.written,
      measured: files.isEmpty ? nil : judge.frames)
    self.files = files
    removed = judge.removed.files > 0 ? judge.removed : nil
    breaches = judge.breaches
  }
}
