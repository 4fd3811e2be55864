/// Damaged pictures: dropped among whole ones, let through where there is nothing else.

import Testing

@testable import Capstan

@Suite struct PictureGateTests {
  @Test func damagedAmongWhole() {
    var gate = PictureGate()
    #expect(gate.judge(isFlagged: false, hasEnd: false) == .drop, "the first picture must be a whole one")
    #expect(gate.judge(isFlagged: false, hasEnd: true) == .pass)
    #expect(gate.judge(isFlagged: true, hasEnd: true) == .drop)
    #expect(gate.judge(isFlagged: true, hasEnd: nil) == .drop)
    #expect(gate.judge(isFlagged: false, hasEnd: nil) == .pass)
    #expect((0..<100).allSatisfy { _ in gate.judge(isFlagged: false, hasEnd: false) == .drop })
  }

  @Test func cameraThatMarksNoEnd() {
    var gate = PictureGate()
    let verdicts = (0..<40).map { _ in gate.judge(isFlagged: false, hasEnd: false) }
    #expect(verdicts.prefix(30).allSatisfy { $0 == .drop } && verdicts[30] == .giveUp)
    #expect(verdicts.dropFirst(31).allSatisfy { $0 == .pass })
  }
}
