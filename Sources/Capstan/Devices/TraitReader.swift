/// Adds to rows what neither caps nor format lists say: zoom and stabilisation from controls, crop from the sensor's
/// rectangles, the rest from notes that a person wrote.

import GStreamer

struct TraitReader: Sendable {
  let node: V4L2Node
  let notes: [CameraNotes.Entry]

  /// Notes win: they are there to correct what a driver says.
  func completed(_ rows: [DeviceFormat]) -> [DeviceFormat] {
    let controls = (try? node.controls()) ?? []
    let crop = node.selection(.crop).flatMap(CropRectangle.init)
    return rows.map { row in
      var row = row
      row.traits.maximumZoom = TraitReader.maximumZoom(of: controls)
      row.traits.supportsStabilization = TraitReader.hasStabilization(controls)
      // One for the node and not for the mode: a driver scales it to whatever size is set.
      row.traits.crop = crop
      return notes.reduce(row) { $1.completed($0) }
    }
  }

  /// `zoom_absolute` is a focal length in the driver's own unit (`V4L2_CID_ZOOM_ABSOLUTE`): only the relation of its ends
  /// is a factor, and only where it starts above nothing.
  static func maximumZoom(of controls: [V4L2Control]) -> Double? {
    guard let zoom = controls.first(where: { $0.name == "zoom_absolute" }), !zoom.flags.contains(.disabled),
      zoom.minimum > 0, zoom.maximum >= zoom.minimum
    else { return nil }
    return Double(zoom.maximum) / Double(zoom.minimum)
  }

  /// Unknown without the control: a camera may do it on its own and never say.
  static func hasStabilization(_ controls: [V4L2Control]) -> Bool? {
    controls.contains { $0.name == "image_stabilization" && !$0.flags.contains(.disabled) } ? true : nil
  }
}

extension CropRectangle {
  /// `nil` for a rectangle of nothing, which some drivers answer.
  init?(_ rectangle: V4L2Rectangle) {
    guard rectangle.width > 0, rectangle.height > 0 else { return nil }
    self.init(left: rectangle.left, top: rectangle.top, width: rectangle.width, height: rectangle.height)
  }
}

extension CameraNotes {
  /// The user's own file after the bundled one, so that it wins.
  static func known(card: String, usbID: String?) throws(ConfigurationError) -> [Entry] {
    var entries: [Entry] = []
    for notes in try ProfileLibrary.standard.cameraNotes() { entries += notes.entries(card: card, usbID: usbID) }
    return entries
  }
}
