import IOChannelsTestSupport
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

  @Test(
    "Three and four names of one file in three directories stay together (T33)",
    arguments: [
      ["-a"], ["-a", "--jobs=2"], ["-a", "--atomic"], ["-a", "--remove-destination"], ["-av"],
    ]
  )
  func groups(options: [String]) throws {
    let place = try TemporaryDirectory()
    // With -v, a copy removes the existing names before it links them.
    let isFresh = options == ["-av"] ? "round % 3 == 1" : "round % 6"
    let script = """
      mkdir -p s/x s/y s/z
      for i in {1..60}; do
        head -c 2000 /dev/urandom >s/x/f$i; ln s/x/f$i s/y/f$i; ln s/x/f$i s/z/h$i
        if (( i % 2 )); then ln s/x/f$i s/y/g$i; fi
      done
      for round in {1..\(Tier.count(quick: 8, full: 200))}; do
        if (( \(isFresh) )); then rm -rf to; mkdir to; fi
        "$0" "$@" s to/ >/dev/null & first=$!
        "$0" "$@" s to/ >/dev/null & second=$!
        wait $first || echo "the first failed"
        wait $second || echo "the second failed"
        count=$(find to -type f -printf '%i\\n' | sort -u | wc -l)
        [ $count = 60 ] || echo "$count files in round $round"
        diff -r s to/s
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
