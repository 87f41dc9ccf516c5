import FileCopy
import IOChannelsTestSupport
import Testing

@testable import fastcp

/// What the options about keeping say, alone and together.
@Suite("Preserved attributes")
struct PreserveTests {
  private func options(_ words: String...) throws -> CopyOptions {
    let arguments = (words + ["a", "b"]).map { BytePath($0) }
    guard case .copy(let request) = try Command(ArgumentParser().parse(arguments)) else {
      throw TestFailure("no copy")
    }
    return request.options
  }

  @Test("The last word about each attribute counts")
  func lastWord() throws {
    #expect(try options("--preserve").metadata.preserved == [.mode, .ownership, .timestamps])
    #expect(try options("--preserve=mode,links").metadata.preserved == [.mode, .links])
    #expect(
      try options("-a", "--no-preserve=mode").metadata.preserved
        == PreservedAttributes.all.subtracting(.mode)
    )
    #expect(try options("--no-preserve=mode", "-a").metadata.preserved == .all)
    #expect(try options("-a", "--no-preserve=all").metadata.preserved == [])
    #expect(try options("--preserve=all", "--no-preserve=ow,ti").metadata.preserved.contains(.mode))
    #expect(
      try !options("--preserve=all", "--no-preserve=ow,ti").metadata.preserved.contains(.ownership)
    )
    #expect(try options("-a", "--no-preserve=mode").metadata.usesPlainModes)
    #expect(try !options("--no-preserve=mode", "--preserve=mode").metadata.usesPlainModes)
  }

  @Test("Attributes that cannot be kept are nothing, warnings or failures (T18)")
  func loss() throws {
    #expect(try options("-a").metadata.attributeLoss == .ignored)
    #expect(try options("--preserve=all").metadata.attributeLoss == .warned)
    #expect(try options("-a", "--preserve=xattr").metadata.attributeLoss == .failing)
    #expect(try options("--preserve=xattr", "-a").metadata.attributeLoss == .failing)
    #expect(
      try options("--preserve=xattr", "--no-preserve=xattr").metadata.attributeLoss == .warned
    )
  }

  @Test("The last word about links counts (T11)")
  func following() throws {
    #expect(try options("-r").tree.following == .nothing)
    #expect(try options("-rl").tree.following == .everything)
    #expect(try options("-rL").tree.following == .everything)
    #expect(try options("-aH").tree.following == .operands)
    #expect(try options("-La").tree.following == .nothing)
    #expect(try options("-LHP").tree.following == .nothing)
    #expect(try options("-P").tree.following == .nothing)
  }

  @Test("With labels of the kernel, -Z and --preserve=context exclude each other")
  func labels() throws {
    func command(_ words: String...) throws -> Command {
      try Command(
        ArgumentParser().parse((words + ["a", "b"]).map { BytePath($0) }),
        hasSecurityContexts: true
      )
    }
    guard case .copy(let request) = try command("-aZ") else { throw TestFailure("no copy") }
    #expect(!request.options.metadata.preserved.contains(.securityContext))
    #expect(request.options.metadata.preserved.contains(.extendedAttributes))
    #expect(throws: UsageError.contextBothWays) { try command("-Z", "--preserve=context") }
    #expect(throws: UsageError.contextNotSet("x")) { try command("--context=x") }
    guard case .copy = try command("--preserve=context") else { throw TestFailure("no copy") }
  }

  @Test(
    "Words and their mistakes are those of cp",
    arguments: [
      Twin("--preserve=context", "f", "new"), Twin("-Z", "f", "new"), Twin("--context", "f", "new"),
      Twin("--context=foo", "f", "new"), Twin("-aZ", "f", "new"),
      Twin("--preserve=foo", "f", "new"),
      Twin("--no-preserve=mode,foo", "f", "new"), Twin("--preserve=", "f", "new"),
      Twin("--preserve=mode,,links", "f", "new"), Twin("--preserve=m,ti", "f", "new"),
      Twin("--no-preserve", "f", "new"), Twin("--reflink=always", "--sparse=always", "f", "new"),
      Twin("--reflink=foo", "f", "new"), Twin("--sparse=x", "f", "new"),
      Twin("--sparse=a", "f", "new"), Twin("--sparse", "f", "new"),
      Twin("--preserve=context"),
    ]
  )
  func words(twin: Twin) throws { try twin.compare() }

  @Test(
    "New files have the mode of new files where modes are refused (T16)",
    arguments: [
      Twin("--no-preserve=mode", "f", "new", after: "chmod 4700 f"),
      Twin("-a", "--no-preserve=mode", "d", "new", after: "chmod 600 d/h; mkfifo -m 600 d/p"),
      Twin("--no-preserve=mode", "f", "g", after: "chmod 700 f; chmod 640 g"),
      Twin("-p", "--no-preserve=mode", "f", "new", after: "chmod 600 f; chown 12:34 f"),
      Twin("--no-preserve=mode", "-p", "f", "new", after: "chmod 600 f"),
      Twin("-r", "--no-preserve=all", "d", "new", after: "chmod 700 d; chmod 777 d/h"),
    ],
    ["022", "077"]
  )
  func plainModes(twin: Twin, mask: String) throws {
    try twin.calling("umask \(mask); exec \"$0\" \"$@\"").compare()
  }

  @Test("A directory below a set-group-id directory keeps that bit without modes too (T45)")
  func setGroup() throws {
    let place = try TemporaryDirectory()
    let script = """
      umask 022; mkdir -p d/sub to; chmod 700 d d/sub; chmod 2775 to
      "$0" -r --no-preserve=mode d to; stat -c %a to/d to/d/sub
      """
    let modes = try runSuccessfully(
      ["bash", "-ec", script, BuiltProgram.fastcp.path],
      directory: place.path
    )
    #expect(modes == "2755\n2755\n")
  }

  @Test("A symbolic link to a source has the times of the source with -p and -a (T20)")
  func timesOfLinks() throws {
    let place = try TemporaryDirectory()
    let script = """
      echo 1 >f; touch -d @1000 f; ln -s f l; touch -h -d @2000 l; chmod 600 f
      mkdir d; echo 2 >d/x; ln -s x d/l; touch -d @3000 d/x; touch -h -d @3500 d/l; touch -d @4000 d
      for p in cp "$0"; do
        mkdir to; cd to; cp -a ../[fl] .
        "$p" -p -s f 1; "$p" -a -s f 2; "$p" -a -s l 3; "$p" -p -s l 4; ln -s none 5
        "$p" --preserve=timestamps -sf f 5; "$p" -a -s "$PWD/../d" 6
        find . -printf '%p %T@ %l\\n' | grep -v '^[.] ' | sort; cd ..; rm -r to; echo next
      done
      """
    let text = try runSuccessfully(
      ["bash", "-ec", script, BuiltProgram.fastcp.path],
      directory: place.path
    )
    let halves = text.split(separator: "next\n")
    #expect(halves.count == 2 && halves.first == halves.last, "\(text)")
    #expect(text.contains("./4 1000.") && text.contains("./6/l 3500."), "\(text)")
  }

  @Test(
    "FIFOs and directories have the special bits that cp gives them (T14)",
    .needs(.root),
    arguments: [
      ["-r"], ["-a"], ["-r", "--no-preserve=mode"], ["-r", "--preserve=ownership"],
      ["-r", "--preserve=timestamps"], ["-r", "--preserve=mode"],
      ["-a", "--no-preserve=ownership"],
    ],
    ["000", "022", "077"]
  )
  func specialBits(options: [String], mask: String) throws {
    var twin = Twin(
      after: """
        mkdir s; for m in 1644 1777 2644 2755 4755 6755 7777; do
          mkfifo s/p$m; mkdir s/d$m; chmod $m s/p$m s/d$m
        done
        """
    )
    twin.arguments = options + ["s", "new"]
    try twin.calling("umask \(mask); exec \"$0\" \"$@\"").compare()
  }
}
