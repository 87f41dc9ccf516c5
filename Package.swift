// swift-tools-version: 6.3

import PackageDescription

/// Builds for scripts/mutants contain known defects that can be switched on.
let mutants: [SwiftSetting] =
  Context.environment["IOCHANNELS_MUTANTS"] == nil ? [] : [.define("MUTANTS")]

/// What every Swift target is compiled with.
let settings: [SwiftSetting] =
  mutants + [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableExperimentalFeature("Lifetimes"),
  ]

// Programs start on machines without these libraries of C, unless this variable is set. Some
// distributions have no static libraries.
let isShared = Context.environment["IOCHANNELS_SHARED_LIBRARIES"] != nil

/// Links a library whose name is `name` to the compiler.
func linked(_ name: String) -> LinkerSetting {
  .linkedLibrary(isShared ? name : ":lib\(name).a")
}

/// A program that tests start.
func tool(name: String, dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name,
    dependencies: dependencies,
    path: "Tests/Tools/\(name)",
    swiftSettings: settings
  )
}

let package = Package(
  name: "iochannels",
  products: [
    .library(name: "IOChannels", targets: ["IOChannels"]),
    .library(name: "DataRegions", targets: ["DataRegions"]),
    .library(name: "DataRegionsFoundation", targets: ["DataRegionsFoundation"]),
    .library(name: "DispatchInterop", targets: ["DispatchInterop"]),
    .library(name: "QueueRuntime", targets: ["QueueRuntime"]),
    .library(name: "EventSources", targets: ["EventSources"]),
    .library(name: "DispatchNames", targets: ["DispatchNames"]),
    // The archive from which scripts/build-gcd makes libgcd for C.
    .library(name: "DispatchCompatibility", type: .static, targets: ["DispatchCompatibility"]),
    .library(name: "FileCopy", targets: ["FileCopy"]),
    .executable(name: "fastcp", targets: ["fastcp"]),
  ],
  targets: [
    // Layer 0: C.
    .systemLibrary(
      name: "CIOChannelsURing",
      pkgConfig: isShared ? "liburing" : nil,
      providers: [.apt(["liburing-dev"])]
    ),
    .systemLibrary(
      name: "CIOChannelsHash",
      pkgConfig: isShared ? "libxxhash" : nil,
      providers: [.apt(["libxxhash-dev"])]
    ),
    .systemLibrary(
      name: "CIOChannelsCrypto",
      pkgConfig: isShared ? "libcrypto" : nil,
      providers: [.apt(["libssl-dev"])]
    ),
    .systemLibrary(
      name: "CIOChannelsBLAKE2",
      pkgConfig: isShared ? "libb2" : nil,
      providers: [.apt(["libb2-dev"])]
    ),
    .target(name: "CIOChannelsSystem"),

    // Layer 1: the kernel's calls as values and typed errors.
    .target(name: "IOChannelsSystem", dependencies: ["CIOChannelsSystem"], swiftSettings: settings),

    // Layer 1: locks and lists that the modules above share.
    .target(name: "IOChannelsLocks", dependencies: ["IOChannelsSystem"], swiftSettings: settings),

    // Layer 2: bytes and queues.
    .target(name: "DataRegions", dependencies: ["IOChannelsSystem"], swiftSettings: settings),
    .target(
      name: "QueueRuntime",
      dependencies: ["CIOChannelsSystem", "IOChannelsLocks", "IOChannelsSystem"],
      swiftSettings: settings
    ),

    // Layer 3: requests to the kernel.
    .target(
      name: "IOChannelsEngine",
      dependencies: [
        "CIOChannelsURing", "CIOChannelsSystem", "DataRegions", "QueueRuntime", "IOChannelsLocks",
        "IOChannelsSystem",
      ],
      swiftSettings: settings,
      linkerSettings: [linked("uring")]
    ),

    // Layer 4: channels.
    .target(
      name: "IOChannels",
      dependencies: [
        "DataRegions", "QueueRuntime", "IOChannelsEngine", "IOChannelsLocks", "IOChannelsSystem",
      ],
      swiftSettings: settings
    ),

    // Layer 4: event sources.
    .target(
      name: "EventSources",
      dependencies: ["QueueRuntime", "IOChannelsLocks", "IOChannelsSystem"],
      swiftSettings: settings
    ),

    // Layer 5: the copier as a library.
    .target(
      name: "FileCopy",
      dependencies: [
        "CIOChannelsBLAKE2", "CIOChannelsCrypto", "CIOChannelsHash", "DataRegions", "IOChannels",
        "QueueRuntime", "IOChannelsEngine", "IOChannelsLocks", "IOChannelsSystem",
      ],
      swiftSettings: settings,
      linkerSettings: [linked("xxhash"), linked("crypto"), linked("b2")]
    ),

    // Layer 6: the copier as a command.
    .executableTarget(
      name: "fastcp",
      dependencies: ["CIOChannelsSystem", "FileCopy"],
      swiftSettings: settings
    ),

    // Layer 6: bridges, each to one foreign module.
    .target(name: "DataRegionsFoundation", dependencies: ["DataRegions"], swiftSettings: settings),
    .target(name: "DispatchInterop", dependencies: ["DataRegions"], swiftSettings: settings),

    // Layer 7: the names of Dispatch.
    .target(
      name: "DispatchNames",
      dependencies: ["DataRegionsFoundation", "EventSources", "IOChannels"],
      swiftSettings: settings
    ),

    // Layer 7: the functions of Dispatch for C, without a symbol of Dispatch.
    .target(name: "CDispatchABI", linkerSettings: [.linkedLibrary("BlocksRuntime")]),
    .target(
      name: "DispatchCompatibility",
      dependencies: [
        "CDispatchABI", "CIOChannelsSystem", "DataRegions", "EventSources", "IOChannels",
        "IOChannelsLocks", "IOChannelsSystem", "QueueRuntime",
      ],
      swiftSettings: settings
    ),

    // Tests. What compares copied trees shares no code with what is tested.
    .target(name: "CIOChannelsTestSupport", path: "Tests/CIOChannelsTestSupport"),
    .target(
      name: "IOChannelsTestSupport",
      dependencies: ["CIOChannelsTestSupport", "IOChannelsEngine", "IOChannelsSystem"],
      path: "Tests/IOChannelsTestSupport",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "enginebench",
      dependencies: [
        "DataRegions", "IOChannels", "QueueRuntime", "IOChannelsEngine", "IOChannelsLocks",
        "IOChannelsSystem",
      ],
      path: "Tests/Tools/enginebench",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "channeltool",
      dependencies: [
        "CIOChannelsTestSupport", "DataRegions", "DispatchInterop", "IOChannels", "QueueRuntime",
        "IOChannelsEngine", "IOChannelsLocks", "IOChannelsSystem", "IOChannelsTestSupport",
      ],
      path: "Tests/Tools/channeltool",
      swiftSettings: settings
    ),
    .target(name: "CIOChannelsCounting", path: "Tests/CIOChannelsCounting"),
    .executableTarget(
      name: "operationcosts",
      dependencies: [
        "CIOChannelsCounting", "DataRegions", "FileCopy", "IOChannels", "QueueRuntime",
        "IOChannelsLocks", "IOChannelsSystem", "IOChannelsTestSupport",
      ],
      path: "Tests/Tools/operationcosts",
      swiftSettings: settings
    ),
    tool(name: "race", dependencies: ["QueueRuntime", "IOChannelsSystem"]),
    .executableTarget(name: "sandboxrun", path: "Tests/Tools/sandboxrun"),
    .executableTarget(
      name: "gcdtool",
      dependencies: ["DispatchCompatibility"],
      path: "Tests/Tools/gcdtool",
      cSettings: [.headerSearchPath("../../../Packaging/include")],
      linkerSettings: [.linkedLibrary("dispatch")]
    ),
    tool(name: "mainqueue", dependencies: ["QueueRuntime", "IOChannelsSystem"]),
    tool(name: "mainasync", dependencies: ["QueueRuntime", "IOChannelsSystem"]),
    tool(name: "mainrunloop", dependencies: ["QueueRuntime", "IOChannelsSystem"]),
    tool(name: "mainxctest", dependencies: ["QueueRuntime"]),
    .executableTarget(
      name: "engines",
      dependencies: [
        "CIOChannelsTestSupport", "DataRegions", "QueueRuntime", "IOChannelsEngine",
        "IOChannelsSystem", "IOChannelsTestSupport",
      ],
      path: "Tests/Tools/engines",
      swiftSettings: settings
    ),
    .target(
      name: "Simulation",
      dependencies: [
        "CIOChannelsTestSupport", "DataRegions", "IOChannels", "QueueRuntime", "IOChannelsEngine",
        "IOChannelsSystem",
      ],
      path: "Tests/Simulation",
      swiftSettings: settings
    ),
    tool(name: "simulate", dependencies: ["QueueRuntime", "Simulation", "IOChannelsSystem"]),
    tool(name: "headerbody", dependencies: ["IOChannels"]),
    tool(name: "awaiting", dependencies: ["FileCopy", "IOChannels"]),
    .executableTarget(
      name: "misuse",
      dependencies: [
        "EventSources", "FileCopy", "IOChannels", "IOChannelsEngine", "IOChannelsTestSupport",
      ],
      path: "Tests/Tools/misuse",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "signalsources",
      dependencies: [
        "CIOChannelsTestSupport", "EventSources", "QueueRuntime", "IOChannelsLocks",
        "IOChannelsSystem",
      ],
      path: "Tests/Tools/signalsources",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "observe",
      dependencies: [
        "CIOChannelsTestSupport", "EventSources", "QueueRuntime", "IOChannelsSystem",
        "IOChannelsTestSupport",
      ],
      path: "Tests/Tools/observe",
      swiftSettings: settings
    ),
    tool(
      name: "randomcopies",
      dependencies: ["IOChannelsSystem", "IOChannelsTestSupport", "QueueRuntime"]
    ),
    .executableTarget(name: "faultfs", path: "Tests/Tools/faultfs"),
    tool(name: "pressure", dependencies: ["EventSources", "IOChannelsSystem"]),
    .executableTarget(name: "flip", path: "Tests/Tools/flip"),
    .executableTarget(name: "naivecopy", path: "Tests/Tools/naivecopy"),
    .executableTarget(name: "signalat", path: "Tests/Tools/signalat"),
    .executableTarget(name: "treelist", path: "Tests/Tools/treelist"),
    .executableTarget(name: "treemake", path: "Tests/Tools/treemake"),
    .testTarget(
      name: "IOChannelsSystemTests",
      dependencies: ["IOChannelsSystem", "IOChannelsTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "IOChannelsLocksTests",
      dependencies: [
        "IOChannelsLocks", "IOChannelsSystem", "IOChannelsTestSupport", "QueueRuntime",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DataRegionsTests",
      dependencies: ["DataRegions", "IOChannelsTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "QueueRuntimeTests",
      dependencies: [
        "QueueRuntime", "IOChannelsLocks", "IOChannelsSystem", "IOChannelsTestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "IOChannelsEngineTests",
      dependencies: [
        "CIOChannelsURing", "CIOChannelsTestSupport", "DataRegions", "QueueRuntime",
        "IOChannelsEngine", "IOChannelsLocks", "IOChannelsSystem", "IOChannelsTestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "IOChannelsTests",
      dependencies: ["IOChannels", "IOChannelsEngine", "IOChannelsLocks", "IOChannelsTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "EventSourcesTests",
      dependencies: [
        "CIOChannelsTestSupport", "EventSources", "QueueRuntime", "IOChannelsLocks",
        "IOChannelsSystem", "IOChannelsTestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "IOChannels", "QueueRuntime", "IOChannelsEngine", "Simulation", "IOChannelsSystem",
        "IOChannelsTestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "FileCopyTests",
      dependencies: ["FileCopy", "IOChannels", "IOChannelsTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "FastcpTests",
      dependencies: ["FileCopy", "IOChannelsSystem", "IOChannelsTestSupport", "fastcp"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DataRegionsFoundationTests",
      dependencies: ["DataRegionsFoundation", "IOChannelsTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DispatchCompatibilityTests",
      dependencies: ["DispatchCompatibility", "IOChannelsTestSupport", "QueueRuntime"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DispatchInteropTests",
      dependencies: ["DispatchInterop", "IOChannelsTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ProductTests",
      dependencies: [
        "DataRegions", "DataRegionsFoundation", "DispatchInterop", "DispatchNames", "EventSources",
        "FileCopy", "IOChannels", "IOChannelsStandIns", "IOChannelsTestSupport", "QueueRuntime",
      ],
      swiftSettings: settings
    ),
    .target(name: "IOChannelsStandIns", path: "Tests/IOChannelsStandIns"),
    // What measures, without the rows: those are in a package of their own.
    .target(name: "IOChannelsMeasure", path: "Benchmarks/Sources/Measure"),
    .testTarget(name: "MeasureTests", dependencies: ["IOChannelsMeasure"], swiftSettings: settings),
    .testTarget(
      name: "RepositoryTests",
      dependencies: ["IOChannelsTestSupport"],
      swiftSettings: settings
    ),
  ],
  cLanguageStandard: .gnu11
)

// scripts/races --quick builds the tests of a few modules, and the programs that they start.
if let names = Context.environment["IOCHANNELS_TESTS"]?.split(separator: " ") {
  package.products.removeAll { $0.name == "fastcp" }
  package.targets.removeAll { target in
    [.test, .executable].contains(target.type) && !names.contains { $0 == target.name }
  }
}
