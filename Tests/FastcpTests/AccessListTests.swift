import IOChannelsTestSupport
import Testing

/// What a default access list of the destination does to copies.
@Suite("Access lists of the destination")
struct AccessListTests {
  private static let lists =
    "chmod 640 f; chmod 666 g; mkdir to; setfacl -d -m u:nobody:rwx to; "
    + "mkdir t t/s; echo 1 >t/s/1; echo 2 >t/2; chmod 660 t/2; chmod 750 t/s; mkfifo -m 640 t/p"

  @Test(
    "Copies get the rights that cp gives (T16, T44)",
    arguments: [
      Twin("f", "g", "to", after: lists), Twin("-p", "f", "g", "to", after: lists),
      Twin("-r", "t", "to", after: lists), Twin("-a", "t", "to", after: lists),
      Twin("-rp", "t", "to", after: lists),
      Twin("-a", "t/.", "to/t", after: "\(lists); mkdir to/t"),
      // What the first operand makes of the place holds for the others.
      Twin(
        "-a",
        "t/.",
        "f",
        "d",
        "at",
        after: "mkdir t at; setfacl -d -m u:nobody:rwx t; chmod 660 f"
      ),
      Twin("-a", "f", "t/.", "g", "at", after: "mkdir t at; chgrp 34 t; chmod 2775 t"),
      Twin("g", "to", after: "\(lists); setfacl -b to; setfacl -d -m u::rwx,g::r-x,o::- to"),
      Twin("f", "g", after: "chmod 640 f; chmod 600 g; setfacl -m u:nobody:rwx g"),
    ],
    ["022", "077"]
  )
  func rights(twin: Twin, mask: String) throws {
    try twin.calling("umask \(mask); exec \"$0\" \"$@\"").compare()
  }

  /// Runs a script that looks at the copy `to/f` while `p` is still being read.
  private func duringCopy(_ options: String, prepared: String, look: String) throws -> [String] {
    let place = try TemporaryDirectory()
    let script = """
      mkdir to; mkfifo -m 640 p; \(prepared)
      "$0" \(options) p to/f & exec 3>p; printf x >&3
      until [ "$(head -c 1 to/f 2>/dev/null)" = x ]; do sleep 0.01; done
      \(look) to/f; exec 3>&-; wait; echo; \(look) to/f
      """
    let text = try run(
      ["bash", "-ec", script, BuiltProgram.fastcp.path],
      directory: place.path,
      timeout: .seconds(20)
    ).outputText
    return text.split(separator: "\n\n").map { String($0) }
  }

  @Test("No user gets rights by the list while the file is copied (T44)")
  func meanwhile() throws {
    let looks = try duringCopy(
      "-p",
      prepared: "setfacl -d -m u:nobody:rwx to",
      look: "getfacl -ce"
    )
    #expect(looks.first?.contains("mask::---") == true, "\(looks)")
    #expect(looks.last?.contains("nobody") == false, "\(looks)")
  }

  @Test("An existing file is closed before the first byte, and ends with its source's mode (T15)")
  func existing() throws {
    let looks = try duringCopy(
      "-p",
      prepared: "echo old >to/f; chmod 666 to/f",
      look: "stat -c %a"
    )
    #expect(looks.map { $0.split(separator: "\n").first } == ["600", "640"])
  }

  @Test(
    "An existing file loses a list that its source does not have (T15)",
    arguments: ["-p", "-a", "--preserve=mode"]
  )
  func lostList(option: String) throws {
    let place = try TemporaryDirectory()
    let script = """
      echo 1 >f; chmod 640 f; echo 2 >g; setfacl -m u:nobody:rwx g
      "$0" \(option) f g; cmp f g; getfacl -c g
      """
    let text = try runSuccessfully(
      ["bash", "-ec", script, BuiltProgram.fastcp.path],
      directory: place.path
    )
    #expect(text == "user::rw-\ngroup::r--\nother::---\n\n")
  }
}
