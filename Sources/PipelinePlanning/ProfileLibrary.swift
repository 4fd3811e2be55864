/// The presets, encoders and containers that there are: the user's own, and those that come with Capstan.

public import Foundation
import MediaFormats

/// Looked up by name in the user's folder first (`$XDG_CONFIG_HOME/capstan/pipelines`, or `~/.config/...`), then among
/// the bundled ones; a preset may also be given as a path.
public struct ProfileLibrary: Sendable {
  public static let defaultPreset = "720p60"

  /// Earlier ones win.
  private let folders: [URL]
  /// Files of notes on cameras; later ones win. One that is not there says nothing.
  private let notes: [URL]

  public init(folders: [URL], notes: [URL] = []) {
    self.folders = folders
    self.notes = notes
  }

  /// The user's folder and the bundled one.
  public static var standard: ProfileLibrary {
    let environment = ProcessInfo.processInfo.environment
    let configuration =
      environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".config")
    let notes = "\(CameraNotes.fileName).json5"
    return ProfileLibrary(
      folders: [configuration.appending(path: "capstan/pipelines"), bundled],
      notes: [bundled.appending(path: notes), configuration.appending(path: "capstan/\(notes)")])
  }

  /// The folder `pipelines` that comes with the program, beside its file (links followed). `Bundle.module` would end
  /// the program where the folder has been left behind.
  public static var bundled: URL {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return program.deletingLastPathComponent().appending(path: "Capstan_PipelinePlanning.resources/pipelines")
  }

  // MARK: Presets

  /// The notes on cameras lie beside the presets.
  public var presetNames: [String] { names(in: "").filter { $0 != CameraNotes.fileName } }

  /// - Parameter name: a name of the list, or the path of a file (with a slash or ending in `.json5` or `.json`).
  public func preset(_ name: String) throws(ConfigurationError) -> Preset { try resolved(name).preset }

  /// A preset with the files that it is made of; `name` as `preset(_:)` takes it.
  public func resolved(_ name: String) throws(ConfigurationError) -> ResolvedPreset {
    try PresetResolver(library: self).resolve(try source(called: name))
  }

  private func source(called name: String) throws(ConfigurationError) -> PresetSource {
    ProfileLibrary.isPath(name) ? try source(at: URL(filePath: name), named: name) : try source(name, from: 0)
  }

  /// What is wrong with a preset's own file by itself, in its order, each with its place: keys that there are not, values
  /// that cannot be. Empty where all that is left to check is what it means together with others.
  /// - Throws: for a file that cannot be read, or is no JSON5.
  public func mistakes(in name: String) throws(ConfigurationError) -> [ConfigurationError] {
    let source = try source(called: name)
    return Preset.table.shape.mistakes(in: try JSON5Parser.parse(source.data, file: source.file), at: "")
  }

  /// The preset that another one extends: a path seen from its file, or a name. Its own name means the one that it stands
  /// in front of.
  func parent(_ name: String, of child: PresetSource) throws(ConfigurationError) -> PresetSource {
    guard ProfileLibrary.isPath(name) else {
      return try source(name, from: name == child.name ? child.folder.map { $0 + 1 } ?? 0 : 0)
    }
    let folder = URL(filePath: child.file).deletingLastPathComponent()
    let file = name.hasPrefix("/") ? URL(filePath: name) : folder.appending(path: name)
    return try source(at: file, named: file.path(percentEncoded: false))
  }

  /// True for what is read as a path: with a slash in it, or ending in `.json5` or `.json`.
  public static func isPath(_ name: String) -> Bool {
    name.contains("/") || name.hasSuffix(".json5") || name.hasSuffix(".json")
  }

  private func source(at file: URL, named name: String) throws(ConfigurationError) -> PresetSource {
    PresetSource(
      name: file.deletingPathExtension().lastPathComponent, file: name, data: try contents(of: file))
  }

  /// - Parameter first: the folder to begin with.
  private func source(_ name: String, from first: Int) throws(ConfigurationError) -> PresetSource {
    for place in folders.indices.dropFirst(first) where name != CameraNotes.fileName {
      let file = folders[place].appending(path: "\(name).json5")
      guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else { continue }
      let path = file.path(percentEncoded: false)
      return PresetSource(name: name, file: path, data: try contents(of: file), folder: place)
    }
    throw unknownPreset(name)
  }

  private func unknownPreset(_ name: String) -> ConfigurationError {
    if presetNames.isEmpty, let folder = folders.last {
      return ConfigurationError(
        file: folder.path(percentEncoded: false),
        problem: "the folder of presets that belongs beside the program is missing; copy it there with the program")
    }
    let hint = Spelling.nearest(to: name, among: presetNames).map { "; \($0) is near" } ?? ""
    return ConfigurationError(
      file: name,
      problem: "there is no preset \"\(name)\"\(hint) (there are \(presetNames.joined(separator: ", ")))")
  }

  // MARK: Encoders and containers

  public func encoders() throws(ConfigurationError) -> [EncoderProfile] {
    var profiles: [EncoderProfile] = []
    for name in names(in: "encoders") {
      guard let file = file(name, in: "encoders") else { continue }
      profiles.append(try EncoderProfile(file: file.path(percentEncoded: false), json5: try contents(of: file)))
    }
    return profiles
  }

  public func containers() throws(ConfigurationError) -> [ContainerProfile] {
    var profiles: [ContainerProfile] = []
    for name in names(in: "containers") {
      guard let file = file(name, in: "containers") else { continue }
      let path = file.path(percentEncoded: false)
      profiles.append(try ContainerProfile(name: name, file: path, json5: try contents(of: file)))
    }
    return profiles
  }

  // MARK: Notes on cameras

  public func cameraNotes() throws(ConfigurationError) -> [CameraNotes] {
    var known: [CameraNotes] = []
    for file in notes where FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) {
      known.append(try CameraNotes(file: file.path(percentEncoded: false), json5: try contents(of: file)))
    }
    return known
  }

  // MARK: Files

  private func names(in subfolder: String) -> [String] {
    let files = folders.flatMap { folder -> [URL] in
      let place = (subfolder.isEmpty ? folder : folder.appending(path: subfolder)).resolvingSymlinksInPath()
      return (try? FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)) ?? []
    }
    let names = files.filter { $0.pathExtension == "json5" }.map { $0.deletingPathExtension().lastPathComponent }
    return Set(names).sorted { $0.compare($1, options: .numeric) == .orderedAscending }
  }

  private func file(_ name: String, in subfolder: String) -> URL? {
    folders
      .map { (subfolder.isEmpty ? $0 : $0.appending(path: subfolder)).appending(path: "\(name).json5") }
      .first { FileManager.default.fileExists(atPath: $0.path(percentEncoded: false)) }
  }

  private func contents(of file: URL) throws(ConfigurationError) -> Data {
    do {
      return try Data(contentsOf: file)
    } catch {
      throw ConfigurationError(
        file: file.path(percentEncoded: false),
        problem: "the file cannot be read; check that it is there and that you may read it")
    }
  }
}
