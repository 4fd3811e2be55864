/// What a property takes: a range, a set of names, or anything of its type.

import CGStreamer
package import MediaFormats

package enum PropertyDomain: Sendable, Hashable {
  case bool
  /// Inclusive on both ends.
  case integers(min: Int128, max: Int128)
  /// Inclusive on both ends.
  case reals(min: Double, max: Double)
  /// Inclusive on both ends.
  case fractions(min: Fraction, max: Fraction)
  /// One of these.
  case choices([PropertyChoice])
  /// Any of these, joined by `+`.
  case flags([PropertyChoice])
  case string
  case caps
  /// A type without limits of its own, by its name in GLib.
  case other(type: String)
}

/// One value of an enumeration or of flags.
package struct PropertyChoice: Sendable, Hashable {
  package let value: Int
  /// As it is written, `superfast`.
  package let name: String
  package let blurb: String
}

extension PropertyDomain: CustomStringConvertible {
  /// As it ends the sentence "… takes".
  package var description: String {
    switch self {
    case .bool: "true or false"
    case .integers(let min, let max): "a whole number from \(min) to \(max)"
    case .reals(let min, let max): "a number from \(min) to \(max)"
    case .fractions(let min, let max): "a fraction from \(min) to \(max)"
    case .choices(let choices): "one of \(choices.map(\.name).joined(separator: ", "))"
    case .flags(let choices): "any of \(choices.map(\.name).joined(separator: ", ")), joined by +"
    case .string: "a text"
    case .caps: "caps such as video/x-raw,format=I420"
    case .other(let type): "a \(type) as gst-launch-1.0 writes it"
    }
  }
}

extension PropertyDomain {
  /// `GParamSpec` and its thirty kinds.
  init(_ spec: UnsafeMutablePointer<GParamSpec>) {
    let type = unsafe spec.pointee.value_type
    switch capstan_fundamental(type) {
    case capstan_type_boolean(): self = .bool
    case capstan_type_string(): self = .string
    case capstan_type_enum(): self = .choices(PropertyChoice.all(ofEnumeration: type))
    case capstan_type_flags(): self = .flags(PropertyChoice.all(ofFlags: type))
    default:
      if type == gst_caps_get_type() {
        self = .caps
      } else {
        self = unsafe PropertyDomain(fractionOf: spec) ?? PropertyDomain(numberOf: spec)
      }
    }
  }

  private init(numberOf spec: UnsafeMutablePointer<GParamSpec>) {
    let range = unsafe capstan_range_of(spec)
    switch range.kind {
    case CAPSTAN_RANGE_SIGNED: self = .integers(min: Int128(range.min), max: Int128(range.max))
    case CAPSTAN_RANGE_UNSIGNED: self = .integers(min: Int128(range.umin), max: Int128(range.umax))
    case CAPSTAN_RANGE_REAL: self = .reals(min: range.dmin, max: range.dmax)
    default: self = unsafe .other(type: copied(g_type_name(spec.pointee.value_type)) ?? "value")
    }
  }

  private init?(fractionOf spec: UnsafeMutablePointer<GParamSpec>) {
    var parts: (CInt, CInt, CInt, CInt) = (0, 1, 0, 1)
    let isFraction = unsafe withUnsafeMutableBytes(of: &parts) {
      unsafe capstan_fraction_range(spec, $0.assumingMemoryBound(to: CInt.self).baseAddress)
    }
    guard isFraction, let min = Fraction(checking: Int(parts.0), over: Int(parts.1)),
      let max = Fraction(checking: Int(parts.2), over: Int(parts.3))
    else { return nil }
    self = .fractions(min: min, max: max)
  }
}

extension PropertyChoice {
  /// `GEnumClass`.
  static func all(ofEnumeration type: GType) -> [PropertyChoice] {
    guard let known = unsafe g_type_class_ref(type) else { return [] }
    defer { unsafe g_type_class_unref(known) }
    let values = unsafe known.assumingMemoryBound(to: GEnumClass.self).pointee
    return unsafe (0..<Int(values.n_values)).map { index in
      let value = unsafe values.values[index]
      return unsafe PropertyChoice(
        value: Int(value.value), name: copied(value.value_nick) ?? "", blurb: copied(value.value_name) ?? "")
    }
  }

  /// `GFlagsClass`.
  static func all(ofFlags type: GType) -> [PropertyChoice] {
    guard let known = unsafe g_type_class_ref(type) else { return [] }
    defer { unsafe g_type_class_unref(known) }
    let values = unsafe known.assumingMemoryBound(to: GFlagsClass.self).pointee
    return unsafe (0..<Int(values.n_values)).map { index in
      let value = unsafe values.values[index]
      return unsafe PropertyChoice(
        value: Int(value.value), name: copied(value.value_nick) ?? "", blurb: copied(value.value_name) ?? "")
    }
  }
}
