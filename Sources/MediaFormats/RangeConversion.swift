/// Another range for samples of YUV, by arithmetic; a label alone changes no sample.

/// Between 16...235 for luma with 16...240 for chroma, and 0...255 for both (ITU-R BT.601, BT.709; ITU-T T.871).
public enum RangeConversion: Sendable, Hashable, CaseIterable {
  /// Limited to full.
  case expand
  /// Full to limited.
  case compress
}
