import IOChannelsTestSupport
import Testing

/// Which links are followed, in trees, loops and operands: as with cp.
@Suite("Links that are followed")
struct FollowingTests {
  private static let tree = """
    ln -s ../f d/in; ln -s h d/same; ln -s sub d/ldir; ln -s nowhere d/dang; echo 1 >d/sub/1
    ln -s d k; ln -s sub d/ldir2
    """

  @Test(
    "Operands, all or none (T11)",
    arguments: [
      Twin("-rH", "k", "new", after: tree), Twin("-rL", "k", "new", after: tree),
      Twin("-rP", "k", "new", after: tree),
      Twin("-RH", "k", "l", "d", "to", after: "\(tree); mkdir to"),
      Twin("-H", "l", "new"), Twin("-L", "l", "new"), Twin("-P", "l", "new"),
      Twin("-P", "dang", "new"), Twin("-H", "dang", "new"), Twin("-L", "dang", "new"),
      Twin("-aH", "k", "new", after: tree), Twin("-aL", "k", "new", after: tree),
      Twin("-La", "k", "new", after: tree), Twin("-dL", "l", "new"), Twin("-Hd", "l", "new"),
      Twin("-rH", "k/", "new", after: tree), Twin("-rP", "k/", "new", after: tree),
      Twin("-rL", "q", "new", after: "mkdir q; mkfifo p; ln -s ../p q/p"),
      Twin("-P", "f", "l2", after: "ln -s g l2"), Twin("-P", "l", "l2", after: "ln -s g l2"),
      Twin("-rL", "d", "new", after: "ln -s loop d/loop"),
      Twin("-rH", "d", "to", after: "\(tree); mkdir -p to/d; ln -s /tmp to/d/same"),
      Twin("-rHl", "k", "new", after: tree), Twin("-rlP", "k", "new", after: tree),
      Twin("-rLs", "/etc/hostname", "new"), Twin("-uH", "l", "g"),
      Twin(
        "-rbH",
        "k",
        "d",
        "to",
        after: "\(tree); mkdir -p to/k; echo 1 >to/k/h"
      ),
    ]
  )
  func policies(twin: Twin) throws { try twin.compare() }

  @Test(
    "Links to one file are names of one copy where names are kept (T33)",
    arguments: [
      Twin(
        "-r",
        "-L",
        "--preserve=links",
        "q",
        "new",
        after: "mkdir q; echo 1 >q/a; ln -s a q/b; ln -s ../f q/c; ln -s ../f q/e; ln q/a q/g"
      ),
      Twin("-L", "--preserve=links", "f", "l", "m", "to", after: "ln -s l m; mkdir to"),
      Twin("-H", "--preserve=links", "f", "l", "to", after: "mkdir to"),
      Twin("-P", "--preserve=links", "f", "l", "to", after: "mkdir to"),
      Twin("--preserve=links", "f", "l", "to", after: "mkdir to"),
      Twin("-rH", "--preserve=links", "f", "q", "to", after: "mkdir q to; ln -s ../f q/b"),
      Twin("-aL", "d", "new", after: "ln -s sub d/s1; ln -s sub d/s2; echo 1 >d/sub/x"),
    ]
  )
  func names(twin: Twin) throws { try twin.compare() }

  @Test(
    "Loops end, and a directory never goes into itself, by whatever link (T5)",
    arguments: [
      Twin("-rL", "d", "new", after: "ln -s . d/loop"),
      Twin("-rL", "d", "new", after: "ln -s ../d d/sub/loop"),
      Twin("-rL", "d", "new", after: "mkdir e; ln -s ../e d/e; ln -s ../d e/d"),
      // Without -T cp leaves out what its listing names behind the directory that it is making.
      Twin("-rT", "d", "d"),
    ]
  )
  func loops(twin: Twin) throws { try twin.compare() }

  @Test(
    "A link that cp follows into itself ends at the first step (T5)",
    arguments: [
      ("-rH ld d/new", "cannot copy a directory, 'ld', into itself, 'd/new'"),
      ("-rL ld d/new", "cannot copy a directory, 'ld', into itself, 'd/new'"),
      ("-rL q d/new", "cannot copy a directory, 'q', into itself, 'd/new'"),
      ("-rL ld ld", "cannot copy a directory, 'ld', into itself, 'ld/ld'"),
      ("-r d ld/new", "cannot copy a directory, 'd', into itself, 'ld/new'"),
      ("-rT d d/sub", "cannot copy a directory, 'd', into itself, 'd/sub'"),
    ]
  )
  func intoItself(arguments: String, message: String) throws {
    let place = try TemporaryDirectory()
    let script = """
      \(Twin.common); mkdir q; ln -s ../d q/d; "$0" \(arguments) 2>&1 || echo $?; find . | wc -l
      """
    let text = try runSuccessfully(
      ["bash", "-ec", script, BuiltProgram.fastcp.path],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    let lines = text.split(separator: "\n").map { String($0) }
    #expect(lines.dropLast() == ["fastcp: \(message)", "1"])
    #expect(lines.last.flatMap { Int($0) } ?? .max < 20)
  }
}
