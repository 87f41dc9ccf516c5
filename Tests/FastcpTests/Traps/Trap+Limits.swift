import IOChannelsTestSupport
import IOChannelsSystem

extension Trap {
  /// Limits of the process.
  static let limits = [deepTrees, processLimits]

  private static let deepTrees = Trap(
    "T40",
    "a deep tree needs few descriptors and little stack",
    stage: { test in try test.makeNestedDirectories(below: "t", named: "d", depth: 150) },
    expect: { test in
      try test.copy("-a", "t", "u", under: .sandbox(.descriptors(32), .stack(256 << 10)))
      test.expect(test.differences("t", "u"), is: [])
      test.expect(test.paths(in: "u")?.count, is: 3 * 151)
    }
  )

  private static let processLimits = Trap(
    "T41",
    "a limit fails one file or selects a slower method, and the run continues",
    stage: { test in
      try test.write("1\n", to: "s/a")
      try test.write(test.bytes(3_000_000), to: "s/large")
      try test.write("2\n", to: "s/z")
    },
    expect: { test in
      for target in ["t", "far/t"] {
        let copy = try test.copy("-r", "s", target, under: .sandbox(.fileSize(8192)))
        test.expect(copy.status, is: 1)
        test.expect(copy.messages.count { $0.hasSuffix("large': File too large") }, is: 1)
        test.expect(test.names(in: target), is: ["a", "z"])
      }

      test.mayFallBack = true
      let restrictions: [TrapRun.Restriction] = [
        .deniedRing(.notPermitted), .deniedRing(.noMemory), .lockedMemory(0),
      ]
      for restriction in restrictions {
        try test.copy("s/large", "far/large", under: .sandbox(restriction))
        test.expect(test.haveSameBytes("s/large", "far/large"), is: true)
        try test.remove("far/large")
      }
      try test.copy("s/a", "far/o", under: .sandbox(.descriptors(10)))
      test.expect(test.text(of: "far/o"), is: "1\n")
    }
  )
}
