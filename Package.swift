// swift-tools-version: 6.3

import PackageDescription

/// What every Swift target is compiled with.
var settings: [SwiftSetting] = [
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

// Builds for scripts/mutants contain known defects that can be switched on.
if Context.environment["IOCHANNELS_MUTANTS"] != nil { settings.append(.define("MUTANTS")) }

let package = Package(
  name: "iochannels",
  products: [
    .library(name: "IOChannels", targets: ["IOChannels"]),
    .library(name: "DataRegions", targets: ["DataRegions"]),
    .library(name: "DataRegionsFoundation", targets: ["DataRegionsFoundation"]),
    .library(name: "DispatchInterop", targets: ["DispatchInterop"]),
    .library(name: "QueueRuntime", targets: ["QueueRuntime"]),
    .library(name: "EventSources", targets: ["EventSources"]),
    .library(name: "FileCopy", targets: ["FileCopy"]),
    .executable(name: "fastcp", targets: ["fastcp"]),
  ],
  targets: [
    // Layer 0: C.
    .systemLibrary(
      name: "CLibURing",
      pkgConfig: "liburing",
      providers: [.apt(["liburing-dev"])]
    ),
    .systemLibrary(
      name: "CXXHash",
      pkgConfig: "libxxhash",
      providers: [.apt(["libxxhash-dev"])]
    ),
    .target(name: "CSystem"),

    // Layer 1: the kernel's calls as values and typed errors.
    .target(name: "SystemCalls", dependencies: ["CSystem"], swiftSettings: settings),

    // Layer 2: bytes and queues.
    .target(name: "DataRegions", dependencies: ["SystemCalls"], swiftSettings: settings),
    .target(name: "QueueRuntime", dependencies: ["SystemCalls"], swiftSettings: settings),

    // Layer 3: requests to the kernel.
    .target(
      name: "RequestEngine",
      dependencies: ["CLibURing", "CSystem", "DataRegions", "QueueRuntime", "SystemCalls"],
      swiftSettings: settings
    ),

    // Layer 4: channels.
    .target(
      name: "IOChannels",
      dependencies: ["DataRegions", "QueueRuntime", "RequestEngine", "SystemCalls"],
      swiftSettings: settings
    ),

    // Layer 4: event sources.
    .target(
      name: "EventSources",
      dependencies: ["QueueRuntime", "SystemCalls"],
      swiftSettings: settings
    ),

    // Layer 5: the copier as a library.
    .target(
      name: "FileCopy",
      dependencies: [
        "CXXHash", "DataRegions", "IOChannels", "QueueRuntime", "RequestEngine", "SystemCalls",
      ],
      swiftSettings: settings
    ),

    // Layer 6: the copier as a command.
    .executableTarget(
      name: "fastcp",
      dependencies: ["CSystem", "FileCopy"],
      swiftSettings: settings
    ),

    // Layer 6: bridges, each to one foreign module.
    .target(
      name: "DataRegionsFoundation",
      dependencies: ["DataRegions"],
      swiftSettings: settings
    ),
    .target(name: "DispatchInterop", dependencies: ["DataRegions"], swiftSettings: settings),

    // Tests. What compares copied trees shares no code with what is tested.
    .target(name: "CTestSupport", path: "Tests/CTestSupport"),
    .target(
      name: "TestSupport",
      dependencies: ["CTestSupport", "SystemCalls"],
      path: "Tests/TestSupport",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "enginebench",
      dependencies: [
        "DataRegions", "IOChannels", "QueueRuntime", "RequestEngine", "SystemCalls",
      ],
      path: "Tests/Tools/enginebench",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "channelcalls",
      dependencies: [
        "DataRegions", "IOChannels", "QueueRuntime", "RequestEngine", "SystemCalls", "TestSupport",
      ],
      path: "Tests/Tools/channelcalls",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "channelmemory",
      dependencies: [
        "DataRegions", "IOChannels", "QueueRuntime", "RequestEngine", "SystemCalls", "TestSupport",
      ],
      path: "Tests/Tools/channelmemory",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "channelprobe",
      dependencies: [
        "DataRegions", "IOChannels", "QueueRuntime", "RequestEngine", "SystemCalls", "TestSupport",
      ],
      path: "Tests/Tools/channelprobe",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "channelscripts",
      dependencies: [
        "DataRegions", "DispatchInterop", "IOChannels", "QueueRuntime", "RequestEngine",
        "SystemCalls", "TestSupport",
      ],
      path: "Tests/Tools/channelscripts",
      swiftSettings: settings
    ),
    .target(name: "CCounting", path: "Tests/CCounting"),
    .executableTarget(
      name: "operationcosts",
      dependencies: [
        "CCounting", "DataRegions", "IOChannels", "QueueRuntime", "SystemCalls", "TestSupport",
      ],
      path: "Tests/Tools/operationcosts",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "race",
      dependencies: ["QueueRuntime", "SystemCalls"],
      path: "Tests/Tools/race",
      swiftSettings: settings
    ),
    .executableTarget(name: "sandboxrun", path: "Tests/Tools/sandboxrun"),
    .executableTarget(
      name: "mainqueue",
      dependencies: ["QueueRuntime", "SystemCalls"],
      path: "Tests/Tools/mainqueue",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "engines",
      dependencies: [
        "CTestSupport", "DataRegions", "QueueRuntime", "RequestEngine", "SystemCalls",
        "TestSupport",
      ],
      path: "Tests/Tools/engines",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "storms",
      dependencies: ["CTestSupport", "IOChannels", "RequestEngine", "SystemCalls", "TestSupport"],
      path: "Tests/Tools/storms",
      swiftSettings: settings
    ),
    .target(
      name: "Simulation",
      dependencies: [
        "CTestSupport", "DataRegions", "IOChannels", "QueueRuntime", "RequestEngine",
        "SystemCalls",
      ],
      path: "Tests/Simulation",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "simulate",
      dependencies: ["QueueRuntime", "Simulation", "SystemCalls"],
      path: "Tests/Tools/simulate",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "headerbody",
      dependencies: ["IOChannels"],
      path: "Tests/Tools/headerbody",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "awaiting",
      dependencies: ["FileCopy", "IOChannels"],
      path: "Tests/Tools/awaiting",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "misuse",
      dependencies: ["FileCopy", "IOChannels", "RequestEngine", "TestSupport"],
      path: "Tests/Tools/misuse",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "signalsources",
      dependencies: ["CTestSupport", "EventSources", "QueueRuntime", "SystemCalls"],
      path: "Tests/Tools/signalsources",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "observe",
      dependencies: ["CTestSupport", "EventSources", "QueueRuntime", "SystemCalls", "TestSupport"],
      path: "Tests/Tools/observe",
      swiftSettings: settings
    ),
    .executableTarget(name: "faultfs", path: "Tests/Tools/faultfs"),
    .executableTarget(
      name: "pressure",
      dependencies: ["EventSources", "SystemCalls"],
      path: "Tests/Tools/pressure",
      swiftSettings: settings
    ),
    .executableTarget(name: "flip", path: "Tests/Tools/flip"),
    .executableTarget(name: "naivecopy", path: "Tests/Tools/naivecopy"),
    .executableTarget(name: "signalat", path: "Tests/Tools/signalat"),
    .executableTarget(name: "treelist", path: "Tests/Tools/treelist"),
    .executableTarget(name: "treemake", path: "Tests/Tools/treemake"),
    .testTarget(
      name: "SystemCallsTests",
      dependencies: ["SystemCalls", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DataRegionsTests",
      dependencies: ["DataRegions", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "QueueRuntimeTests",
      dependencies: ["QueueRuntime", "SystemCalls", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "RequestEngineTests",
      dependencies: [
        "CLibURing", "CTestSupport", "DataRegions", "QueueRuntime", "RequestEngine",
        "SystemCalls", "TestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "IOChannelsTests",
      dependencies: ["IOChannels", "RequestEngine", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "EventSourcesTests",
      dependencies: [
        "CTestSupport", "EventSources", "QueueRuntime", "SystemCalls", "TestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "IOChannels", "QueueRuntime", "RequestEngine", "Simulation", "SystemCalls", "TestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "FileCopyTests",
      dependencies: ["FileCopy", "IOChannels", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "FastcpTests",
      dependencies: ["FileCopy", "SystemCalls", "TestSupport", "fastcp"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DataRegionsFoundationTests",
      dependencies: ["DataRegionsFoundation", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DispatchInteropTests",
      dependencies: ["DispatchInterop", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ProductTests",
      dependencies: [
        "DataRegions", "DataRegionsFoundation", "DispatchInterop", "EventSources", "FileCopy",
        "IOChannels", "QueueRuntime", "TestSupport",
      ],
      swiftSettings: settings
    ),
    // What measures, without the rows: those are in a package of their own.
    .target(name: "BenchmarkMeasure", path: "Benchmarks/Sources/Measure"),
    .testTarget(
      name: "MeasureTests",
      dependencies: ["BenchmarkMeasure"],
      swiftSettings: settings
    ),
    .testTarget(name: "RepositoryTests", dependencies: ["TestSupport"], swiftSettings: settings),
  ],
  cLanguageStandard: .gnu11
)
