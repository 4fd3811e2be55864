/// Cameras as they come and go.

extension CaptureDevice {
  /// One camera came or went.
  public enum Change: Sendable, Hashable {
    case added(CaptureDevice)
    case removed(CaptureDevice)
  }

  /// The V4L2 cameras that come and go from now on, each once with all its nodes. Told by udev; where there is none, as in
  /// containers, by a look at `/dev` every second. A camera that comes back under another number is removed and added,
  /// with the same id. Each sequence is for one reader; it ends when its task is cancelled or it is let go.
  public static var changes: Changes { Changes() }

  public struct Changes: AsyncSequence, Sendable {
    public typealias Element = Change
    public typealias Failure = Never

    /// Begins to watch; the cameras that are there already are not told.
    public func makeAsyncIterator() -> Iterator { Iterator(watch: DeviceWatch()) }

    public struct Iterator: AsyncIteratorProtocol {
      private let watch: DeviceWatch
      private var letters: AsyncStream<Change>.AsyncIterator

      init(watch: DeviceWatch) {
        self.watch = watch
        letters = watch.start().makeAsyncIterator()
      }

      /// `nil` once the task is cancelled.
      public mutating func next() async -> Change? { await letters.next(isolation: #isolation) }
    }
  }
}

extension CaptureDevice.Change {
  /// `added` or `removed`.
  public var name: String {
    switch self {
    case .added: "added"
    case .removed: "removed"
    }
  }

  public var device: CaptureDevice {
    switch self {
    case .added(let device), .removed(let device): device
    }
  }
}
