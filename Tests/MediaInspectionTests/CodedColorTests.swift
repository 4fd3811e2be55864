import MediaFormats
import MediaInspection
import Testing

@Suite struct CodedColorTests {
  @Test(arguments: [
    ("1:4:5:1", "full 1/1/6"), ("2:3:5:1", "limited 1/1/1"), ("1:3:7:1", "full 1/13/1"), ("2:4:16:4", "limited 6/6/6"),
    ("1:4:0:0", "full ?/?/6"), ("0:0:0:0", "? ?/?/?"), ("2:6:13:7", "limited 9/14/9"), ("1:1:7:1", "full 1/13/0"),
  ])
  func codePointsOfColorimetry(text: String, written: String) throws {
    #expect("\(CodedColor(try #require(Colorimetry(parsing: text))))" == written)
  }

  @Test func codeTwoIsNotKnown() {
    #expect(CodedColor(range: .full, matrix: 2, transfer: 2, primaries: 2) == CodedColor(range: .full))
  }
}
