import IOChannelsTestSupport

extension Trap {
  /// Names that another process changes at the same time.
  static let races = [swappedNames, takenName]

  private static let swappedNames = Trap(
    "T42",
    "swapped names lead neither out of the source nor out of the destination",
    stage: { test in try test.shell(Attack.source) },
    expect: { test in
      for _ in 1...2 {
        try test.copy("-a", "source", "copy", under: .flip(Attack.sourcePairs))
        test.expect(try test.shell(Attack.leak), is: "")
      }

      try test.shell("rm -rf source")
      try test.shell(Attack.destination)
      let before = try test.shell(Attack.canary)
      for _ in 1...2 {
        try test.shell(Attack.attackedDestination)
        try test.copy("-aT", "source", "copy", under: .flip(Attack.destinationPairs))
        test.expect(try test.shell(Attack.canary), is: before)
      }
    }
  )

  private static let takenName = Trap(
    "T43",
    "a file that takes the name of the copy gets none of its attributes",
    stage: { test in
      try test.write("1\n", to: "secret", mode: 0o600)
      try test.makeFIFO("p", mode: 0o666)
      try test.addAccess("u:33:r", to: "p")
      try test.makeDirectory("to")
      try test.setTime(5, of: "secret")
    },
    likeCP: { test in
      try test.copy("-p", "p", "to/f", feeding: "p", into: "to/f") {
        try test.rename("to/f", to: "kept")
        try test.makeLink("to/f", to: "../secret")
      }
      try test.compareTimes(of: "secret")
    }
  )
}
