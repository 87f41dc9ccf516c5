import IOChannelsTestSupport
import Testing

/// Every kind of call answers errors, on either side: nothing is lost in silence.
@Suite("Errors of every kind of call", .needs(.root, .fuse), .ends(withinMinutes: 120))
struct FaultSweepTests {
  private typealias Side = FaultedCopy.Side

  private static let sourceCalls = [
    "lookup", "getattr", "open", "read", "flush", "opendir", "readdir", "readlink", "lseek",
    "getxattr", "listxattr",
  ]
  private static let destinationCalls = [
    "lookup", "getattr", "create", "write", "flush", "mkdir", "mknod", "symlink", "link",
    "rename", "truncate", "chown", "chmod", "utimens", "opendir", "getxattr", "setxattr",
    "removexattr",
  ]
  // EIO, and in the full tier ENOENT, EINTR, ENOMEM, EACCES, ENOSPC, EROFS, ESTALE, EDQUOT.
  private static let errors = Tier.current == .full ? [5, 2, 4, 12, 13, 28, 30, 116, 122] : [5]
  private static let depth = Tier.count(quick: 2, full: 20)

  private func sweep(
    _ copy: FaultedCopy,
    _ operation: String,
    _ action: String,
    _ environment: [String: String?] = [:]
  ) throws -> Int {
    var uses = 0
    for isLasting in [false, true] {
      for which in 1...(isLasting ? (Self.depth + 1) / 2 : Self.depth) {
        let fault = FaultedCopy.Fault(
          operation: operation,
          action: action,
          which: which,
          isLasting: isLasting
        )
        guard let problems = try copy.problems(of: fault, environment) else { break }
        #expect(problems == [])
        uses += 1
      }
    }
    return uses
  }

  @Test(
    "An error of any call, once or for good, is reported and affects nothing else (F1)",
    arguments: FaultedCopy.Side.allCases
  )
  func errors(side: FaultedCopy.Side) throws {
    let copy = try FaultedCopy(side)
    var unused: Set<String> = []
    for operation in side == .source ? Self.sourceCalls : Self.destinationCalls {
      for error in Self.errors where try sweep(copy, operation, "errno \(error)") == 0 {
        unused.insert(operation)
      }
    }
    #expect(try copy.sourceChanges() == [])
    // What a copy never asks is no test of it.
    #expect(unused.isSubset(of: ["getxattr", "listxattr", "setxattr", "removexattr", "lseek"]))
  }

  @Test(
    "Errors are reported too if each file is flushed, or the copy can be resumed (F1, T51, T53)",
    arguments: ["--durable", "--resume"]
  )
  func otherOptions(option: String) throws {
    let copy = try FaultedCopy(.destination, options: [option])
    for operation in Self.destinationCalls + ["fsync"] {
      for error in Self.errors { _ = try sweep(copy, operation, "errno \(error)") }
    }
    #expect(try copy.sourceChanges() == [])
  }

  @Test("A hidden file that was created and then not opened is removed (F1)")
  func unopened() throws {
    let copy = try FaultedCopy(.destination, options: ["--durable"])
    for which in 1...25 {
      let fault = FaultedCopy.Fault(
        operation: "getattr",
        action: "errno 12",
        which: which,
        isLasting: false
      )
      #expect(try copy.problems(of: fault) ?? [] == [])
    }
  }

  @Test("A file system that returns EINTR for ever without a signal delays no other file (F1)")
  func interrupted() throws {
    for (side, operations) in [
      (FaultedCopy.Side.source, ["read", "readdir"]),
      (.destination, ["getattr", "create", "write"]),
    ] {
      let copy = try FaultedCopy(side)
      for operation in operations {
        let fault = FaultedCopy.Fault(
          operation: operation,
          action: "errno 4",
          which: 2,
          isLasting: true
        )
        #expect(try copy.problems(of: fault) == [])
      }
    }
  }

  @Test(
    "The thread backend reports errors as the ring does (F1)",
    .needs(.full),
    arguments: FaultedCopy.Side.allCases
  )
  func threads(side: FaultedCopy.Side) throws {
    let copy = try FaultedCopy(side)
    for operation in ["read", "write", "lseek", "flush"] {
      for error in Self.errors {
        _ = try sweep(copy, operation, "errno \(error)", ["IOCHANNELS_BACKEND": "threads"])
      }
    }
  }

  @Test("A file that ends before its length is reported (F2, T22)")
  func cutOff() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene()
    let make = "head -c 5000 /dev/urandom >small; head -c 500000 /dev/urandom >large"
    try runSuccessfully(["bash", "-ec", make], directory: faulty.behind)
    for name in ["small", "large"] {
      // In the page cache a short read is the end of the file.
      try faulty.setRules("read \(name) 1+ short 100")
      let outcome = try scene.copy("-T", "\(faulty.path)/\(name)", "copy")
      #expect(outcome.status == 1)
      let end = "\(name)' was changed while being copied\n"
      #expect(outcome.errorText.hasSuffix(end), "\(outcome)")
    }
  }

  @Test("Files come over a byte at a time (F2)", arguments: FaultedCopy.Side.allCases)
  func singleBytes(side: FaultedCopy.Side) throws {
    let faulty = try FaultFileSystem(isDirect: true)
    let scene = try Scene("head -c 3000 /dev/urandom >f")
    try scene.shell("cp f '\(faulty.behind)'")
    try faulty.setRules("\(side == .source ? "read" : "write") * 1+ short 1")
    let source = side == .source ? "\(faulty.path)/f" : "f"
    let destination = side == .source ? scene.place.path : faulty.path
    #expect(try scene.copy(source, "\(destination)/copy").succeeded)
    let behind = side == .source ? destination : faulty.behind
    try scene.shell("cmp f '\(behind)/copy'")
  }

  @Test(
    "Transfers that move less than was asked go on where they stopped (F2)",
    arguments: FaultedCopy.Side.allCases
  )
  func shortTransfers(side: FaultedCopy.Side) throws {
    // In the page cache a short read would be the end of the file.
    let copy = try FaultedCopy(side, isDirect: true)
    for count in Tier.current == .full ? [100, 511, 4096] : [100] {
      #expect(
        try sweep(copy, side == .source ? "read" : "write", "short \(count)") > 0
      )
    }
  }
}
