import IOChannelsTestSupport
import Testing

/// Copies stay on one file system where that is asked for.
@Suite("One file system")
struct FileSystemTests {
  @Test("Directories of other file systems come over empty, as with cp", .needs(.root))
  func oneFileSystem() throws {
    let place = try TemporaryDirectory()
    let script = """
      mkdir -p t/a t/m t/b u; mount -t tmpfs none t/m; mkdir t/m/in; echo 1 >t/m/f; echo 2 >t/a/g
      echo 3 >t/file; echo 4 >t/m/other; mount --bind t/m/other t/file; chmod 710 t/m
      ln -s m t/link; ln t/a/g t/b/g
      for p in cp "$0"; do for o in '-ax t' '-rx t' '-rx t/m' '-rxL t' '-r t' '-rx t/a t/m' \
        '-rxH t/link' '-rx --parents t/m'; do
        rm -rf to; mkdir to; s=0; (exec -a cp $p $o to) 2>&1 || s=$?; echo "$o $s"
        find to -printf '%p %y %m %s\\n' | grep -v ' d .* ' | sort
        find to -type d -printf '%p %m\\n' | sort
      done; echo next; done
      """
    let text = try runSuccessfully(
      ["unshare", "-m", "bash", "-ec", script, BuiltProgram.fastcp.path],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    let halves = text.split(separator: "next\n")
    #expect(halves.count == 2)
    #expect(halves.first == halves.last)
    #expect(text.contains("to/t/m 710\n"))
  }

  @Test("A file system that may not be read is no failure where it is left out", .needs(.root))
  func unreadable() throws {
    let place = try TemporaryDirectory()
    let script = """
      mkdir -p t/m; mount -t tmpfs -o mode=0 none t/m; echo 1 >t/f; chmod 777 .
      "$1" nocaps=1 uid=65534 -- "$0" -rx t to 2>&1 || echo failed; ls to
      """
    let program = try TemporaryDirectory()
    try runSuccessfully(
      ["sh", "-c", "chmod 755 .; cp \(BuiltProgram.fastcp.path) fastcp"],
      directory: program.path
    )
    let text = try runSuccessfully(
      [
        "unshare", "-m", "bash", "-ec", script, program("fastcp"), BuiltProgram.sandboxrun.path,
      ],
      directory: place.path
    )
    #expect(text == "f\nm\n")
  }

  @Test("Times are compared as the destination keeps them (T9)", .needs(.root, .loop))
  func coarseTimes() throws {
    let place = try TemporaryDirectory()
    // Inodes of 128 bytes keep whole seconds.
    let script = """
      truncate -s 8M image; mkfs.ext4 -q -F -I 128 image >mkfs 2>&1; mkdir m; mount -o loop image m
      echo 1 >f; touch -d @5.7 f; "$0" -p f m/f; echo 2 >f; touch -d @5.9 f
      "$0" -up f m/f; cat m/f; touch -d @6 f; "$0" -up f m/f; cat m/f
      echo 3 >f; touch -d @6.5 f; "$0" -u f m/f; cat m/f; ls -A m | grep -v lost
      echo 4 >fine; touch -d @6 fine; echo 5 >f; touch -d @6.000000001 f; "$0" -up f fine; cat fine
      """
    let text = try runSuccessfully(
      ["unshare", "-m", "bash", "-ec", script, BuiltProgram.fastcp.path],
      environment: ["PATH": "/usr/sbin:/sbin:/usr/bin:/bin"],
      directory: place.path
    )
    #expect(text == "1\n2\n3\nf\n5\n")
  }
}
