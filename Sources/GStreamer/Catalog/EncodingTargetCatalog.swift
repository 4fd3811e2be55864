/// The encoding targets (`.gep`) that GStreamer finds: those of the system, of the user, and of
/// `GST_ENCODING_TARGET_PATH`.

import CGStreamer
package import MediaFormats

package enum EncodingTargetCatalog {
  /// All of them (`gst_encoding_list_all_targets`), those with the same name as an earlier one left out; what GStreamer
  /// cannot read it leaves out itself.
  package static var targets: [EncodingTarget] {
    guard (try? GStreamerRuntime.initialize()) != nil else { return [] }
    let list = unsafe gst_encoding_list_all_targets(nil)
    defer { unsafe g_list_free(list) }
    let all = unsafe objects(of: list).map { object in
      let owned = unsafe Owned(adopting: object)
      return unsafe EncodingTarget(copying: OpaquePointer(owned.pointer))
    }
    return all.reduce(into: []) { found, target in
      if !target.names.isEmpty, !found.contains(where: { $0.path == target.path }) { found.append(target) }
    }
  }
}

/// What a list of objects holds; the references stay the list's.
private func objects(of list: UnsafePointer<GList>?) -> [UnsafeMutablePointer<GObject>] {
  var objects: [UnsafeMutablePointer<GObject>] = unsafe []
  var next = unsafe list
  while let node = unsafe next {
    if let object = unsafe node.pointee.data { unsafe objects.append(object.assumingMemoryBound(to: GObject.self)) }
    unsafe next = UnsafePointer(node.pointee.next)
  }
  return unsafe objects
}

extension EncodingTarget {
  /// `gst_encoding_target_get_name` and its like. A target that goes by several names has them in one text.
  fileprivate init(copying target: OpaquePointer) {
    let name = unsafe copied(gst_encoding_target_get_name(target)) ?? ""
    let profiles = unsafe objects(of: gst_encoding_target_get_profiles(target)).map {
      unsafe Profile(copying: OpaquePointer($0))
    }
    self.init(
      names: name.split(separator: ";").map(String.init),
      category: unsafe copied(gst_encoding_target_get_category(target)) ?? "",
      description: unsafe copied(gst_encoding_target_get_description(target)) ?? "", profiles: profiles)
  }
}

extension EncodingTarget.Profile {
  fileprivate init(copying profile: OpaquePointer) {
    let name = unsafe copied(gst_encoding_profile_get_name(profile)) ?? ""
    let description = unsafe copied(gst_encoding_profile_get_description(profile)) ?? ""
    guard unsafe capstan_is_encoding_container(UnsafeMutableRawPointer(profile)) else {
      let stream = unsafe EncodingTarget.Stream(copying: profile)
      self.init(name: name, description: description, container: nil, streams: [stream])
      return
    }
    let streams = unsafe objects(of: gst_encoding_container_profile_get_profiles(profile)).compactMap {
      let stream = OpaquePointer($0)
      return unsafe gst_encoding_profile_is_enabled(stream) != 0 ? EncodingTarget.Stream(copying: stream) : nil
    }
    let container = unsafe EncodingTarget.Container(
      format: Caps(adopting: gst_encoding_profile_get_format(profile)) ?? Caps(),
      elementPreset: copied(gst_encoding_profile_get_preset(profile)))
    self.init(name: name, description: description, container: container, streams: streams)
  }
}

extension EncodingTarget.Stream {
  fileprivate init(copying profile: OpaquePointer) {
    let kind = unsafe EncodingTarget.Kind(copied(gst_encoding_profile_get_type_nick(profile)) ?? "")
    unsafe self.init(
      kind: kind, format: Caps(adopting: gst_encoding_profile_get_format(profile)) ?? Caps(),
      elementPreset: copied(gst_encoding_profile_get_preset(profile)),
      element: copied(gst_encoding_profile_get_preset_name(profile)),
      restriction: Caps(adopting: gst_encoding_profile_get_restriction(profile)),
      presence: Int(gst_encoding_profile_get_presence(profile)),
      pass: kind == .video ? Int(gst_encoding_video_profile_get_pass(profile)) : 0,
      elementProperties: EncodingTarget.Stream.properties(of: profile))
  }

  private static func properties(of profile: OpaquePointer) -> String? {
    guard let structure = unsafe gst_encoding_profile_get_element_properties(profile) else { return nil }
    defer { unsafe gst_structure_free(structure) }
    return unsafe adopted(gst_structure_to_string(structure))
  }
}

extension EncodingTarget.Kind {
  /// `gst_encoding_profile_get_type_nick`.
  fileprivate init(_ nick: String) {
    self = nick == "video" ? .video : nick == "audio" ? .audio : .other(nick)
  }
}

extension Caps {
  /// Transfer full; `nil` for none.
  fileprivate init?(adopting caps: UnsafeMutablePointer<GstCaps>?) {
    guard let caps = unsafe Owned(adopting: caps) else { return nil }
    unsafe self.init(copying: caps.pointer)
  }
}
