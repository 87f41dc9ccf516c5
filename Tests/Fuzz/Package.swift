// swift-tools-version: 6.3

import PackageDescription

// A package of its own: its program has no entry point but the one that the sanitizer brings.
let package = Package(
  name: "iochannels-fuzz",
  dependencies: [.package(name: "iochannels", path: "../..")],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: [
        .product(name: "DataRegions", package: "iochannels"),
        .product(name: "EventSources", package: "iochannels"),
      ]
    )
  ]
)
