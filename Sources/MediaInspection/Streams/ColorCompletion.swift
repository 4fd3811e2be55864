/// Makes the headers of a stream say the colour of its samples, where the encoder did not, or said another.

import MediaFormats

/// All else in them stays as it is, bit by bit; headers that say the colour already are not touched at all.
package struct ColorCompletion: Sendable {
  private let syntax: HeaderSyntax
  private let color: CodedColor
  private let assumption: CodedColor

  /// - Parameters:
  ///   - codec: as presets name it.
  ///   - color: the truth. Where a field of it is not known, the header keeps its own.
  ///   - assumption: said where the header says nothing either.
  /// - Returns: `nil` for a codec whose stream has no place for colour, as VP8.
  package init?(codec: String, color: CodedColor, assumption: CodedColor = CodedColor()) {
    guard let syntax = HeaderSyntax(rawValue: codec), !color.isSilent || !assumption.isSilent else { return nil }
    self.syntax = syntax
    self.color = color
    self.assumption = assumption
  }

  /// False for frames that cannot have a header. An intra-only frame of VP9 has one although it is none of the key
  /// frames.
  package func mayConcern(keyFrame isKeyFrame: Bool) -> Bool { isKeyFrame || syntax == .vp9 }

  /// - Parameter framing: of NAL units; of no account for the other codecs.
  /// - Returns: `nil` where nothing has to change, also where the frame has no header.
  package func completed(frame: [UInt8], _ framing: NALUnits.Framing) throws(BitstreamError) -> [UInt8]? {
    try completed(frame, syntax.places(inFrame: frame, framing))
  }

  /// The same for an `avcC`, `hvcC` or `av1C` record, or Matroska's CodecPrivate.
  package func completed(configuration: [UInt8]) throws(BitstreamError) -> [UInt8]? {
    try completed(configuration, try syntax.places(inConfiguration: configuration))
  }

  private func completed(
    _ bytes: [UInt8], _ places: HeaderSyntax.Places
  ) throws(BitstreamError) -> [UInt8]? {
    var pieces: [(Range<Int>, [UInt8])] = []
    for range in places.ranges {
      if let piece = try completed(header: bytes[range]) { pieces.append((range, piece)) }
    }
    return pieces.isEmpty ? nil : try bytes.replacing(pieces, lengthSize: places.lengthSize)
  }

  private func completed(header stored: ArraySlice<UInt8>) throws(BitstreamError) -> [UInt8]? {
    let read = try syntax.read(stored)
    let own = read.header.color
    let wanted = color.completed(from: own).completed(from: assumption)
    guard wanted.matrix != CodedColor.identityMatrix || [.rgb, .yuv444].contains(read.header.chroma) else {
      throw .unsayable("the identity matrix is for 4:4:4 only")
    }
    return try syntax.rewritten(stored, try read.splice(saying: wanted))
  }
}
