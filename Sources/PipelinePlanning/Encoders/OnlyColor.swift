/// Codecs whose streams can say one colour only, as JPEG: what is recorded with them has to have it.

public import MediaFormats

extension EncoderProfile {
  /// What is `nil` may be anything.
  public struct OnlyColor: Sendable, Hashable {
    public var range: ColorRange?
    public var matrix: ColorMatrix?
  }
}

extension EncoderProfile.OnlyColor {
  /// The wish with what nobody asked for as the codec has it.
  func held(_ wish: ColorWish, by encoder: String) throws(PlanningError) -> ColorWish {
    var held = wish
    if let range {
      guard wish.range ?? range == range else {
        throw .colorNotHeld(
          "\(range == .full ? ColorRange.limited.name : ColorRange.full.name) range", only: "\(range.name) range",
          encoder: encoder, key: "request")
      }
      held.range = range
    }
    if let matrix {
      guard wish.matrix ?? matrix == matrix else {
        throw .colorNotHeld(
          "the matrix \(wish.matrix?.presetWord ?? "")", only: "the matrix \(matrix.presetWord)", encoder: encoder,
          key: "matrix")
      }
      held.matrix = matrix
    }
    return held
  }
}

extension ColorMatrix {
  fileprivate var presetWord: String { self == .bt709 ? "bt709" : "bt601" }
}
