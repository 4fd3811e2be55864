/// A preset with everything that it inherits, and which file said what.

public import Foundation

public struct ResolvedPreset: Sendable {
  public let preset: Preset
  /// Its own file, then the one that it extends, and so on.
  public let files: [String]
  /// What the files say together.
  let root: JSON5Value

  /// True where the file is one of those that come with Capstan.
  public var isBundled: Bool {
    files.first?.hasPrefix(ProfileLibrary.bundled.path(percentEncoded: false)) ?? false
  }

  /// The same files, with a preset that more is known of.
  package func replacing(_ preset: Preset) -> ResolvedPreset {
    ResolvedPreset(preset: preset, files: files, root: root)
  }

  /// What is wrong with the value at a path of keys, told with the place in the file that it is from.
  public func error(at keys: [String], _ problem: String) -> ConfigurationError {
    let value = keys.reduce(root as JSON5Value?) { $0?[$1] }
    let path = keys.reduce("") { $0.appendingKey($1) }
    // Where it is told, a full stop is added.
    let problem = problem.hasSuffix(".") ? String(problem.dropLast()) : problem
    return value.map { ConfigurationError(at: $0.place, keyPath: path, problem: problem) }
      ?? ConfigurationError(file: files.first ?? preset.name, keyPath: path, problem: problem)
  }

  /// The place that a value comes from, by key paths as `request.size`; a list is one value.
  public var origins: [String: SourcePlace] { Dictionary(root.leaves(at: "")) { first, _ in first } }
}

extension JSON5Value {
  /// Those with a value from the same file as a key's, or from one that extends it.
  fileprivate func keys(saidOver key: String, in files: [String]) -> Set<String> {
    guard let place = self[key]?.place, let own = files.firstIndex(of: place.file) else { return [] }
    return Set(leaves(at: "").filter { files[...own].contains($0.1.file) }.map(\.0))
  }

  fileprivate func leaves(at keyPath: String) -> [(String, SourcePlace)] {
    guard let members, !members.isEmpty else { return keyPath.isEmpty ? [] : [(keyPath, place)] }
    return members.flatMap { $0.value.leaves(at: keyPath.appendingKey($0.name)) }
  }
}

/// The text of a preset, before anything of it is understood.
struct PresetSource: Sendable {
  let name: String
  /// As messages name it.
  let file: String
  let data: Data
  /// Its place among the library's folders; `nil` for a file that was given by its path.
  var folder: Int?

  /// Two ways to one file are one file.
  var identity: String { URL(filePath: file).resolvingSymlinksInPath().standardizedFileURL.path() }
}

/// Follows `extends` from file to file.
struct PresetResolver: Sendable {
  let library: ProfileLibrary

  func resolve(_ source: PresetSource) throws(ConfigurationError) -> ResolvedPreset {
    var chain = [source]
    let root = try layers(of: source, &chain)
    var preset = Preset(name: source.name, request: .headline)
    try Preset.table.read(CheckedValue(value: root, keyPath: ""), into: &preset)
    preset.encodingTarget?.saidKeys = root.keys(saidOver: "encodingTarget", in: chain.map(\.file))
    preset.elementPreset?.saidKeys = root.keys(saidOver: "elementPreset", in: chain.map(\.file))
    return ResolvedPreset(preset: preset, files: chain.map(\.file), root: root)
  }

  /// Each file is checked by itself, so that a mistake is told where it stands.
  private func layers(
    of source: PresetSource, _ chain: inout [PresetSource]
  ) throws(ConfigurationError) -> JSON5Value {
    let root = try JSON5Parser.parse(source.data, file: source.file)
    try Preset.table.shape.check(root, at: "")
    guard let extends = root["extends"], let name = extends.text else { return root }
    let parent = try parent(name, of: source, chain, at: extends.place)
    chain.append(parent)
    return Preset.merged(root, over: try layers(of: parent, &chain))
  }

  private func parent(
    _ name: String, of source: PresetSource, _ chain: [PresetSource], at place: SourcePlace
  ) throws(ConfigurationError) -> PresetSource {
    let names = (chain.map(\.name) + [name]).joined(separator: " extends ")
    let found: PresetSource
    do {
      found = try library.parent(name, of: source)
    } catch {
      throw ConfigurationError(
        at: place, keyPath: "extends", problem: "\(error.problem); asked for by: \(names)")
    }
    guard !chain.contains(where: { $0.identity == found.identity }) else {
      throw ConfigurationError(at: place, keyPath: "extends", problem: "this goes round in a circle: \(names)")
    }
    return found
  }
}

extension Preset {
  /// - Parameters:
  ///   - file: as messages name it; paths in `extends` are seen from its folder.
  ///   - library: where `extends` finds presets by name.
  /// - Throws: the first thing that is wrong, with its place.
  public init(
    name: String, file: String, json5 data: Data, library: ProfileLibrary = .standard
  ) throws(ConfigurationError) {
    self = try PresetResolver(library: library).resolve(PresetSource(name: name, file: file, data: data)).preset
  }
}
