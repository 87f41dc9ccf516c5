import IOChannelsTestSupport
import Testing

/// `--no-preserve=mode` in a directory with a default access list.
@Suite("Plain modes and access lists of the destination")
struct PlainListTests {
  private static let scene = """
    chmod 640 f; mkdir -p t/s to; echo 1 >t/f; echo 2 >t/s/g; chmod 600 t/f; chmod 1755 t/s
    mkfifo -m 600 t/p; ln -s f t/l
    """

  @Test(
    "The mask of the process decides, and the list grants nothing (T16)",
    arguments: [
      "setfacl -d -m u:nobody:rwx to", "setfacl -d -m u::rwx,g::r-x,o::- to",
      "setfacl -d -m u:nobody:rwx,g::rwx,o::rwx to; setfacl -m u:nobody:rwx to",
    ],
    ["022", "077", "000"]
  )
  func rights(list: String, mask: String) throws {
    for words in [
      ["--no-preserve=mode", "f", "to"], ["-r", "--no-preserve=mode", "t", "to"],
      ["-a", "--no-preserve=mode", "t", "to"],
      ["-r", "--preserve=timestamps", "--no-preserve=mode", "t", "to"],
      ["--parents", "--no-preserve=mode", "t/f", "to"],
      // The mode is preserved after all, or neither of both options is given.
      ["-r", "--no-preserve=mode", "-p", "t", "to"], ["-r", "t", "to"],
    ] {
      var twin = Twin(after: "\(Self.scene); \(list)")
      twin.arguments = words
      try twin.calling("umask \(mask); exec \"$0\" \"$@\"").compare()
    }
  }
}
