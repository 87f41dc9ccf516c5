import IOChannelsTestSupport

extension Trap {
  /// Sources that change, failed requests, full disks and interrupted copies.
  static let errors = [shrinkingSource, replacedSource, killedCopy, fullDisk, partialRequests]

  private static let shrinkingSource = Trap(
    "T22",
    "a source that shrinks ends early and is reported",
    extras: [.faulty],
    stage: { test in
      try test.write(test.bytes(3_000_000), to: "behind/f")
      try test.write(test.bytes(3_000_000), to: "behind/g")
      try test.makeDirectory("to")
    },
    expect: { test in
      let copy = try test.copy("faulty/f", "faulty/g", "to", holding: "read f 2") {
        try test.setSize(1_000_000, of: "behind/f")
      }
      test.expect(copy, is: .failure("cp: file 'faulty/f' was changed while being copied"))
      test.expect(test.haveSameBytes("behind/g", "to/g"), is: true)
    }
  )

  private static let replacedSource = Trap(
    "T23",
    "a source that is replaced before its opening is not copied",
    extras: [.faulty],
    stage: { test in
      try test.write("1\n", to: "behind/s/f")
      try test.write("2\n", to: "behind/s/g")
      try test.write("secret\n", to: "secret")
    },
    expect: { test in
      try test.copy("-rT", "faulty/s", "to", holding: "lookup f 1") {
        try test.remove("behind/s/f")
        try test.makeLink("behind/s/f", to: "\(test.path)/secret")
      }
      test.expect(test.names(in: "to"), is: ["g"])
      test.expect(test.text(of: "to/g"), is: "2\n")
    }
  )

  private static let killedCopy = Trap(
    "T30",
    "an interrupted copy does not pass for a complete one by its size",
    extras: [.faulty],
    stage: { test in
      try test.write(test.bytes(3_000_000), to: "behind/f")
      try test.setTime(5, of: "behind/f")
      try test.makeDirectory("to")
    },
    expect: { test in
      let copy = try test.startHolding("read f 3", ["-a", "faulty/f", "to"])
      copy.kill()
      try test.faults.setRules()
      test.expect(copy.finish().status, is: 128 + 9)
      test.expect(test.size(of: "to/f") == 3_000_000, is: false)

      try test.copy("-a", "faulty/f", "to")
      test.expect(test.haveSameBytes("behind/f", "to/f"), is: true)
      test.expect(test.names(in: "to"), is: ["f"])
    }
  )

  private static let fullDisk = Trap(
    "T31",
    "a full disk is an error, and the space of the failed copy is freed",
    extras: [.narrow],
    stage: { test in
      try test.write(test.bytes(4_000_000) + test.bytes(4_000_000), to: "large")
      try test.write("1\n", to: "small")
      try test.makeDirectory("narrow/to")
    },
    expect: { test in
      let free = try test.freeSpace(in: "narrow")
      let copy = try test.copy("large", "narrow/to")
      test.expect(copy.status, is: 1)
      test.expect(
        copy.messages.filter { !$0.contains("warning") },
        is: ["cp: error writing 'narrow/to/large': No space left on device"]
      )
      test.expect(test.names(in: "narrow/to"), is: [])

      try test.copy("large", "small", "narrow/to", oneAtATime: true)
      test.expect(test.names(in: "narrow/to"), is: ["small"])
      try test.remove("narrow/to/small")
      let isFreed = try test.eventually { try free - test.freeSpace(in: "narrow") < 800 << 10 }
      test.expect(isFreed, is: true)
    }
  )

  private static let partialRequests = Trap(
    "T32",
    "requests that are short, refused or cancelled are completed or reported",
    extras: [.faultyDirect],
    stage: { test in
      try test.write(test.bytes(3_000_017), to: "behind/f")
      try test.write(test.bytes(3_000_017), to: "f")
      try test.makeDirectories("to", "far/to", "behind/to")
    },
    expect: { test in
      try test.faults.setRules("read f 1+ short 70001")
      try test.copy("faulty/f", "to")
      test.expect(test.haveSameBytes("f", "to/f"), is: true)
      try test.faults.setRules("write f 1+ short 70001")
      try test.copy("f", "faulty/to")
      test.expect(test.haveSameBytes("f", "behind/to/f"), is: true)

      try test.faults.setRules("read f 2 errno 5")
      let failed = try test.copy("faulty/f", "to/g")
      test.expect(failed, is: .failure("cp: error reading 'faulty/f': Input/output error"))
      test.expect(test.names(in: "to"), is: ["f"])
      try test.faults.setRules()

      try test.copy("--direct", "f", "far/to")
      test.expect(test.haveSameBytes("f", "far/to/f"), is: true)
      let copy = try test.copy("--direct", "--debug", "f", "far/to/g")
      test.expect(test.haveSameBytes("f", "far/to/g"), is: true)
      let hasRing = copy.messages.contains { $0.hasPrefix("channels: io_uring") }
      test.expect(hasRing, is: test.usesRing)
    }
  )
}
