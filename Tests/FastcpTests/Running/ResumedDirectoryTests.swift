import IOChannelsTestSupport
import Testing

@Suite("Directories that a rerun finds again")
struct ResumedDirectoryTests {
  /// A tree that was last changed at least a tick of the clock ago, so that a copy is later.
  private static let tree = """
    mkdir -p s/kept/inner s/mode s/owner s/list s/name s/left; echo 1 >s/kept/inner/f
    echo 2 >s/name/f; chmod 2750 s/kept
    find s -exec touch -d 2001-01-01 {} +; sleep 0.02
    """

  @Test("A rerun with nothing to do changes the status of no directory (T75)")
  func nothingToDo() throws {
    let scene = try Scene(Self.tree, in: "/dev/shm")
    #expect(try scene.copy("-aT", "--resume", "s", "copy").succeeded)
    let listing = "find copy -printf '%p %C@\\n' | sort"
    let before = try scene.shell(listing)
    #expect(try scene.copy("-aT", "--resume", "s", "copy").succeeded)
    #expect(try scene.shell(listing) == before)
    #expect(try scene.differences("s", "copy") == [])
  }

  @Test("A rerun sets what changed of a directory, on either side (T75)", .needs(.root))
  func changes() throws {
    let scene = try Scene(Self.tree, in: "/dev/shm")
    #expect(try scene.copy("-aT", "--resume", "s", "copy").succeeded)
    try scene.shell(
      """
      chmod 711 s/mode copy/kept; chown 12:34 s/owner; setfacl -m u:9:r -dm u:9:r s/list
      mv s/name/f s/name/g; chown 56 copy/left; touch copy/mode/more; rm copy/mode/more
      """
    )
    #expect(try scene.copy("-aT", "--resume", "--delete", "s", "copy").succeeded)
    #expect(try scene.differences("s", "copy") == [])
    #expect(try scene.shell("getfacl -cn s/list") == scene.shell("getfacl -cn copy/list"))
    #expect(try scene.shell("stat -c '%a %u' copy/kept copy/left") == "2750 0\n755 0\n")
  }

  @Test("Attributes and access lists of a directory are set again, on either side (T75)")
  func attributes() throws {
    let scene = try Scene(
      """
      mkdir -p s/attribute s/list s/foreign; setfattr -n user.a -v 1 s/attribute
      setfacl -dm u:9:r s/list; chmod 755 s/foreign
      find s -exec touch -d 2001-01-01 {} +; sleep 0.02
      cp -rT --preserve=mode,timestamps s copy; setfacl -b -k copy/list
      setfacl -m u:9:r-x copy/foreign; find copy -exec touch -d 2001-01-01 {} +
      """
    )
    #expect(try scene.copy("-aT", "--resume", "s", "copy").succeeded)
    #expect(try scene.differences("s", "copy") == [])
    let lists = try ["s", "copy"].map { try scene.shell("cd \($0); getfacl -cn list foreign") }
    #expect(lists[0] == lists[1])
  }

  @Test("A rerun tries again to set what could not be set (T75)", .needs(.fuse))
  func failures() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene("mkdir -p s/d; setfattr -n user.a -v 1 s/d; touch -d 2001-01-01 s/d s")
    try faulty.setRules("setxattr * 1+ errno 5")
    for _ in 1...2 {
      #expect(try !scene.copy("-aT", "--resume", "s", "\(faulty.path)/copy").succeeded)
    }
    // No rerun takes this time for that of a directory with all metadata.
    try scene.shell("[ $(stat -c %Y '\(faulty.behind)/copy/d') = $(($(stat -c %Y s/d) - 2)) ]")
    try faulty.setRules()
    #expect(try scene.copy("-aT", "--resume", "s", "\(faulty.path)/copy").succeeded)
    let text = try scene.shell("getfattr --only-values -n user.a '\(faulty.behind)/copy/d'")
    #expect(text == "1")
    #expect(try scene.differences("s", "\(faulty.behind)/copy") == [])
  }
}
