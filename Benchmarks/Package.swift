// swift-tools-version: 6.3

import PackageDescription

// A package of its own, so that users of the library never build it.
let package = Package(
  name: "iochannels-benchmarks",
  dependencies: [.package(name: "iochannels", path: "..")],
  targets: [
    .target(name: "Measure"),
    .target(name: "Bare"),
    .executableTarget(name: "bareloops", dependencies: ["Bare"]),
    .executableTarget(
      name: "bareuring",
      dependencies: ["Bare"],
      linkerSettings: [.linkedLibrary("uring")]
    ),
    .executableTarget(name: "copyways", dependencies: ["Bare"]),
    .executableTarget(
      name: "handoff",
      dependencies: ["Bare"],
      linkerSettings: [.linkedLibrary("uring")]
    ),
    .executableTarget(name: "peak"),
    .executableTarget(name: "treeloop", dependencies: ["Bare"]),
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
