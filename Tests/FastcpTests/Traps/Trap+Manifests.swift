import IOChannelsTestSupport

extension Trap {
  /// Lists of copied files and their checksums.
  static let manifests = [listedFiles, comparedFiles]

  private static let listedFiles = Trap(
    "T66",
    "a manifest lists each file under all its names, with any bytes in them",
    stage: { test in
      try test.write("1\n", to: "s/a")
      try test.write("2\n", to: "s/new\nline")
      try test.write(test.bytes(300_000), to: "s/d/large")
      try test.makeHardLink("s/d/b", to: "s/a")
      try test.makeLink("s/link", to: "a")
    },
    expect: { test in
      for target in ["to", "far/to"] {
        let copy = try test.copy("-a", "--manifest=m", "--checksum=sha256", "s", target)
        test.expect(copy, is: .success)
        let check = "cd \(target) && sha256sum -c --strict --quiet \"$OLDPWD/m\""
        test.expect(try test.shell("{ \(check); } 2>&1 || echo failed"), is: "")
        test.expect(try test.shell("wc -l <m 2>&1 || :"), is: "4\n")
      }
    }
  )

  private static let comparedFiles = Trap(
    "T67",
    "a comparison with a manifest finds what is missing, changed and extra",
    stage: { test in
      for name in ["a", "b", "c", "d"] { try test.write("1\n", to: "s/\(name)") }
      try test.write("1\n", to: "outside")
    },
    expect: { test in
      test.expect(try test.copy("-a", "--manifest=m", "s", "to"), is: .success)
      test.expect(try test.copy("--check=m", "to"), is: .success)
      try test.remove("to/a")
      try test.remove("to/c")
      try test.makeLink("to/c", to: "../outside")
      try test.rename("to/d", to: "to/e")
      let lines = ["changed: 'c'", "extra: 'e'", "missing: 'a'", "missing: 'd'"]
      test.expect(try test.copy("--check=m", "to"), is: TrapRun.Copy(status: 1, messages: lines))
      try test.shell("sed 's,  b,  ../outside,' m >n || :")
      let refused = try test.copy("--check=n", "to")
      test.expect(refused.messages.contains { $0.contains("leads out") }, is: true)
    }
  )
}
