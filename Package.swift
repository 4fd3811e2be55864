// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target is built with: `unsafe` has to be written out, and only Sources/GStreamer has reason to.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "Capstan",
  products: [
    .library(name: "Capstan", targets: ["Capstan"]),
    .executable(name: "capstan", targets: ["CapstanCommand"]),
  ],
  targets: [
    // Pure vocabulary and pure planning: no C, tested by tables in milliseconds.
    .target(name: "MediaFormats", swiftSettings: settings),
    .target(name: "MediaInspection", dependencies: ["MediaFormats"], swiftSettings: settings),
    .target(
      name: "PipelinePlanning", dependencies: ["MediaFormats"],
      resources: [.copy("../../pipelines")], swiftSettings: settings),

    // The border to C: headers and macros below, safe values and owned identities above.
    .systemLibrary(
      name: "CGStreamer", pkgConfig: "gstreamer-app-1.0",
      providers: [.apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev", "libglib2.0-dev"])]),
    .systemLibrary(name: "COrc", pkgConfig: "orc-0.4", providers: [.apt(["liborc-0.4-dev"])]),
    .target(name: "GStreamer", dependencies: ["CGStreamer", "COrc", "MediaFormats"], swiftSettings: settings),

    // The products: live objects, and the command made of them.
    .target(
      name: "Capstan", dependencies: ["MediaFormats", "MediaInspection", "PipelinePlanning", "GStreamer"],
      swiftSettings: settings),
    .executableTarget(name: "CapstanCommand", dependencies: ["Capstan", "GStreamer"], swiftSettings: settings),

    .testTarget(name: "MediaFormatsTests", dependencies: ["MediaFormats"], swiftSettings: settings),
    .testTarget(name: "MediaInspectionTests", dependencies: ["MediaInspection"], swiftSettings: settings),
    .testTarget(
      name: "PipelinePlanningTests", dependencies: ["PipelinePlanning", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "GStreamerTests", dependencies: ["GStreamer"], swiftSettings: settings),
    .testTarget(name: "CapstanTests", dependencies: ["Capstan"], swiftSettings: settings),
    .testTarget(name: "CapstanCommandTests", dependencies: ["CapstanCommand"], swiftSettings: settings),

    // Whole recordings by the built command, on cameras that Tests/FakeCamera plays.
    .target(
      name: "TestSupport", dependencies: ["PipelinePlanning"], path: "Tests/TestSupport", swiftSettings: settings),
    .executableTarget(
      name: "CycleProbe", dependencies: ["Capstan"], path: "Tests/CycleProbe", swiftSettings: settings),
    .testTarget(
      name: "RecordingTests", dependencies: ["TestSupport", "Capstan", "CapstanCommand", "CycleProbe"],
      swiftSettings: settings),
  ]
)
