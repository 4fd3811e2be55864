/// Sizes and rates that a structure of caps admits, and the nearest ones.

import MediaFormats

extension CapsStructure {
  func admits(_ size: VideoDimensions?) -> Bool {
    guard let size else { return true }
    return self["width"].admits(size.width) && self["height"].admits(size.height)
  }

  func admits(_ rate: Fraction?) -> Bool { rate.map { self["framerate"].admits($0) } ?? true }

  /// `nil` where the size does, or where nothing is wished and none is fixed.
  func nearest(to size: VideoDimensions?) -> VideoDimensions? {
    guard let size else {
      guard case .int(let width)? = self["width"], case .int(let height)? = self["height"] else { return nil }
      return VideoDimensions(width: width, height: height)
    }
    if admits(size) { return nil }
    // The shape is kept where the height is free: even sides, as subsampled chroma needs them.
    let width = self["width"].nearest(to: size.width)
    let height = self["height"].nearest(to: width * size.height / max(1, size.width) / 2 * 2)
    let free = self["width"].nearest(to: height * size.width / max(1, size.height) / 2 * 2)
    return VideoDimensions(width: self["height"].admits(size.height) ? width : free, height: height)
  }

  /// `nil` where the rate does, or where nothing is wished and none is fixed.
  func nearest(to rate: Fraction?) -> Fraction? {
    guard let rate else {
      if case .fraction(let fixed)? = self["framerate"], fixed.numerator > 0 { return fixed }
      return nil
    }
    return admits(rate) ? nil : self["framerate"].nearest(to: rate)
  }
}

/// A field that is not there admits everything.
extension CapsValue? {
  fileprivate func admits(_ number: Int) -> Bool { self == nil || nearest(to: number) == number }

  fileprivate func nearest(to number: Int) -> Int {
    switch self {
    case .int(let fixed): fixed
    case .intRange(let least, let most, let step):
      least + (Swift.min(Swift.max(number, least), most) - least) / Swift.max(1, step) * Swift.max(1, step)
    case .list(let values):
      values.map { Optional($0).nearest(to: number) }.min { abs($0 - number) < abs($1 - number) } ?? number
    default: number
    }
  }

  fileprivate func admits(_ rate: Fraction) -> Bool { self == nil || nearest(to: rate).isSameRate(as: rate) }

  fileprivate func nearest(to rate: Fraction) -> Fraction {
    switch self {
    // A rate of 0 stands for one that varies.
    case .fraction(let fixed): fixed.numerator > 0 ? fixed : rate
    case .fractionRange(let least, let most): rate < least ? least : most < rate ? most : rate
    case .list(let values):
      values.map { Optional($0).nearest(to: rate) }.min { abs($0.value - rate.value) < abs($1.value - rate.value) }
        ?? rate
    default: rate
    }
  }
}
