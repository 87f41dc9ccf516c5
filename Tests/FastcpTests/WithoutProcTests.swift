import IOChannelsTestSupport
import Testing

/// The command works where `/proc` is not mounted.
@Suite("Without /proc", .needs(.root))
struct WithoutProcTests {
  private static let tree = """
    mkdir -p s/d; echo 1 >s/f; ln -s nowhere s/l; mkfifo -m 640 s/p; mknod -m 600 s/c c 1 3
    chown -h 12:34 s/l s/p; touch -h -d @7 s/l; touch -d @8 s/p; chmod 751 s/d
    """
  private static let list = """
    list() {
      (cd "$1"; find . -printf '%p %y %m %U:%G %T@ %l\\n' | sort; getfattr -hdm - -R . | sort)
    }
    """

  @Test(
    "Links and special files keep what they keep with cp (T12, T43)",
    arguments: ["-a", "-dRp"]
  )
  func metadata(option: String) throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        """
        \(Self.tree); \(Self.list)
        setfattr -hn trusted.x -v 1 s/l; setfattr -hn trusted.x -v 2 s/p; setfacl -m u:5:rw s/p
        cp \(option) s expected
        unshare -m sh -ec 'mount -t tmpfs none /proc; "$PROGRAM" \(option) s to'
        diff <(list expected) <(list to); getfacl -pn expected/p to/p | grep -c user:5:rw-
        """,
      ],
      environment: ["PROGRAM": BuiltProgram.fastcp.path, "LC_ALL": "C"],
      directory: place.path
    )
    #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
    #expect(outcome.outputText == "2\n", "\(outcome)")
  }

  @Test("Without a way to the attributes, links are copied and special files stay closed (T44)")
  func withoutRights() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        """
        chmod 777 .; mkdir s; ln -s nowhere s/l; mkfifo -m 644 s/p; chown -hR 65534:65534 s
        cp "$PROGRAM" program
        unshare -m sh -c 'mount -t tmpfs none /proc
          user="setpriv --reuid=65534 --regid=65534 --clear-groups"
          $user ./program -a s/l to; echo $?; $user ./program -r s two; echo $?
          $user ./program -a s three; echo $?'
        readlink to two/l three/l; stat -c %a three/p
        """,
      ],
      environment: ["PROGRAM": BuiltProgram.fastcp.path, "LC_ALL": "C"],
      directory: place.path
    )
    #expect(
      outcome.errorText == "program: failed to get permissions of 's/p': Bad file descriptor\n",
      "\(outcome)"
    )
    #expect(outcome.outputText == "0\n0\n1\nnowhere\nnowhere\nnowhere\n600\n", "\(outcome)")
  }
}
