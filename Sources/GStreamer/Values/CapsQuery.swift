/// What a source can give, asked of the opened device and not believed from a list.

import CGStreamer
package import MediaFormats

/// A source with its device open (READY), to be asked; `close()` must follow.
package struct OpenedSource {
  package let source: Element
  private let pipeline: Pipeline

  /// Opens the source. The element must not be in a pipeline. Blocks while the device opens.
  package init(_ source: Element) throws(CapsQueryError) {
    self.source = source
    do throws(ElementError) { pipeline = try Pipeline() } catch { throw .element(error) }
    do throws(PipelineError) { try pipeline.add(source) } catch { throw .pipeline(error) }
    do throws(StateChangeError) {
      try pipeline.setState(.ready)
      try pipeline.waitForState(timeout: nil)
    } catch {
      defer { close() }
      throw .failure(pipeline.bus.firstFailure ?? ElementFailure(refusal: error, of: source))
    }
  }

  /// What its source pad can give.
  package func caps() throws(CapsQueryError) -> Caps {
    guard let pad = source.firstPad(.source) else { throw .noSourcePad(element: source.name) }
    return pad.queryCaps()
  }

  /// NULL: the device is closed.
  package func close() {
    _ = try? pipeline.setState(.null)
    pipeline.remove(source)
  }
}

package enum CapsQuery {
  /// Opens the source, asks its source pad and closes it again, on every path.
  package static func sourceCaps(of source: Element) throws(CapsQueryError) -> Caps {
    let opened = try OpenedSource(source)
    defer { opened.close() }
    return try opened.caps()
  }

  /// The same for an element by its factory, as `v4l2src` with `device`.
  package static func sourceCaps(
    of factory: String, properties: [String: PropertyValue] = [:]
  ) throws(CapsQueryError) -> Caps {
    try sourceCaps(of: try source(factory, properties))
  }

  /// The element of a factory with its properties set, for `OpenedSource`.
  package static func source(
    _ factory: String, _ properties: [String: PropertyValue]
  ) throws(CapsQueryError) -> Element {
    let source: Element
    do throws(ElementError) { source = try Element(factory: factory) } catch { throw .element(error) }
    for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
      do throws(PropertyError) { try source.set(name, to: value) } catch { throw .property(error) }
    }
    return source
  }

  /// The same for a launch description that ends in an unlinked source pad.
  package static func sourceCaps(launch description: String) throws(CapsQueryError) -> Caps {
    let source: Element
    do throws(ElementError) { source = try Element(launch: description) } catch { throw .element(error) }
    return try sourceCaps(of: source)
  }
}

package enum CapsQueryError: Error, Sendable, Hashable {
  case element(ElementError)
  case property(PropertyError)
  case pipeline(PipelineError)
  /// The first error that the source posted.
  case failure(ElementFailure)
  case noSourcePad(element: String)
}

extension CapsQueryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .element(let error): error.description
    case .property(let error): error.description
    case .pipeline(let error): error.description
    case .failure(let failure): failure.description
    case .noSourcePad(let element): "\(element) has no source pad to ask for caps."
    }
  }
}

extension ElementFailure {
  /// An element may refuse a state without a word on the bus.
  fileprivate init(refusal: StateChangeError, of source: Element) {
    self.init(
      element: source.name, factory: source.factoryName, domain: .core, code: "state-change",
      message: "It could not be opened and gave no reason.", debug: refusal.description)
  }
}
