// swift-tools-version: 6.2
import PackageDescription

// A program of someone else's: it knows Capstan by its product alone. Built by `Tests/probe`, outside of the package.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
  .enableUpcomingFeature("MemberImportVisibility"),
]
let capstan = Target.Dependency.product(name: "Capstan", package: "Capstan")

let package = Package(
  name: "Probe",
  dependencies: [.package(name: "Capstan", path: "../..")],
  targets: [
    .executableTarget(name: "Probe", dependencies: [capstan], swiftSettings: settings),
    // Written by Tests/probe from the README.
    .executableTarget(name: "ReadmeExample", dependencies: [capstan], swiftSettings: settings),
  ]
)
