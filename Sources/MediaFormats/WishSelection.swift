/// The choice by an ordered list of wishes, as CameraX's quality selectors make it.

public struct WishSelection: Sendable, Hashable {
  public var selection: FormatSelection
  /// The wish that the selection is of.
  public var request: FormatRequest
  /// Its place in the list, counted from 0.
  public var place: Int

  public init(selection: FormatSelection, request: FormatRequest, place: Int) {
    self.selection = selection
    self.request = request
    self.place = place
  }
}

extension FormatSelector {
  /// The first wish that is met exactly; where there is none, the best that the first wish that allows a fallback has;
  /// where none does, why the first wish is impossible. An empty list wishes for anything.
  public static func select(from formats: [DeviceFormat], wishes: [FormatRequest]) -> WishSelection {
    let wishes = wishes.isEmpty ? [FormatRequest()] : wishes
    let tried = wishes.lazy.enumerated().map { place, wish in
      WishSelection(selection: FormatSelector(wish).select(from: formats), request: wish, place: place)
    }
    var outcomes: [WishSelection] = []
    for outcome in tried {
      if case .exact = outcome.selection { return outcome }
      outcomes.append(outcome)
    }
    return outcomes.first { $0.selection.mode != nil } ?? outcomes[0]
  }
}
