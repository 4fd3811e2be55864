/// One of GStreamer's encoding targets (`.gep`, `GstEncodingTarget`), copied out of C: what a file for some purpose is to
/// consist of.

public struct EncodingTarget: Sendable, Hashable {
  /// Its names, as `mp4` and `mov`; never empty.
  public var names: [String]
  /// As `file-extension`.
  public var category: String
  public var description: String
  public var profiles: [Profile]

  public init(names: [String], category: String, description: String = "", profiles: [Profile]) {
    self.names = names
    self.category = category
    self.description = description
    self.profiles = profiles
  }

  /// One way to make such a file (`GstEncodingProfile`).
  public struct Profile: Sendable, Hashable {
    public var name: String
    public var description: String
    /// `nil` for a stream without a container.
    public var container: Container?
    public var streams: [Stream]

    public init(name: String, description: String = "", container: Container?, streams: [Stream]) {
      self.name = name
      self.description = description
      self.container = container
      self.streams = streams
    }
  }

  public struct Container: Sendable, Hashable {
    public var format: Caps
    /// Of the muxer; `nil` where none is named.
    public var elementPreset: String?

    public init(format: Caps, elementPreset: String? = nil) {
      self.format = format
      self.elementPreset = elementPreset
    }
  }

  public enum Kind: Sendable, Hashable {
    case video
    case audio
    /// As GStreamer names it.
    case other(String)
  }

  public struct Stream: Sendable, Hashable {
    public var kind: Kind
    /// Any of these.
    public var format: Caps
    /// Of the encoder; `nil` where none is named.
    public var elementPreset: String?
    /// The encoder that preset is of; `nil` where it is not said.
    public var element: String?
    /// What the encoder is to be given; `nil` for anything.
    public var restriction: Caps?
    /// How many such streams there are to be; 0 for any number.
    public var presence: Int
    /// Of a coding in several passes; 0 for one that has a single one.
    public var pass: Int
    /// Properties of the encoder, as GStreamer prints them; `nil` for none.
    public var elementProperties: String?

    public init(
      kind: Kind, format: Caps, elementPreset: String? = nil, element: String? = nil, restriction: Caps? = nil,
      presence: Int = 0, pass: Int = 0, elementProperties: String? = nil
    ) {
      self.kind = kind
      self.format = format
      self.elementPreset = elementPreset
      self.element = element
      self.restriction = restriction
      self.presence = presence
      self.pass = pass
      self.elementProperties = elementProperties
    }
  }
}

extension EncodingTarget {
  /// As `file-extension/mp4`.
  public var path: String { "\(category)/\(names[0])" }

  /// `NAME`, `CATEGORY/NAME`, `NAME/PROFILE` or `CATEGORY/NAME/PROFILE`: the target and the profile that are meant, the
  /// first one where none is named; `nil` where there are none.
  public static func find(_ text: String, among targets: [EncodingTarget]) -> (EncodingTarget, Profile)? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let ways: [(category: String?, name: String, profile: String?)] =
      switch parts.count {
      case 1: [(nil, parts[0], nil)]
      case 2: [(parts[0], parts[1], nil), (nil, parts[0], parts[1])]
      case 3: [(parts[0], parts[1], parts[2])]
      default: []
      }
    for way in ways {
      for target in targets where target.names.contains(way.name) && way.category ?? target.category == target.category
      {
        if let profile = target.profiles.first(where: { way.profile ?? $0.name == $0.name }) {
          return (target, profile)
        }
      }
    }
    return nil
  }
}
