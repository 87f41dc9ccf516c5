import TestSupport
import Testing

/// Copies of one tree into one place at the same time.
@Suite("Two copies at once", .ends(withinMinutes: 10))
struct TwoCopiesTests {
  @Test(
    "Names of one file stay together, and nothing fails (T33, T36)",
    arguments: [["-a"], ["-a", "--atomic"], ["-av"], ["-a", "--remove-destination"]],
    [2000, 200_000]
  )
  func pairs(options: [String], size: Int) throws {
    let place = try TemporaryDirectory()
    let script = """
      mkdir -p s/d to
      for i in 1 2 3 4 5; do
        head -c \(size) /dev/urandom >s/f$i; ln s/f$i s/d/g$i; ln -s f$i s/l$i; ln s/l$i s/d/l$i
      done
      for round in {1..\(Tier.count(quick: 6, full: 200))}; do
        if (( round % 3 )); then rm -rf to/s; fi
        "$0" "$@" s to >/dev/null & first=$!
        "$0" "$@" s to >/dev/null & second=$!
        wait $first || echo "the first failed"
        wait $second || echo "the second failed"
        diff -r --no-dereference s to/s
        for i in 1 2 3 4 5; do
          [ to/s/f$i -ef to/s/d/g$i ] || echo "f$i is apart"
          [ $(stat -c %i to/s/l$i) = $(stat -c %i to/s/d/l$i) ] || echo "l$i is apart"
        done
        find to -name '.fastcp-*'
      done
      """
    let outcome = try run(
      ["bash", "-c", script, BuiltProgram.fastcp.path] + options,
      directory: place.path,
      timeout: .seconds(1200)
    )
    #expect(outcome.succeeded && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
  }
}
