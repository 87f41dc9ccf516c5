/// A network of its own, with the hosts `a`, `b`, `c` and `d`, which are all this machine, and the
/// servers of launchers in it.
enum FleetNetwork {
  /// The words before a command that runs in namespaces of its own. When it ends, so does all that
  /// it started.
  static let namespaces = [
    "unshare", "--net", "--uts", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
  ]

  /// The commands that start the network. Slurm needs an address outside of 127.0.0.0/8.
  static let network = """
    mount -t tmpfs none /run; mkdir /run/munge /run/sshd
    hostname localhost; ip link set lo up
    cp /etc/hosts hosts; mount --bind hosts /etc/hosts
    n=0; for host in a b c d; do
      n=$((n + 1)); ip address add 10.0.0.$n/32 dev lo; echo 10.0.0.$n $host >>hosts
    done
    """

  /// The commands that start a Slurm of one node with four processors, without accounting and
  /// control groups.
  static let slurm = """
    \(network)
    head -c 1024 /dev/urandom >key; chmod 600 key
    munged --force --key-file=$PWD/key --seed-file=$PWD/seed --log-file=$PWD/munged.log
    cat >slurm.conf <<END
    ClusterName=test
    SlurmctldHost=localhost
    SlurmUser=root
    SlurmdUser=root
    AuthInfo=cred_expire=5
    MpiDefault=none
    ProctrackType=proctrack/linuxproc
    TaskPlugin=task/none
    SelectType=select/cons_tres
    SelectTypeParameters=CR_CPU
    SchedulerType=sched/builtin
    SchedulerParameters=sched_interval=1,sched_min_interval=1,batch_sched_delay=1
    SlurmdParameters=config_overrides
    StateSaveLocation=$PWD/state
    SlurmdSpoolDir=$PWD/spool
    SlurmctldPidFile=/run/slurmctld.pid
    SlurmdPidFile=/run/slurmd.pid
    SlurmctldLogFile=$PWD/slurmctld.log
    SlurmdLogFile=$PWD/slurmd.log
    NodeName=localhost CPUs=4
    PartitionName=all Nodes=ALL Default=YES
    END
    mkdir state spool; export SLURM_CONF=$PWD/slurm.conf
    slurmctld; slurmd
    until sinfo -h -t idle -o %n 2>/dev/null | grep -q .; do sleep 0.05; done
    """

  /// The commands that start a server of ssh, and set `PARALLEL_SSH` to a client with its key.
  static let secureShell = """
    \(network)
    for key in host user; do ssh-keygen -q -t ed25519 -N '' -f $key; done
    cat >sshd_config <<END
    HostKey $PWD/host
    AuthorizedKeysFile $PWD/user.pub
    StrictModes no
    UsePAM no
    PidFile none
    END
    cat >ssh_config <<END
    Host *
    IdentityFile $PWD/user
    StrictHostKeyChecking no
    UserKnownHostsFile /dev/null
    LogLevel ERROR
    END
    $(command -v sshd) -f sshd_config -E sshd.log
    export PARALLEL_SSH="ssh -F $PWD/ssh_config"
    """
}
