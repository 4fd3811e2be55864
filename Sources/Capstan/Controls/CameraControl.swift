/// One control of a camera, as exposure, focus or gain: what it is, what it takes, and what it is set to.

import GStreamer

public struct CameraControl: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, Encodable {
    case integer, boolean, menu
    /// A menu of numbers.
    case integerMenu
    /// Does something when it is set; has no value.
    case button
    case bitmask
    /// Text and structures, which are shown and cannot be set here.
    case other
  }

  public struct MenuItem: Sendable, Hashable, Encodable {
    /// What the control is set to.
    public var number: Int64
    /// For a menu of numbers the number in words.
    public var name: String

    public init(number: Int64, name: String) {
      self.number = number
      self.name = name
    }
  }

  /// As v4l2-ctl prints it, `exposure_time_absolute`.
  public var name: String
  /// The driver's own, `Exposure Time, Absolute`.
  public var title: String
  public var kind: Kind
  /// Inclusive.
  public var minimum: Int64
  /// Inclusive.
  public var maximum: Int64
  public var step: Int64
  public var defaultValue: Int64
  /// `nil` where it cannot be read.
  public var value: Int64?
  /// What a menu offers; empty for other kinds.
  public var menu: [MenuItem]
  /// Why setting it would have no effect now, as the end of a sentence; `nil` where it can be set.
  public var obstacle: String?
  /// True where the obstacle is another control, which can be changed.
  public var isOverridden: Bool

  public init(
    name: String, title: String, kind: Kind, minimum: Int64 = 0, maximum: Int64 = 0, step: Int64 = 1,
    defaultValue: Int64 = 0, value: Int64? = nil, menu: [MenuItem] = [], obstacle: String? = nil,
    isOverridden: Bool = false
  ) {
    self.name = name
    self.title = title
    self.kind = kind
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.defaultValue = defaultValue
    self.value = value
    self.menu = menu
    self.obstacle = obstacle
    self.isOverridden = isOverridden
  }

  public var isSettable: Bool { obstacle == nil }

  /// What it takes, in words: `0 to 255`, `on or off`, the items of a menu.
  public var allowedValues: String {
    switch kind {
    case .boolean: "on or off"
    case .menu, .integerMenu: menu.map { "\($0.number) (\($0.name))" }.joined(separator: ", ")
    case .button: "1"
    case .other: "-"
    case .integer where step > 1: "\(minimum) to \(maximum) in steps of \(step)"
    case .integer, .bitmask: "\(minimum) to \(maximum)"
    }
  }

  /// A value in words: a menu's item with its name.
  public func text(for value: Int64) -> String {
    switch kind {
    case .boolean: value == 0 ? "off" : "on"
    case .menu, .integerMenu: menu.first { $0.number == value }.map { "\(value) (\($0.name))" } ?? "\(value)"
    default: "\(value)"
    }
  }
}

extension CameraControl: Encodable {
  private enum CodingKeys: CodingKey {
    case name, title, kind, minimum, maximum, step, defaultValue, value, menu, settable, obstacle
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(title, forKey: .title)
    try container.encode(kind, forKey: .kind)
    try container.encode(minimum, forKey: .minimum)
    try container.encode(maximum, forKey: .maximum)
    try container.encode(step, forKey: .step)
    try container.encode(defaultValue, forKey: .defaultValue)
    try container.encode(value, forKey: .value)
    try container.encode(menu, forKey: .menu)
    try container.encode(isSettable, forKey: .settable)
    try container.encodeIfPresent(obstacle, forKey: .obstacle)
  }
}

extension CameraControl {
  init(_ control: V4L2Control) {
    self.init(
      name: control.name, title: control.title, kind: Kind(control.type), minimum: control.minimum,
      maximum: control.maximum, step: control.step, defaultValue: control.defaultValue, value: control.value,
      menu: control.menu.map { MenuItem(number: $0.index, name: $0.name) }, obstacle: CameraControl.obstacle(control),
      isOverridden: control.flags.isDisjoint(with: [.disabled, .readOnly, .grabbed])
        && control.flags.contains(.inactive))
  }

  private static func obstacle(_ control: V4L2Control) -> String? {
    if Kind(control.type) == .other { return "its values are no numbers" }
    if control.flags.contains(.disabled) { return "the driver has it switched off" }
    if control.flags.contains(.readOnly) { return "it can only be read" }
    if control.flags.contains(.grabbed) { return "another program holds it" }
    if control.flags.contains(.inactive) { return "another control, as an automatic one, overrides it" }
    return nil
  }
}

extension CameraControl.Kind {
  init(_ type: V4L2ControlType) {
    switch type {
    case .integer, .integer64: self = .integer
    case .boolean: self = .boolean
    case .menu: self = .menu
    case .integerMenu: self = .integerMenu
    case .button: self = .button
    case .bitmask: self = .bitmask
    case .string, .compound, .controlClass: self = .other
    }
  }
}
