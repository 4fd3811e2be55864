/// What the video usability information (VUI) of H.264 and H.265 says about colour: both have it in the same place and
/// the same words (ITU-T H.264, E.1.1; H.265, E.2.1).

import MediaFormats

struct VideoUsability: Sendable, Hashable {
  /// From `video_signal_type_present_flag` to the end of the colour description; where there is no VUI, just
  /// `vui_parameters_present_flag`.
  private(set) var bits: Range<Int>
  private var isPresent: Bool
  /// `video_format`; 5 is unspecified.
  private var videoFormat = 5
  private(set) var color = CodedColor()
  /// Flags behind the colour description of a VUI that says nothing else.
  private var flagsBehind: Int

  /// Reads from `vui_parameters_present_flag` on.
  /// - Parameter flagsBehind: how many further flags the codec's VUI has at its outermost level.
  init(_ reader: inout BitReader, flagsBehind: Int) throws(BitstreamError) {
    self.flagsBehind = flagsBehind
    let start = reader.position
    isPresent = try reader.flag()
    bits = start..<reader.position
    if isPresent { try readPresent(&reader) }
  }

  private mutating func readPresent(_ reader: inout BitReader) throws(BitstreamError) {
    if try reader.flag() { try VideoUsability.skipAspectRatio(&reader) }
    if try reader.flag() { try reader.skip(1) }  // overscan_appropriate_flag
    let start = reader.position
    if try reader.flag() { try readSignalType(&reader) }
    bits = start..<reader.position
  }

  private static func skipAspectRatio(_ reader: inout BitReader) throws(BitstreamError) {
    let extended = 255
    if try reader.bits(8) == extended { try reader.skip(32) }
  }

  private mutating func readSignalType(_ reader: inout BitReader) throws(BitstreamError) {
    videoFormat = try reader.bits(3)
    color.range = try reader.flag() ? .full : .limited
    guard try reader.flag() else { return }
    let (primaries, transfer) = (try reader.bits(8), try reader.bits(8))
    color = CodedColor(
      range: color.range, matrix: try reader.bits(8), transfer: transfer, primaries: primaries)
  }

  /// What to write so that it says this colour, and nothing else that it did not say.
  func splice(saying color: CodedColor) -> BitSplice {
    var writer = BitWriter()
    if !isPresent { writer.append(0b100, width: 3) }  // a VUI, no aspect ratio, no overscan
    writer.append(true)
    writer.append(videoFormat, width: 3)
    writer.append(color.range == .full)
    writer.append(true)
    for code in [color.primaries, color.transfer, color.matrix] {
      writer.append(code ?? CodedColor.unspecified, width: 8)
    }
    if !isPresent { writer.append(0, width: flagsBehind) }
    return BitSplice(bits, writer)
  }
}
