/// A property's value to and from `GValue`, with every number checked against the property's own range first.

import CGStreamer
import MediaFormats

/// What became of a value on its way into a `GValue`.
enum PropertyFilling { case filled, unreadable, outOfRange }

extension PropertyValue {
  /// `value` has been initialised with the property's type.
  func fill(_ value: UnsafeMutablePointer<GValue>, for spec: UnsafeMutablePointer<GParamSpec>) -> PropertyFilling {
    switch unsafe PropertyDomain(spec) {
    case .bool: unsafe fill(bool: value)
    case .integers(let min, let max): unsafe fill(value, min: min, max: max, spec)
    case .reals(let min, let max): unsafe fill(value, min: min, max: max, spec)
    case .fractions(let min, let max): unsafe fill(value, min: min, max: max)
    case .choices(let choices): unsafe fill(value, choices, spec)
    case .flags(let choices): unsafe fill(value, flags: choices, spec)
    case .string: unsafe fill(string: value)
    case .caps: unsafe fill(caps: value)
    case .other: unsafe deserialize(into: value, for: spec)
    }
  }

  private func fill(bool value: UnsafeMutablePointer<GValue>) -> PropertyFilling {
    let truth: Bool
    switch self {
    case .bool(let given): truth = given
    case .int(0), .string("false"), .string("no"), .string("0"): truth = false
    case .int(1), .string("true"), .string("yes"), .string("1"): truth = true
    default: return .unreadable
    }
    unsafe g_value_set_boolean(value, truth ? 1 : 0)
    return .filled
  }

  private func fill(
    _ value: UnsafeMutablePointer<GValue>, min: Int128, max: Int128, _ spec: UnsafeMutablePointer<GParamSpec>
  ) -> PropertyFilling {
    guard let number = wholeNumber else { return unsafe deserialize(into: value, for: spec) }
    guard number >= min, number <= max else { return .outOfRange }
    switch unsafe value.pointee.g_type {
    case capstan_type_char(): unsafe g_value_set_schar(value, gint8(number))
    case capstan_type_uchar(): unsafe g_value_set_uchar(value, guchar(number))
    case capstan_type_int(): unsafe g_value_set_int(value, gint(number))
    case capstan_type_uint(): unsafe g_value_set_uint(value, guint(number))
    case capstan_type_long(): unsafe g_value_set_long(value, glong(number))
    case capstan_type_ulong(): unsafe g_value_set_ulong(value, gulong(number))
    case capstan_type_int64(): unsafe g_value_set_int64(value, gint64(number))
    case capstan_type_uint64(): unsafe g_value_set_uint64(value, guint64(number))
    default: return .unreadable
    }
    return .filled
  }

  private func fill(
    _ value: UnsafeMutablePointer<GValue>, min: Double, max: Double, _ spec: UnsafeMutablePointer<GParamSpec>
  ) -> PropertyFilling {
    guard let number else { return unsafe deserialize(into: value, for: spec) }
    guard number >= min, number <= max else { return .outOfRange }
    if unsafe value.pointee.g_type == capstan_type_float() {
      unsafe g_value_set_float(value, gfloat(number))
    } else {
      unsafe g_value_set_double(value, number)
    }
    return .filled
  }

  private func fill(_ value: UnsafeMutablePointer<GValue>, min: Fraction, max: Fraction) -> PropertyFilling {
    let fraction: Fraction? =
      switch self {
      case .fraction(let given): given
      case .int(let whole): Fraction(checking: whole, over: 1)
      case .string(let text): Fraction(parsing: text)
      default: nil
      }
    guard let fraction else { return .unreadable }
    guard fraction >= min, fraction <= max, let numerator = gint(exactly: fraction.numerator),
      let denominator = gint(exactly: fraction.denominator)
    else { return .outOfRange }
    unsafe gst_value_set_fraction(value, numerator, denominator)
    return .filled
  }

  private func fill(
    _ value: UnsafeMutablePointer<GValue>, _ choices: [PropertyChoice], _ spec: UnsafeMutablePointer<GParamSpec>
  ) -> PropertyFilling {
    if let number = wholeNumber {
      guard choices.contains(where: { Int128($0.value) == number }) else { return .unreadable }
      unsafe g_value_set_enum(value, gint(number))
      return .filled
    }
    return unsafe deserialize(into: value, for: spec)
  }

  private func fill(
    _ value: UnsafeMutablePointer<GValue>, flags choices: [PropertyChoice], _ spec: UnsafeMutablePointer<GParamSpec>
  ) -> PropertyFilling {
    if let number = wholeNumber {
      let all = choices.reduce(0) { $0 | $1.value }
      guard number >= 0, number & ~Int128(all) == 0 else { return .unreadable }
      unsafe g_value_set_flags(value, guint(number))
      return .filled
    }
    return unsafe deserialize(into: value, for: spec)
  }

  /// As it stands: deserializing would take quotes and backslashes out of file names.
  private func fill(string value: UnsafeMutablePointer<GValue>) -> PropertyFilling {
    guard case .string(let text) = self else { return .unreadable }
    unsafe g_value_set_string(value, text)
    return .filled
  }

  private func fill(caps value: UnsafeMutablePointer<GValue>) -> PropertyFilling {
    let caps: Caps? =
      switch self {
      case .caps(let given): given
      case .string(let text): Caps(parsing: text)
      default: nil
      }
    guard let caps else { return .unreadable }
    let made = unsafe caps.makeCaps()
    unsafe g_value_set_boxed(value, made.pointer)
    return .filled
  }

  /// `gst_value_deserialize_with_pspec`.
  private func deserialize(
    into value: UnsafeMutablePointer<GValue>, for spec: UnsafeMutablePointer<GParamSpec>
  ) -> PropertyFilling {
    guard case .string(let text) = self else { return .unreadable }
    return unsafe gst_value_deserialize_with_pspec(value, text, spec) != 0 ? .filled : .unreadable
  }

  private var wholeNumber: Int128? {
    switch self {
    case .int(let number): Int128(number)
    case .double(let number): Int128(exactly: number)
    case .string(let text): Int128(text)
    default: nil
    }
  }

  private var number: Double? {
    let number: Double? =
      switch self {
      case .int(let number): Double(number)
      case .double(let number): number
      case .string(let text): Double(text)
      default: nil
      }
    return number.flatMap { $0.isNaN ? nil : $0 }
  }
}

extension PropertyValue {
  /// `nil` where the value has no form as a number or text.
  init?(copying value: UnsafePointer<GValue>) {
    let type = unsafe value.pointee.g_type
    switch type {
    case capstan_type_boolean(): self = unsafe .bool(g_value_get_boolean(value) != 0)
    case capstan_type_string(): self = unsafe .string(copied(g_value_get_string(value)) ?? "")
    case capstan_type_float(): self = unsafe .double(Double(g_value_get_float(value)))
    case capstan_type_double(): self = unsafe .double(g_value_get_double(value))
    case gst_fraction_get_type():
      guard case .fraction(let fraction) = unsafe CapsValue(copying: value) else { return nil }
      self = .fraction(fraction)
    case gst_caps_get_type():
      guard let caps = unsafe gst_value_get_caps(value) else { return nil }
      self = unsafe .caps(Caps(copying: caps))
    default:
      guard let given = unsafe PropertyValue(integer: value) ?? PropertyValue(text: value) else { return nil }
      self = given
    }
  }

  /// An unsigned number too large for `Int` comes as text.
  private init?(integer value: UnsafePointer<GValue>) {
    switch unsafe value.pointee.g_type {
    case capstan_type_char(): self = unsafe .int(Int(g_value_get_schar(value)))
    case capstan_type_uchar(): self = unsafe .int(Int(g_value_get_uchar(value)))
    case capstan_type_int(): self = unsafe .int(Int(g_value_get_int(value)))
    case capstan_type_uint(): self = unsafe .int(Int(g_value_get_uint(value)))
    case capstan_type_long(): self = unsafe .int(g_value_get_long(value))
    case capstan_type_int64(): self = unsafe .int(Int(g_value_get_int64(value)))
    case capstan_type_ulong(): self = unsafe PropertyValue(unsigned: UInt64(g_value_get_ulong(value)))
    case capstan_type_uint64(): self = unsafe PropertyValue(unsigned: UInt64(g_value_get_uint64(value)))
    default: return nil
    }
  }

  private init(unsigned number: UInt64) {
    self = Int(exactly: number).map { .int($0) } ?? .string("\(number)")
  }

  /// `gst_value_serialize`; enumerations and flags by their short names.
  private init?(text value: UnsafePointer<GValue>) {
    let type = unsafe value.pointee.g_type
    switch capstan_fundamental(type) {
    case capstan_type_enum():
      let number = unsafe Int(g_value_get_enum(value))
      let choice = PropertyChoice.all(ofEnumeration: type).first { $0.value == number }
      self = choice.map { .string($0.name) } ?? .int(number)
    case capstan_type_flags():
      guard let names = unsafe PropertyValue.flagNames(value, type) else { return nil }
      self = .string(names)
    default:
      guard unsafe !capstan_value_is_opaque(value), let text = unsafe adopted(gst_value_serialize(value)) else {
        return nil
      }
      self = .string(text)
    }
  }

  /// Whole names first: of flags that share bits the one that explains most.
  private static func flagNames(_ value: UnsafePointer<GValue>, _ type: GType) -> String? {
    var left = unsafe Int(g_value_get_flags(value))
    let choices = PropertyChoice.all(ofFlags: type)
    guard left != 0 else { return choices.first { $0.value == 0 }?.name ?? "" }
    var names: [String] = []
    for choice in choices.sorted(by: { $0.value.nonzeroBitCount > $1.value.nonzeroBitCount })
    where choice.value != 0 && left & choice.value == choice.value {
      names.append(choice.name)
      left &= ~choice.value
    }
    return names.joined(separator: "+")
  }
}
