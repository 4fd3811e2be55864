/// A hundred recordings in one process: nothing grows, and the camera is free after each.

import Foundation
import TestSupport
import Testing

extension FileWork {
  @Suite struct CycleTests {
    struct Cycle {
      let frames: Int
      let isSuccess: Bool
      let descriptors: Int
      let memory: Int

      init(_ line: Substring) {
        let words = line.split(separator: " ")
        (frames, isSuccess) = (Int(words[1]) ?? 0, words[2] == "true")
        (descriptors, memory) = (Int(words[3]) ?? 0, Int(words[4]) ?? 0)
      }
    }

    /// Freed memory goes back to the system at once, so that what is seen is in use and not kept for later.
    private static let allocator = [
      "MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "32768", "MALLOC_TRIM_THRESHOLD_": "65536",
    ]

    private func median(_ cycles: ArraySlice<Cycle>) -> Int {
      cycles.map(\.memory).sorted()[cycles.count / 2]
    }

    @Test func hundredCycles() async throws {
      _ = try await concurrently(["/dev/video0", "synthetic"]) { try await hundredCycles(of: $0) }
    }

    private func hundredCycles(of device: String) async throws {
      let folder = try TemporaryFolder()
      let outcome = try await RunningProgram(
        "CycleProbe", [device, "100", "12", folder.url.path(percentEncoded: false)],
        camera: FakeCamera("logitech_c922"), environment: Self.allocator
      ).finish(within: .seconds(600))
      #expect(outcome.status == 0, "\(device): \(outcome.errors)")
      let cycles = outcome.output.split(separator: "\n").map(Cycle.init)
      #expect(cycles.count == 100)
      #expect(cycles.allSatisfy { $0.frames == 12 && $0.isSuccess })
      #expect(Set(cycles.dropFirst(5).map(\.descriptors)).count == 1, "\(device): \(cycles.map(\.descriptors))")
      // The first cycles load plug-ins and warm the allocator up; single ones are a few MiB up or down.
      let (early, late) = (median(cycles[30..<50]), median(cycles[80..<100]))
      #expect(late <= early + 4096, "\(device): \(cycles.map(\.memory))")
    }
  }
}
