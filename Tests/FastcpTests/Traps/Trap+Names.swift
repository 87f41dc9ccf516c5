import IOChannelsTestSupport
import IOChannelsSystem

extension Trap {
  /// Unusual names, long names and long paths.
  static let names = [unusualNames, longNames, longPaths]

  private static let unusualNames = Trap(
    "T37",
    "names are bytes, and messages have one line",
    stage: { test in
      let names: [BytePath] = [
        BytePath(bytes: [0xff, 0xfe]), "line\nbreak", "-dash", " ", "*", "\u{1b}[31m", "it's",
        BytePath(String(repeating: "n", count: 255)),
      ]
      for name in names { try test.write(Array(name.bytes), to: BytePath("t").appending(name)) }
      let directory = BytePath(bytes: Array("t/dir\n".utf8) + [0xff])
      let link = directory.appending(BytePath(bytes: [0xe8]))
      try test.makeLink(link, to: BytePath(bytes: [0xe9]))
    },
    likeCP: { test in
      try test.copy("-r", "t", "u")
      let missing = try test.copy(under: .arguments(#"$'no\nsuch\x1b\xff' u"#))
      test.expect(missing.messages.count, is: 1)
      test.locale = "C.UTF-8"
      let directory = try test.copy(under: .arguments(#"$'t/dir\n\xff' u"#))
      test.expect(directory.messages.count, is: 1)
      test.locale = "C"
      try test.copy("--", "-dash", "u")
    }
  )

  private static let longNames = Trap(
    "T38",
    "a temporary name fits beside a name of 255 bytes",
    naiveLoopPasses: "it gives a file no temporary name",
    stage: { test in
      let name = String(repeating: "n", count: 255)
      try test.write(test.bytes(300_000), to: name)
      try test.write("old\n", to: "to/\(name)")
      try test.makeLink("d/\(name)", to: "x")
    },
    expect: { test in
      let name = String(repeating: "n", count: 255)
      test.expect(try test.copy("--atomic", name, "to"), is: .success)
      test.expect(test.haveSameBytes(name, "to/\(name)"), is: true)
      test.expect(try test.copy("-a", "--atomic", name, "to"), is: .success)
      test.expect(try test.copy("--verify", name, "to"), is: .success)
      test.expect(test.haveSameBytes(name, "to/\(name)"), is: true)

      try test.remove("to/\(name)")
      test.expect(try test.copy("-a", "d/\(name)", "to"), is: .success)
      test.expect(try test.copy("-a", "d/\(name)", "to"), is: .success)
      test.expect(test.target(of: "to/\(name)"), is: "x")
      test.expect(test.names(in: "to"), is: [name])
    }
  )

  private static let longPaths = Trap(
    "T39",
    "a path may be longer than the system's limit for a path",
    stage: { test in
      let name = String(repeating: "n", count: 250)
      try test.makeNestedDirectories(below: "t", named: name, depth: 20)
    },
    expect: { test in
      try test.copy("-a", "t", "u")
      test.expect(test.differences("t", "u"), is: [])
      test.expect(test.paths(in: "u")?.count, is: 3 * 21)
    }
  )
}
