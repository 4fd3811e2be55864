/// Reads GStreamer's encoding targets, and what one of them asks into the preset that wishes it.

import GStreamer

extension EncodingTarget {
  /// All that GStreamer finds; blocks while it reads their files.
  public static var all: [EncodingTarget] { EncodingTargetCatalog.targets }
}

extension Preset {
  /// With what its encoding target asks in place of what it does not say itself; as it is where it wishes none, or where
  /// this is done already. A session does it by itself.
  /// - Throws: `configuration` for a target that there is not, or of which Capstan makes nothing.
  public func readingEncodingTarget(library: ProfileLibrary = .standard) throws(CaptureError) -> Preset {
    guard encodingTarget != nil, encodingTarget?.outcome == nil else { return self }
    let mapper: EncodingTargetMapper
    do throws(ConfigurationError) { mapper = try EncodingTargetMapper(library) } catch { throw CaptureError(error) }
    do throws(PlanningError) {
      return try mapper.applied(to: self, among: EncodingTarget.all)
    } catch { throw CaptureError(error, preset: name) }
  }
}

extension EncodingTargetMapper {
  /// With what is installed here.
  init(_ library: ProfileLibrary) throws(ConfigurationError) {
    self.init(
      encoders: try library.encoders(), containers: try library.containers(),
      installedElements: ElementCatalog.installed, canMake: { ElementCatalog.canMake($1, by: $0) },
      elementPresets: { ElementPresetCatalog.names(of: $0) })
  }
}
