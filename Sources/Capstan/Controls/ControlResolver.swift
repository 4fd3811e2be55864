/// Reads wishes for controls against what a camera has: names, ranges and menus, checked before anything is set.

import GStreamer

struct ControlResolver: Sendable {
  struct Setting: Sendable, Hashable {
    var name: String
    var value: Int64
  }

  /// Names that newer kernels changed: a preset works with either.
  private static let synonyms = [
    "exposure_auto_priority": "exposure_dynamic_framerate", "exposure_auto": "auto_exposure",
    "exposure_absolute": "exposure_time_absolute", "focus_auto": "focus_automatic_continuous",
    "white_balance_temperature_auto": "white_balance_automatic",
  ]

  /// The control that lets auto exposure lower the rate.
  static let exposureRate = "exposure_dynamic_framerate"

  /// The camera's name for people.
  let camera: String
  let controls: [CameraControl]

  /// By any of its names; `nil` where the camera has none such.
  func control(named name: String) -> CameraControl? {
    let plain = V4L2Control.name(ofTitle: name)
    return ControlResolver.spellings(of: plain).lazy.compactMap { spelling in
      controls.first { $0.name == spelling }
    }.first
  }

  private static func spellings(of name: String) -> [String] {
    [name] + [synonyms[name]].compactMap { $0 } + synonyms.filter { $0.value == name }.map(\.key).sorted()
  }

  /// What is to be set, in the order in which it has to be: switches and menus first, because they decide whether the
  /// numbers behind them count, as manual exposure does for the exposure time.
  /// - Throws: `requestImpossible` for an unknown name or a value that the control does not take.
  func settings(for wishes: [String: ControlValue]) throws(CaptureError) -> [Setting] {
    var found: [(setting: Setting, isSwitch: Bool)] = []
    for (name, value) in wishes.sorted(by: { $0.key < $1.key }) {
      let control = try known(name)
      guard !found.contains(where: { $0.setting.name == control.name }) else {
        throw CaptureError(.requestImpossible, "The control \(control.name) is set twice.", remedy: "Set it once.")
      }
      if let obstacle = control.obstacle, !control.isOverridden {
        throw CaptureError(.requestImpossible, "\(camera): \(control.name) cannot be set now: \(obstacle).")
      }
      let setting = Setting(name: control.name, value: try number(for: value, of: control))
      found.append((setting, [.boolean, .menu, .integerMenu].contains(control.kind)))
    }
    return found.filter(\.isSwitch).map(\.setting) + found.filter { !$0.isSwitch }.map(\.setting)
  }

  func known(_ name: String) throws(CaptureError) -> CameraControl {
    if let control = control(named: name) { return control }
    let names = controls.map(\.name)
    let hint =
      Spelling.nearest(to: name, among: names).map { "Did you mean \($0)?" }
      ?? (names.isEmpty ? "It has none." : "It has \(names.joined(separator: ", ")).")
    throw CaptureError(.requestImpossible, "\(camera) has no control \(name).", remedy: hint)
  }

  /// - Throws: `requestImpossible`, with what the control takes.
  func number(for value: ControlValue, of control: CameraControl) throws(CaptureError) -> Int64 {
    if case .text(let text) = value, text.lowercased() == "default" { return control.defaultValue }
    switch control.kind {
    case .boolean:
      if let flag = ControlResolver.flag(value) { return flag ? 1 : 0 }
    case .menu, .integerMenu:
      if let item = ControlResolver.item(value, of: control) { return item.number }
    case .button:
      if ControlResolver.flag(value) == true { return 1 }
    case .integer, .bitmask:
      if let number = ControlResolver.integer(value), ControlResolver.takes(control, number) { return number }
    case .other: break
    }
    throw CaptureError(
      .requestImpossible, "\(camera): \(control.name) does not take \(value).",
      remedy: "It takes \(control.allowedValues).")
  }

  private static func flag(_ value: ControlValue) -> Bool? {
    switch value {
    case .boolean(let flag): flag
    case .integer(let number): number == 0 ? false : number == 1 ? true : nil
    case .text(let text):
      ["on": true, "yes": true, "true": true, "off": false, "no": false, "false": false][text.lowercased()]
    }
  }

  private static func integer(_ value: ControlValue) -> Int64? {
    switch value {
    case .integer(let number): number
    case .boolean(let flag): flag ? 1 : 0
    case .text: nil
    }
  }

  /// By number, else by name in any case.
  private static func item(_ value: ControlValue, of control: CameraControl) -> CameraControl.MenuItem? {
    if let number = integer(value), let item = control.menu.first(where: { $0.number == number }) { return item }
    return control.menu.first { $0.name.lowercased() == value.description.lowercased() }
  }

  private static func takes(_ control: CameraControl, _ number: Int64) -> Bool {
    guard control.minimum <= number, number <= control.maximum else { return false }
    let (offset, overflows) = number.subtractingReportingOverflow(control.minimum)
    return control.kind == .bitmask || control.step < 2 || overflows || offset % control.step == 0
  }
}
