// swift-tools-version: 6.3

import PackageDescription

// A package of its own, so that users of the library never build it.
let package = Package(
  name: "iochannels-benchmarks",
  dependencies: [.package(name: "iochannels", path: "..")],
  targets: [
    .target(name: "Measure"),
    .executableTarget(name: "bareuring", linkerSettings: [.linkedLibrary("uring")]),
    .executableTarget(name: "peak"),
    .executableTarget(name: "treeloop"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "Measure", .product(name: "EventSources", package: "iochannels"),
        .product(name: "IOChannels", package: "iochannels"),
      ]
    ),
  ],
  cLanguageStandard: .gnu11
)
