/// Why a header cannot be read or changed.

package enum BitstreamError: Error, Sendable, Hashable {
  /// It ends before it is complete.
  case truncated
  /// A field has a value that its specification rules out, or that leads nowhere.
  case invalid(String)
  /// It is right, but cannot say what it is to say.
  case unsayable(String)
}

extension BitstreamError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .truncated: "the header ends before it is complete"
    case .invalid(let field): "the header's \(field) is out of its range"
    case .unsayable(let reason): reason
    }
  }
}
