/// What files may take, by tables: never more than their limit, and not much less.

import PipelinePlanning
import Testing

@Suite struct FileBudgetTests {
  private static let overhead = ContainerOverhead(file: 1000, fragment: 100, frame: 40)
  private static let period: Int64 = 20_000_000
  private let empty = FileSize(overhead, fragment: 500_000_000)

  private func frame(_ number: Int, _ bytes: Int = 10_000, keyFrameEvery distance: Int = 50) -> FileBudget.Frame {
    FileBudget.Frame(bytes: bytes, isKeyFrame: number % distance == 0, time: Int64(number) * Self.period)
  }

  @Test(arguments: [
    // Frames, distance of key frames, fragments: one for each half second and each key frame.
    (0, 50, 0), (1, 50, 1), (25, 50, 1), (26, 50, 2), (51, 50, 4), (10, 1, 10),
  ])
  func aFileHasItsPicturesAndWhatTheContainerAdds(_ frames: Int, _ distance: Int, _ fragments: Int) {
    var size = empty
    for number in 0..<frames {
      let frame = frame(number, keyFrameEvery: distance)
      size.add(frame.bytes, isKeyFrame: frame.isKeyFrame, at: frame.time)
    }
    #expect(size.bytes == Int64(1000 + frames * 10_040 + fragments * 100))
  }

  @Test(arguments: [100_000, 1_000_000, 20_000_000] as [Int64])
  func aRecordingEndsBeforeItsLimit(_ limit: Int64) {
    var budget = FileBudget(SizeLimits(recording: limit), empty: empty, makesKeyFrames: true)
    var number = 0
    while budget.holds(frame(number)) {
      budget.add(frame(number))
      number += 1
    }
    #expect(budget.fileBytes <= limit && budget.fileBytes > limit - 10_300)
  }

  @Test func notEvenOneFrame() {
    let budget = FileBudget(SizeLimits(recording: 11_000), empty: empty, makesKeyFrames: true)
    #expect(!budget.holds(frame(0)))
  }

  /// A frame that is coded from later ones is not taken without room for those that it waits for.
  @Test func bFramesComeWithTheirNext() {
    var budget = FileBudget(SizeLimits(recording: 32_000), empty: empty, makesKeyFrames: true)
    budget.add(frame(0))
    var next = frame(1)
    #expect(budget.holds(next))
    next.followers = 2
    #expect(!budget.holds(next))
  }

  /// An encoder gives a key frame some frames after it was asked.
  @Test(arguments: [0, 3, 20, 40]) func filesAreFilledAndNeverTooLarge(_ delay: Int) {
    let limit: Int64 = 2_000_000
    var budget = FileBudget(SizeLimits(file: limit), empty: empty, makesKeyFrames: true)
    var (asked, sizes) = (nil as Int?, [] as [Int64])
    for number in 0..<2000 {
      var next = frame(number, keyFrameEvery: 10_000)
      if let since = asked, number > since + delay { next.isKeyFrame = true }
      if budget.isDue(before: next) {
        if next.isKeyFrame {
          sizes.append(budget.fileBytes)
          budget.beginFile()
          asked = nil
        } else if asked == nil {
          budget.ask()
          asked = number
        }
      }
      budget.add(next)
    }
    #expect(sizes.count > 5 && sizes.allSatisfy { $0 <= limit && $0 > limit / 2 }, "\(sizes)")
  }

  /// Where the key frames come when they come, the next group has to fit as a whole.
  @Test(arguments: [1, 10, 30]) func aStreamThatIsCopiedIsCutInTime(_ distance: Int) {
    let limit: Int64 = 2_000_000
    var budget = FileBudget(SizeLimits(file: limit), empty: empty, makesKeyFrames: false)
    var sizes: [Int64] = []
    for number in 0..<2000 {
      let next = frame(number, keyFrameEvery: distance)
      if next.isKeyFrame, budget.isDue(before: next) {
        sizes.append(budget.fileBytes)
        budget.beginFile()
      }
      #expect(!budget.isLate(next))
      budget.add(next)
    }
    #expect(sizes.count > 5 && sizes.allSatisfy { $0 <= limit && $0 > limit / 2 }, "\(sizes)")
  }

  /// All files together.
  @Test func theRecordingEndsInAnyOfItsFiles() {
    var budget = FileBudget(SizeLimits(recording: 1_000_000, file: 300_000), empty: empty, makesKeyFrames: false)
    var (number, total) = (0, Int64(0))
    while true {
      let next = frame(number, keyFrameEvery: 5)
      let splits = next.isKeyFrame && budget.isDue(before: next)
      guard budget.holds(next, isFirst: splits) else { break }
      if splits {
        total += budget.fileBytes
        budget.beginFile()
      }
      budget.add(next)
      number += 1
    }
    total += budget.fileBytes
    #expect(total <= 1_000_000 && total > 900_000)
  }
}
