import IOChannelsTestSupport
import Testing

/// Launchers start the parts of a copy, number them and start them again.
@Suite("Launchers of parts", .ends(withinMinutes: 20))
struct FleetTests {
  @Test(
    "Open MPI numbers the parts, and a rank that was killed is run again (T68, T69, F13)",
    .needs(.openMPI, .network, .root, .full)
  )
  func openMPI() throws {
    let fleet = try Fleet()
    try fleet.copy(
      by: """
        mpirun --allow-run-as-root --oversubscribe --mca oob_tcp_if_include lo -n 4 \
          $part --shard=auto
        """,
      .fails
    )
    try fleet.check()
  }

  @Test(
    "Slurm numbers the tasks of a step, of which one was killed and runs again (T68, T69, F13)",
    .needs(.slurm, .network, .root, .full)
  )
  func slurm() throws {
    let fleet = try Fleet()
    try fleet.copy(
      by: "srun -n 4 --kill-on-bad-exit=0 $part --shard=auto",
      .fails,
      after: FleetNetwork.slurm
    )
    try fleet.check()
  }

  @Test(
    "A task of a Slurm array that was killed is queued again (T68, T69, F13)",
    .needs(.slurm, .network, .root, .full)
  )
  func slurmArray() throws {
    let fleet = try Fleet()
    let job = """
      cat >job <<'END'
      #!/bin/bash
      #SBATCH --array=3-6 --requeue --open-mode=append --output=job-%a.log
      ./part --shard=auto --exit-codes=scheduler
      status=$?
      case $status in 0 | 42) exit $status ;; esac
      if [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then
        scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
      fi
      exit $status
      END

      """
    try fleet.copy(
      by: """
        job=$(sbatch --parsable job)
        sbatch --dependency=afterok:$job --output=finish.log \
          --wrap='./part --shard=finish && >ended'
        for i in {1..1000}; do if [ -e ended ]; then return; fi; sleep 0.1; done
        return 1
        """,
      .retries,
      after: job + FleetNetwork.slurm,
      finish: "[ ! -s finish.log ]"
    )
    try fleet.check()
  }

  @Test(
    "GNU parallel runs a part that was killed again (T68, T69, F13)",
    .needs(.parallel, .network, .root, .full)
  )
  func parallel() throws {
    let fleet = try Fleet()
    try fleet.copy(
      by: "parallel --will-cite --jobs 5 --retries 3 $part --shard={}/5 ::: 0 1 2 3 4",
      .retries
    )
    try fleet.check()
  }

  @Test(
    "GNU parallel runs a part that was killed again on another host (T68, T69, F13)",
    .needs(.secureShell, .parallel, .network, .root, .full)
  )
  func parallelHosts() throws {
    let fleet = try Fleet()
    try fleet.copy(
      by: """
        parallel --will-cite --jobs 1 --sshlogin a,b,c,d --retries 3 \
          $part --shard={}/4 ::: 0 1 2 3
        """,
      .retries,
      after: FleetNetwork.secureShell
    )
    try fleet.check()
  }

  /// Each pod has process numbers and a host name of its own. So no other one removes its files.
  @Test(
    "A pod of an indexed job that was killed runs again as another machine (T68, T69, F13)",
    .needs(.network, .root, .full)
  )
  func indexedJob() throws {
    let fleet = try Fleet()
    try fleet.copy(
      by: """
        pod() {
          local attempt status
          for attempt in 1 2 3 4; do
            status=0
            JOB_COMPLETION_INDEX=$1 FASTCP_SHARDS=4 \
              unshare --uts --mount --pid --fork --kill-child --mount-proc bash -c '
                hostname copy-$1; exec $2 --shard=auto --exit-codes=scheduler
              ' pod $1-$attempt $part || status=$?
            case $status in 0 | 42) break ;; esac
          done
          return $status
        }
        local index pods=
        for index in 0 1 2 3; do pod $index & pods+=" $!"; done
        for index in $pods; do wait $index; done
        """,
      .retries,
      finish: """
        [ $(find t -name '.fastcp-*' ! -name '.fastcp-part-*' | wc -l) = 1 ]
        find t -name '.fastcp-*' ! -name '.fastcp-part-*' -delete
        $part --shard=finish
        """
    )
    try fleet.check()
  }

  /// A shared file system, and the command that mounts it.
  enum Shared: String, CaseIterable {
    case sshfs
    case faultfs

    var mount: String {
      switch self {
      case .sshfs: "sshfs -o ssh_command=$PWD/server host:$PWD/behind shared"
      case .faultfs: "\"$faultfs\" cached behind shared $PWD/rules"
      }
    }
  }

  /// Each machine keeps names and attributes for a while. So a part may miss a directory, and the
  /// last step a copy, that the other one has created.
  @Test(
    "Two machines mount one file system, and one runs the part of the other again (T68, T69, F13)",
    .needs(.fileSystems, .network, .root, .full),
    arguments: Shared.allCases
  )
  func twoMounts(shared: Shared) throws {
    // The protocol of sshfs has neither inode numbers nor numbers of links, which a source needs.
    let source = shared == .sshfs ? "behind/s" : "shared/s"
    let fleet = try Fleet(behind: "behind", source: source, target: "shared/t")
    try fleet.copy(
      by: """
        local index status=0 parts=
        for index in 0 1 2 3; do
          on $(((index + turn) % 2)) --shard=$index/4 & parts+=" $!"
        done
        turn=1
        for index in $parts; do wait $index || status=$?; done
        return $status
        """,
      .fails,
      after: """
        mkdir shared; turn=0; export faultfs='\(BuiltProgram.faultfs.path)'
        printf '#!/bin/sh\\nexec /usr/lib/openssh/sftp-server\\n' >server; chmod +x server
        for i in 0 1; do
          unshare --mount bash -ec '\(shared.mount); >mounted-$0; exec sleep infinity' $i &
          machines[i]=$!
        done
        until [ -e mounted-0 ] && [ -e mounted-1 ]; do sleep 0.01; done
        on() { nsenter --mount=/proc/${machines[$1]}/ns/mnt $part "${@:2}"; }
        last() { on 0 --shard=finish; }
        """,
      finish: """
        for i in {1..100}; do if last; then exit; fi; sleep 0.5; done
        exit 1
        """
    )
    try fleet.check()
  }
}
