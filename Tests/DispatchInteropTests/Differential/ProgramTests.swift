import DispatchInterop
import IOChannelsTestSupport
import Testing

@Suite("Random programs on buffers and on DispatchData")
struct ProgramTests {
  private let steps = 30

  @Test("Random programs have the same results in Dispatch")
  func randomProgramsMatchTheReference() {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 300, full: 10_000) {
      let (queue, ends) = (DispatchQueue(label: "ends"), Ends())
      var made = 0
      do {
        let seed = random.next()
        var program = Program(random: SeededGenerator(seed: seed), queue: queue, ends: ends)
        program.run(steps: steps)
        made = program.made
      }
      // What ends on the queue may let something else end there: once for each exchange.
      for _ in 0...steps { queue.drain() }
      #expect(ends.count == made, "seed \(random.seed)")
    }
  }

  @Test("Ranges that Dispatch clamps stop the program")
  func whatTheReferenceClampsIsMisuseHere() async {
    let data = DispatchData.copying([1, 2, 3])
    #expect(data.subdata(in: 1..<9).bytes == [2, 3])
    #expect(data.subdata(in: 5..<9).bytes == [])
    #expect(data.region(at: 3) == Step(offset: 3, bytes: []))
    await #expect(processExitsWith: .failure) {
      _ = DataBuffer([1, 2, 3]).subdata(in: 1..<9)
    }
    await #expect(processExitsWith: .failure) {
      _ = DataBuffer([1, 2, 3]).region(at: 3)
    }
  }
}

private struct Program {
  private static let byteLimit = 3_000

  var random: SeededGenerator
  let queue: DispatchQueue
  let ends: Ends
  /// How many pieces of memory were given away, to be given back.
  private(set) var made = 0
  private var pairs = [Pair](repeating: Pair(), count: 4)

  init(random: SeededGenerator, queue: DispatchQueue, ends: Ends) {
    (self.random, self.queue, self.ends) = (random, queue, ends)
  }

  private var seed: Comment { "seed \(random.seed)" }

  mutating func run(steps: Int) {
    for _ in 0..<steps {
      let pair = step()
      #expect(pair.ours.count == pair.theirs.count, seed)
      compareWalks(pair)
      compareCopies(pair)
      if !pair.ours.isEmpty { compareRegions(pair) }
    }
  }

  private mutating func anyRange(_ count: Int) -> Range<Int> {
    let ends = [random.number(in: 0..<count + 1), random.number(in: 0..<count + 1)].sorted()
    return ends[0]..<ends[1]
  }

  private mutating func newPair() -> Pair {
    let bytes = random.bytes(random.number(in: 0..<20))
    if random.chance(percent: 50) { return Pair(copying: bytes) }
    made += 2
    return Pair(showing: bytes, on: queue, by: ends)
  }

  /// Changes one pair and returns it.
  private mutating func step() -> Pair {
    let target = random.number(in: 0..<pairs.count)
    let source = pairs[random.number(in: 0..<pairs.count)]
    switch random.number(in: 0..<20) {
    case 0: pairs[target] = newPair()
    case 1...8:
      // Enough regions for a tree of several levels.
      for _ in 0..<random.number(in: 1..<20) { pairs[target].append(newPair()) }
    case 9...11:
      if pairs[target].count + source.count > Self.byteLimit { break }
      pairs[target].append(source)
    case 12...15: pairs[target] = source.part(anyRange(source.count))
    case 16:
      pairs[target] = newPair()
      pairs[target].append(source)
    case 17, 18: pairs[target] = source.exchanged(on: queue)
    default: pairs[target].append(raw: random.bytes(random.number(in: 0..<9)))
    }
    return pairs[target]
  }

  private mutating func compareWalks(_ pair: Pair) {
    let theirs = pair.theirs.steps(0)
    let ours = pair.ours.steps(0)
    #expect(ours.flatMap(\.bytes) == theirs.flatMap(\.bytes), seed)
    #expect(pair.ours.mapped == pair.theirs.mapped, seed)
    guard pair.hasSameRegions else { return }
    #expect(ours == theirs, seed)
    let limit = random.number(in: 1..<ours.count + 2)
    #expect(pair.ours.steps(limit) == pair.theirs.steps(limit), seed)
    #expect(pair.ours.steps(limit).count == min(limit, ours.count), seed)
  }

  private mutating func compareCopies(_ pair: Pair) {
    let range = anyRange(pair.count)
    let room = random.number(in: 0..<pair.count + 10)
    for range in [range, nil] {
      let (ours, theirs) = (
        pair.ours.copied(room: room, from: range), pair.theirs.copied(room: room, from: range)
      )
      #expect(ours == theirs, seed)
    }
    let copied = pair.ours.copied(room: range.count + 3, from: range).bytes
    #expect(copied == pair.theirs.copiedSilently(room: range.count + 3, from: range), seed)
    let first = pair.ours.copied(room: range.count + 3, from: 0..<range.count).bytes
    #expect(first == pair.theirs.copiedSilently(room: range.count + 3, first: range.count), seed)
  }

  private mutating func compareRegions(_ pair: Pair) {
    let location = random.number(in: 0..<pair.count)
    let (ours, theirs) = (pair.ours.region(at: location), pair.theirs.region(at: location))
    if pair.hasSameRegions { #expect(ours == theirs, seed) }
    #expect(ours.bytes[location - ours.offset] == theirs.bytes[location - theirs.offset], seed)
  }
}
