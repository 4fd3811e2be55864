// swift-tools-version: 6.2
import PackageDescription

// A program of someone else's: it knows Capstan by its product alone. Built by `Tests/probe`, outside of the package.
let package = Package(
  name: "Probe",
  dependencies: [.package(name: "Capstan", path: "../..")],
  targets: [
    .executableTarget(
      name: "Probe", dependencies: [.product(name: "Capstan", package: "Capstan")],
      swiftSettings: [
        .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ]
)
