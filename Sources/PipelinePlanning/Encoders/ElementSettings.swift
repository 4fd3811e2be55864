/// What an element is set to: each property once, what is said last wins, and options of one text are merged.

import MediaFormats

struct ElementSettings: Sendable {
  private enum Value: Sendable {
    case plain(PropertyValue)
    case options([OptionList.Option])
  }

  private let lists: [String: OptionList]
  /// In the order in which they were first set.
  private var entries: [(name: String, value: Value)] = []

  init(lists: [String: OptionList]) { self.lists = lists }

  /// - Parameter name: a property's, or `PROPERTY.OPTION` for one of a property's options.
  mutating func set(_ name: String, _ value: PropertyValue) {
    let (property, option) = EncoderProfile.parts(of: name)
    if let option, lists[property] != nil {
      merge([.init(name: option, value: "\(value)")], into: property)
    } else if let list = lists[name] {
      merge(list.options(in: "\(value)"), into: name)
    } else {
      put(.plain(value), into: name)
    }
  }

  /// In the order of the alphabet.
  mutating func set(_ texts: [String: String]) {
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) { set(name, .string(text)) }
  }

  var properties: [PipelineDescription.Property] {
    entries.map { name, value in
      switch value {
      case .plain(let value): PipelineDescription.Property(name: name, value: value)
      case .options(let options): .init(name: name, value: .string(lists[name]?.text(of: options) ?? ""))
      }
    }
  }

  private mutating func merge(_ added: [OptionList.Option], into property: String) {
    var options: [OptionList.Option] = []
    if case .options(let known)? = entries.first(where: { $0.name == property })?.value { options = known }
    for option in added {
      if let place = options.firstIndex(where: { $0.name == option.name }) {
        options[place] = option
      } else {
        options.append(option)
      }
    }
    put(.options(options), into: property)
  }

  private mutating func put(_ value: Value, into property: String) {
    if let place = entries.firstIndex(where: { $0.name == property }) {
      entries[place].value = value
    } else {
      entries.append((property, value))
    }
  }
}

extension EncoderProfile {
  /// Of `PROPERTY.OPTION`; no property has a full stop in its name (`g_param_spec_is_valid_name`).
  static func parts(of name: String) -> (property: String, option: String?) {
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return (parts[0], parts.count == 2 ? parts[1] : nil)
  }
}
