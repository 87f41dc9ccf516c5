import IOChannelsTestSupport
import Testing

/// Launchers start the parts of a copy, number them and start them again.
@Suite("Launchers of parts", .ends(withinMinutes: 20))
struct FleetTests {
  private static let tree = """
    mkdir -p s/a/b s/c; for i in {1..200}; do echo $i >s/a/$i; head -c 20000 /dev/urandom >s/a/b/$i
    done; for i in {1..50}; do ln s/a/$i s/c/$i; done; ln -s a s/link; touch -d 2001-02-03 s/a s
    """

  /// Runs the last step, and compares the copy.
  private func finish(_ scene: Scene) throws {
    let outcome = try scene.copy("-aT", "--shard=finish", "s", "t")
    #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
    #expect(try scene.differences("s", "t") == [])
    #expect(try scene.shell("find t -name '.fastcp-*'") == "")
  }

  @Test(
    "Open MPI numbers the parts, and a rank that was killed is run again (T68, T69, F13)",
    .needs(.openMPI, .full)
  )
  func openMPI() throws {
    let scene = try Scene(Self.tree)
    let launch = "mpirun --allow-run-as-root --oversubscribe -n 4"
    let copy = "'\(BuiltProgram.fastcp.path)' -aT --resume --shard=auto s t"
    let killed = try run(
      [
        "bash", "-c",
        """
        \(launch) bash -c '
          if [ $OMPI_COMM_WORLD_RANK = 2 ]; then sleep 0.2; kill -9 $$; fi
          exec \(BuiltProgram.fastcp.path) -aT --resume --shard=auto s t
        '
        """,
      ],
      directory: scene.place.path,
      timeout: .seconds(120)
    )
    #expect(!killed.succeeded)
    let early = try scene.copy("-aT", "--shard=finish", "s", "t")
    #expect(early.status == 1 && early.errorText.contains("part 2/4 has not reported"), "\(early)")
    try scene.shell("\(launch) \(copy)", timeout: .seconds(120))
    try finish(scene)
  }

  @Test("GNU parallel gives each part its number, and retries (T68, T69)", .needs(.parallel, .full))
  func parallel() throws {
    let scene = try Scene(Self.tree + "; : >failed")
    // The first attempt of each part fails.
    try scene.shell(
      """
      part() {
        if ! grep -qx "$1" failed; then echo "$1" >>failed; return 1; fi
        '\(BuiltProgram.fastcp.path)' -aT --resume --shard=$1/5 s t
      }
      export -f part; parallel --will-cite --jobs 5 --retries 3 part {} ::: 0 1 2 3 4
      """,
      timeout: .seconds(120)
    )
    try finish(scene)
  }
}
