import IOChannelsTestSupport
import Testing

@Suite("Copies without threads (S103, S166)", .ends(withinMinutes: 10))
struct ThreadlessTests {
  /// Copies a tree to another file system in a sandbox, and compares.
  private func copy(in sandbox: [String], options: [String] = []) throws {
    let scene = try Scene(
      """
      mkdir -p s/d; head -c 9000000 /dev/urandom >s/large; echo x >s/d/small
      head -c 70000 /dev/urandom >s/middle; truncate -s 3M s/holes; ln -s small s/d/link
      chmod -R a+rX .
      """
    )
    let other = try TemporaryDirectory(in: "/dev/shm")
    try runSuccessfully(["chmod", "777", other.path])
    let program = "\(other.path)/program"
    try runSuccessfully(["cp", BuiltProgram.fastcp.path, program])
    for backend in ["auto", "threads"] {
      let outcome = try run(
        [BuiltProgram.sandboxrun.path] + sandbox + ["--", program, "-r"] + options + [
          "s", "\(other.path)/\(backend)",
        ],
        environment: ["IOCHANNELS_BACKEND": backend],
        directory: scene.place.path
      )
      #expect(outcome.succeeded && outcome.errors.isEmpty, "\(sandbox) \(options): \(outcome)")
      try scene.shell("diff -r --no-dereference s '\(other.path)/\(backend)'")
    }
  }

  @Test("Where no thread can be started the calling thread copies", arguments: 0..<3)
  func noThread(way: Int) throws {
    try copy(in: Sandbox.withoutThreads[way])
    try copy(in: Sandbox.withoutThreads[way], options: ["--verify", "--jobs=4", "--stats"])
  }

  @Test("A user who may have no or few further threads copies too", .needs(.root))
  func fewThreads() throws {
    for count in 1...6 { try copy(in: Sandbox.threads(count, user: 62_000 + count)) }
  }

  @Test("A copy needs little address space")
  func littleAddressSpace() throws {
    func starts(_ megabytes: Int) throws -> Bool {
      try run(
        [
          BuiltProgram.sandboxrun.path, "as=\(megabytes << 20)", "--", BuiltProgram.fastcp.path,
          "--version",
        ]
      ).succeeded
    }
    // What the program and its libraries take; a sanitizer takes more than there is.
    guard let least = try stride(from: 16, through: 1_024, by: 16).first(where: starts) else {
      return
    }
    // Room for buffers, but not for the stack of a thread; then for some, and for all.
    for more in [8, 12, 16, 24, 32, 40, 64, 100, 180, 320, 480] {
      try copy(in: ["as=\((least + more) << 20)"])
    }
  }
}
