/// The list of skipped tests, one line each: the need, a tab, the test.
///
/// `IOCHANNELS_TEST_SKIPS` names the file; without it a skip is only printed.
enum SkipRegister {
  static func add(need: Need, test: String) {
    print("SKIPPED \(test): needs \(need.rawValue)")
    guard let file = Calls.environmentValue("IOCHANNELS_TEST_SKIPS") else { return }
    let line = "\(need.rawValue)\t\(test)\n"
    // `cat >>` appends in one write, so lines of tests that run side by side stay whole.
    let command = ["sh", "-c", "cat >> \"$0\"", file]
    guard let outcome = try? run(command, input: Array(line.utf8)), outcome.succeeded else {
      print("SKIP REGISTER FAILED: \(line)")
      return
    }
  }
}
