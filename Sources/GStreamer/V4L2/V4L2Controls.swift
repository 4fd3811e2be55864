/// A camera's controls: exposure, focus, gain and their like (`VIDIOC_QUERY_EXT_CTRL` and its older sisters).

import CGStreamer
import Glibc

package struct V4L2Control: Sendable, Hashable {
  package let id: UInt32
  /// As the driver writes it, `Exposure, Dynamic Framerate`.
  package let title: String
  /// As v4l2-ctl prints it, `exposure_dynamic_framerate`.
  package let name: String
  package let type: V4L2ControlType
  package let minimum: Int64
  package let maximum: Int64
  package let step: Int64
  package let defaultValue: Int64
  /// `nil` where it cannot be read, or is no number.
  package let value: Int64?
  /// The values a menu allows; empty for other types.
  package let menu: [V4L2MenuItem]
  package let flags: Set<V4L2ControlFlag>

  /// True where setting it can have an effect now.
  package var isSettable: Bool { flags.isDisjoint(with: [.disabled, .readOnly, .grabbed, .inactive]) }
}

package struct V4L2MenuItem: Sendable, Hashable {
  package let index: Int64
  /// For a menu of numbers the number.
  package let name: String
}

package enum V4L2ControlType: UInt32, Sendable, Hashable {
  case integer = 1
  case boolean, menu, button, integer64, controlClass, string, bitmask, integerMenu
  /// A type that is no plain number.
  case compound = 0x100
}

package enum V4L2ControlFlag: UInt32, Sendable, Hashable, CaseIterable {
  case disabled = 1
  /// In use by another program.
  case grabbed = 2
  case readOnly = 4
  case update = 8
  /// Without effect until another control is changed, as manual exposure under automatic.
  case inactive = 0x10
  case slider = 0x20
  case writeOnly = 0x40
  /// Changes by itself.
  case volatile = 0x80
}

extension V4L2Node {
  /// A driver that goes in circles is not asked more often than this.
  private static let limit = 1024

  /// All controls, each once, in the driver's order; titles of classes are left out.
  package func controls() throws(V4L2Error) -> [V4L2Control] {
    var controls: [V4L2Control] = []
    let next = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
    var last: UInt32 = 0
    for _ in 0..<V4L2Node.limit {
      var raw = capstan_v4l2_control()
      let outcome = unsafe capstan_v4l2_query_control(descriptor, last | next, &raw)
      if outcome == ENODEV { throw .gone(path: path) }
      guard outcome == 0, raw.id > last else { break }
      last = raw.id
      if raw.type != V4L2ControlType.controlClass.rawValue { controls.append(makeControl(raw)) }
    }
    return controls
  }

  /// By the name that v4l2-ctl prints, or by the driver's title.
  package func control(named name: String) throws(V4L2Error) -> V4L2Control? {
    let wanted = V4L2Control.name(ofTitle: name)
    return try controls().first { $0.name == wanted }
  }

  /// Reads a control now (`VIDIOC_G_EXT_CTRLS`).
  package func value(of control: V4L2Control) throws(V4L2Error) -> Int64 {
    var value: Int64 = 0
    let outcome = unsafe capstan_v4l2_get_control(descriptor, control.id, control.type == .integer64, &value)
    try check("VIDIOC_G_EXT_CTRLS", outcome)
    return value
  }

  /// Sets a control (`VIDIOC_S_EXT_CTRLS`). The driver may round or clamp: read it back.
  package func set(_ control: V4L2Control, to value: Int64) throws(V4L2Error) {
    let outcome = capstan_v4l2_set_control(descriptor, control.id, control.type == .integer64, value)
    switch outcome {
    case 0: return
    case ENODEV: throw .gone(path: path)
    default:
      throw .controlRefused(path: path, control: control.name, value: value, text: V4L2Error.text(outcome))
    }
  }

  private func makeControl(_ raw: capstan_v4l2_control) -> V4L2Control {
    let type = V4L2ControlType(rawValue: raw.type) ?? .compound
    let title = text(ofBytes: raw.name)
    return V4L2Control(
      id: raw.id, title: title, name: V4L2Control.name(ofTitle: title), type: type, minimum: raw.min,
      maximum: raw.max, step: raw.step, defaultValue: raw.default_value, value: currentValue(raw, type),
      menu: menu(raw, type), flags: Set(V4L2ControlFlag.allCases.filter { raw.flags & $0.rawValue != 0 }))
  }

  private func currentValue(_ raw: capstan_v4l2_control, _ type: V4L2ControlType) -> Int64? {
    let silent = V4L2ControlFlag.disabled.rawValue | V4L2ControlFlag.writeOnly.rawValue
    guard ![.button, .string, .compound, .controlClass].contains(type), raw.flags & silent == 0, raw.elements <= 1
    else { return nil }
    var value: Int64 = 0
    guard unsafe capstan_v4l2_get_control(descriptor, raw.id, type == .integer64, &value) == 0 else { return nil }
    return value
  }

  /// Menus have holes: an index that is refused is left out.
  private func menu(_ raw: capstan_v4l2_control, _ type: V4L2ControlType) -> [V4L2MenuItem] {
    guard type == .menu || type == .integerMenu, raw.min >= 0, raw.max >= raw.min, raw.max - raw.min < 256 else {
      return []
    }
    return (raw.min...raw.max).compactMap { index in
      var name = [CChar](repeating: 0, count: 33)
      var number: Int64 = 0
      guard unsafe capstan_v4l2_query_menu(descriptor, raw.id, UInt32(clamping: index), &name, &number) == 0 else {
        return nil
      }
      let label = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return V4L2MenuItem(index: index, name: type == .integerMenu ? "\(number)" : label)
    }
  }
}

extension V4L2Control {
  /// Letters and digits in lower case, everything between them one underscore, as v4l2-ctl does it.
  package static func name(ofTitle title: String) -> String {
    title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "_")
  }
}
