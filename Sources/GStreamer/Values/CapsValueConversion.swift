/// One field's value of caps or of a message, from `GValue` and back.

import CGStreamer
import MediaFormats

extension CapsValue {
  init(copying value: UnsafePointer<GValue>) {
    switch unsafe value.pointee.g_type {
    case capstan_type_int(): self = unsafe .int(Int(g_value_get_int(value)))
    case capstan_type_double(): self = unsafe .double(g_value_get_double(value))
    case capstan_type_boolean(): self = unsafe .bool(g_value_get_boolean(value) != 0)
    case capstan_type_string(): self = unsafe .string(copied(g_value_get_string(value)) ?? "")
    case gst_int_range_get_type():
      self = unsafe .intRange(
        min: Int(gst_value_get_int_range_min(value)), max: Int(gst_value_get_int_range_max(value)),
        step: Int(gst_value_get_int_range_step(value)))
    case gst_fraction_get_type():
      self = unsafe CapsValue(fraction: value)
    case gst_fraction_range_get_type():
      self = unsafe CapsValue(fractionRange: value)
    case gst_value_list_get_type():
      self = unsafe .list(
        (0..<gst_value_list_get_size(value)).map { unsafe CapsValue(copying: gst_value_list_get_value(value, $0)) })
    case gst_value_array_get_type():
      self = unsafe .array(
        (0..<gst_value_array_get_size(value)).map { unsafe CapsValue(copying: gst_value_array_get_value(value, $0)) })
    default: self = unsafe CapsValue(serialized: value)
    }
  }

  private init(fraction value: UnsafePointer<GValue>) {
    let numerator = unsafe Int(gst_value_get_fraction_numerator(value))
    let denominator = unsafe Int(gst_value_get_fraction_denominator(value))
    self = .fraction(Fraction(checking: numerator, over: denominator) ?? Fraction(0))
  }

  private init(fractionRange value: UnsafePointer<GValue>) {
    guard let min = unsafe gst_value_get_fraction_range_min(value),
      let max = unsafe gst_value_get_fraction_range_max(value),
      case .fraction(let low) = unsafe CapsValue(fraction: min),
      case .fraction(let high) = unsafe CapsValue(fraction: max)
    else {
      self = .fractionRange(min: Fraction(0), max: Fraction(Int(Int32.max)))
      return
    }
    self = .fractionRange(min: low, max: high)
  }

  /// `gst_value_serialize`, under the short name that caps use for the type.
  private init(serialized value: UnsafePointer<GValue>) {
    let type = unsafe copied(g_type_name(value.pointee.g_type)) ?? "unknown"
    let text = unsafe adopted(gst_value_serialize(value)) ?? ""
    self = .other(type: CapsValue.shortNames[type] ?? type, text: text)
  }

  /// The names `gst_caps_to_string` writes in place of these types; a range goes by the name of what it ranges over.
  private static let shortNames = [
    "guint": "uint", "gfloat": "float", "GstBuffer": "buffer", "GstStructure": "structure", "GDate": "date",
    "GstDateTime": "datetime", "GstBitmask": "bitmask", "GstFlagSet": "flagset", "GstSample": "sample",
    "GstTagList": "taglist", "GType": "type", "GstDoubleRange": "double", "GstInt64Range": "gint64",
  ]
}

extension CapsValue {
  /// Calls `body` with the same in C, which lives as long as the call.
  func withValue(_ body: (UnsafeMutablePointer<GValue>) -> Void) {
    var value = GValue()
    defer { if value.g_type != 0 { unsafe g_value_unset(&value) } }
    unsafe fill(&value)
    guard value.g_type != 0 else { return }
    unsafe body(&value)
  }

  private func fill(_ value: UnsafeMutablePointer<GValue>) {
    switch self {
    case .int(let number): unsafe CapsValue.fill(value, integer: number)
    case .double(let number):
      unsafe g_value_init(value, capstan_type_double())
      unsafe g_value_set_double(value, number)
    case .bool(let truth):
      unsafe g_value_init(value, capstan_type_boolean())
      unsafe g_value_set_boolean(value, truth ? 1 : 0)
    case .string(let text):
      unsafe g_value_init(value, capstan_type_string())
      unsafe g_value_set_string(value, text)
    case .fraction(let fraction): unsafe CapsValue.fill(value, fraction: fraction)
    case .intRange(let min, let max, let step): unsafe CapsValue.fill(value, range: min, max, step)
    case .fractionRange(let min, let max): unsafe CapsValue.fill(value, range: min, max)
    case .list(let items): unsafe CapsValue.fill(value, items, type: gst_value_list_get_type())
    case .array(let items): unsafe CapsValue.fill(value, items, type: gst_value_array_get_type())
    case .other(let type, let text): unsafe CapsValue.fill(value, type: type, text: text)
    }
  }

  private static func fill(_ value: UnsafeMutablePointer<GValue>, integer: Int) {
    if let narrow = gint(exactly: integer) {
      unsafe g_value_init(value, capstan_type_int())
      unsafe g_value_set_int(value, narrow)
    } else {
      unsafe g_value_init(value, capstan_type_int64())
      unsafe g_value_set_int64(value, gint64(integer))
    }
  }

  private static func fill(_ value: UnsafeMutablePointer<GValue>, fraction: Fraction) {
    unsafe g_value_init(value, gst_fraction_get_type())
    unsafe gst_value_set_fraction(
      value, gint(clamping: fraction.numerator), gint(clamping: fraction.denominator))
  }

  /// A range of one value is that value: GStreamer refuses an empty or single one.
  private static func fill(_ value: UnsafeMutablePointer<GValue>, range min: Int, _ max: Int, _ step: Int) {
    guard min < max else { return unsafe fill(value, integer: min) }
    unsafe g_value_init(value, gst_int_range_get_type())
    unsafe gst_value_set_int_range_step(value, gint(clamping: min), gint(clamping: max), gint(clamping: step))
  }

  private static func fill(_ value: UnsafeMutablePointer<GValue>, range min: Fraction, _ max: Fraction) {
    guard min < max else { return unsafe fill(value, fraction: min) }
    unsafe g_value_init(value, gst_fraction_range_get_type())
    unsafe gst_value_set_fraction_range_full(
      value, gint(clamping: min.numerator), gint(clamping: min.denominator), gint(clamping: max.numerator),
      gint(clamping: max.denominator))
  }

  private static func fill(_ value: UnsafeMutablePointer<GValue>, _ items: [CapsValue], type: GType) {
    unsafe g_value_init(value, type)
    for item in items {
      unsafe item.withValue {
        if type == gst_value_list_get_type() {
          unsafe gst_value_list_append_value(value, $0)
        } else {
          unsafe gst_value_array_append_value(value, $0)
        }
      }
    }
  }

  /// Left without a type where the text cannot be read back. By way of a structure, whose reader knows the short
  /// names and the ranges.
  private static func fill(_ value: UnsafeMutablePointer<GValue>, type: String, text: String) {
    guard let structure = unsafe gst_structure_from_string("x, y=(\(type))\(text)", nil) else { return }
    defer { unsafe gst_structure_free(structure) }
    guard let read = unsafe gst_structure_get_value(structure, "y") else { return }
    unsafe g_value_init(value, read.pointee.g_type)
    unsafe g_value_copy(read, value)
  }
}
