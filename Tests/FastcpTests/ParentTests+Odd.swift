import IOChannelsTestSupport
import Testing

extension ParentTests {
  @Test(
    "Odd paths go where cp puts them (T1)",
    arguments: [
      Twin("--parents", "d/../f", "to", after: "mkdir to"),
      Twin("--parents", "d//h", "to", after: "mkdir to"),
      Twin("--parents", "d/./h", "to", after: "mkdir to"),
      Twin("--parents", "-r", "d/sub/", "to", after: "mkdir to; echo 1 >d/sub/x"),
      Twin("--parents", "-r", "d/sub/../sub", "to", after: "mkdir to; echo 1 >d/sub/x"),
      Twin("--parents", "-r", "ld/sub/../sub", "to", after: "mkdir to; echo 1 >d/sub/x"),
      Twin("--parents", ".//d/h", "to", after: "mkdir to"),
      Twin("--parents", "-v", "../f", "sub").calling("cd d; exec \"$0\" \"$@\""),
      Twin("--parents", "-rv", "d/sub/", "d/h", "to", after: "mkdir to; echo 1 >d/sub/x"),
      Twin("--parents", "-r", "ld/sub", "to", after: "mkdir to; echo 1 >d/sub/x"),
      Twin("--parents", "d/h/", "to", after: "mkdir to"),
      Twin("--parents", "-r", "d/sub/..", "to", after: "mkdir to"),
      Twin("--parents", "-r", "d/sub/../", "to", after: "mkdir to"),
      Twin("--parents", "-a", "d/sub/..", "to", after: "mkdir to; chmod 750 d"),
      Twin("--parents", "-rv", "d/sub/..//", "to", after: "mkdir to"),
      Twin("--parents", "-r", "d/./sub/..", "to", after: "mkdir to"),
      Twin("--parents", "-r", "d/..", "to", after: "mkdir to"),
      Twin("--parents", "-r", "./d/sub/..", "to", after: "mkdir to"),
      Twin("--parents", "-r", "ld/sub/..", "to", after: "mkdir to"),
      Twin("--parents", "-r", "ls/..", "to", after: "ln -s d/sub ls; mkdir -p to/ls"),
      Twin("--parents", "d/sub/..", "to", after: "mkdir to"),
      Twin("--parents", "-r", "d/sub/..", "to", after: "mkdir -p to/d/sub"),
      Twin("--parents", "-rv", "d/sub/../", "to", after: "mkdir -p to/d/sub; echo 1 >to/d/h"),
      Twin("--parents", "-r", "d/sub/..", "f", "to", after: "mkdir to"),
      Twin("--parents", "-r", "d/sub/../sub/..", "to", after: "mkdir to"),
      Twin("--parents", "-r", "d/sub/../h", "to", after: "mkdir to"),
      Twin("--parents", "-r", "d/sub/.././", "to", after: "mkdir to"),
      Twin("--parents", "-r", "d//sub///", "to", after: "mkdir to; echo 1 >d/sub/x"),
      Twin("--parents", "-l", "d/sub/..", "to", after: "mkdir to"),
      Twin("--parents", "-rs", "d/sub/..", "to", after: "mkdir to"),
      Twin("--parents", "-rb", "d/sub/..", "to", after: "mkdir to"),
      Twin("--parents", "-rn", "d/sub/..", "to", after: "mkdir to"),
      Twin("--parents", "-ru", "d/sub/..", "to", after: "mkdir to"),
      Twin("-r", "d/sub/..", "to", after: "mkdir to"),
      Twin("-r", "d/sub/.", "to", after: "mkdir to; echo 1 >d/sub/x"),
      Twin("--parents", "-P", "ld/h", "to", after: "mkdir to to/ld"),
      Twin("--parents", "--no-preserve=mode", "-p", "d/h", "to", after: "mkdir to; chmod 700 d"),
      Twin("--parents", "-a", "--no-preserve=mode", "d/h", "to", after: "mkdir to; chmod 700 d"),
      Twin("--parents", "-T", "d/h", "to", after: "mkdir to"),
      Twin("--parents", "-n", "d/h", "to", after: "mkdir -p to/d; echo 1 >to/d/h"),
      Twin("--parents", "-b", "d/h", "to", after: "mkdir -p to/d; echo 1 >to/d/h"),
    ]
  )
  func oddPaths(twin: Twin) throws { try twin.compare() }

  @Test("A source that ends in a dot is the directory itself, where cp fails (T1)")
  func dots() throws {
    let place = try TemporaryDirectory()
    let script = """
      mkdir -p d/sub to; echo 1 >d/h; "$0" --parents -r d/. to; cat to/d/h; ls to/d
      """
    let text = try runSuccessfully(
      ["bash", "-ec", script, BuiltProgram.fastcp.path],
      directory: place.path
    )
    #expect(text == "1\nh\nsub\n")
  }
}
