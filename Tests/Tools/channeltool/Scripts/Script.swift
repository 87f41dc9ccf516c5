import IOChannelsTestSupport

/// Calls on channels whose results do not depend on time, here and in Dispatch.
///
/// What either leaves to chance is left out: which of two operations without an order comes first,
/// what a close or a stop meets under way, how a pipe splits its bytes.
struct Script {
  /// What the channels are made of.
  enum Place {
    /// An open file of so many bytes, at a position.
    case file(size: Int, position: Int)
    /// A path, with or without a file of so many bytes.
    case path(size: Int?, oflag: Int32)
    /// A pipe with bytes in it, which may be all.
    case source(size: Int, ends: Bool)
    /// A pipe that is read, or that nobody will read.
    case sink(isRead: Bool)
    /// Nothing that can be used.
    case badNumber
    case directory
  }

  enum Step {
    case low(Int)
    case high(Int)
    case read(offset: Int, length: Int)
    case write(offset: Int, regions: [Int])
    /// A barrier, and a wait for it.
    case barrier
    /// A wait for all operations so far.
    case settle
    case readOnce(length: Int)
    case writeOnce(regions: [Int])
    /// Goes on with a channel that is made of the present one.
    case sibling(isRandom: Bool)
    case close
    case stop
    /// Lets go of the channel.
    case drop
  }

  let number: UInt64
  var place: Place
  var isRandom = false
  var steps: [Step] = []

  /// Whether deliveries are compared one by one: not where the kernel splits the bytes (S46).
  var isExact: Bool {
    switch place {
    case .source, .sink: false
    default: true
    }
  }

  /// Whether a path may fail to be opened, which only this package's cleanup tells (S41).
  var mayFailToOpen: Bool {
    if case .path(_, let oflag) = place { oflag & 0o200 != 0 } else { false }
  }
}

// MARK: - Making scripts

extension Script {
  /// The script of a number, always the same.
  init(number: UInt64) {
    var random = SeededGenerator(seed: number &* 0xd134_2543_de82_ef95)
    self.number = number
    place = Script.place(&random)
    isRandom = random.chance(percent: 45)
    switch place {
    case .file(let size, _) where random.chance(percent: 15): addOneShots(size, &random)
    case .file(let size, _): addSteps(size, canWrite: true, &random)
    case .path(let size, let oflag): addSteps(size ?? 0, canWrite: oflag & 3 == 2, &random)
    case .source(let size, let ends): addReads(size, ends, &random)
    case .sink: addWrites(&random)
    case .badNumber, .directory: addSteps(10, canWrite: true, &random)
    }
    finish(&random)
  }

  private static func place(_ random: inout SeededGenerator) -> Place {
    let size = size(&random)
    switch random.number(in: 0..<100) {
    case ..<45:
      return .file(size: size, position: random.number(in: 0..<size + 10))
    case ..<65:
      let creates: Int32 = random.chance(percent: 50) ? 0o100 : 0
      let excludes: Int32 = creates != 0 && random.chance(percent: 30) ? 0o200 : 0
      let cuts: Int32 = random.chance(percent: 20) ? 0o1000 : 0
      let writes: Int32 = creates | cuts != 0 || random.chance(percent: 50) ? 2 : 0
      let exists = random.chance(percent: 70)
      return .path(size: exists ? size : nil, oflag: writes | creates | excludes | cuts)
    case ..<80:
      return .source(size: random.number(in: 0..<60_000), ends: random.chance(percent: 60))
    case ..<92:
      return .sink(isRead: random.chance(percent: 80))
    case ..<97:
      return .badNumber
    default:
      return .directory
    }
  }

  /// Mostly small, sometimes more than a step of a transfer.
  private static func size(_ random: inout SeededGenerator) -> Int {
    switch random.number(in: 0..<10) {
    case 0: 0
    case 1..<8: random.number(in: 1..<20_000)
    case 8: random.number(in: 1..<300_000)
    default: random.chance(percent: 20) ? random.number(in: 1..<2_700_000) : 4096
    }
  }

  private mutating func addSteps(
    _ size: Int,
    canWrite: Bool,
    _ random: inout SeededGenerator
  ) {
    var isRandom = isRandom
    for _ in 0..<random.number(in: 1..<8) {
      switch random.number(in: 0..<100) {
      case ..<12: steps.append(.low(mark(&random)))
      case ..<24: steps.append(.high(max(1500, mark(&random))))
      case ..<60: steps.append(read(size, &random))
      case ..<82 where canWrite:
        // Random operations have no order but by barriers.
        if isRandom { steps.append(.barrier) }
        steps.append(.write(offset: offset(size, &random), regions: regions(&random)))
        if isRandom { steps.append(.barrier) }
      case ..<88: steps.append(.barrier)
      case ..<94: steps.append(.settle)
      case ..<97:
        isRandom = random.chance(percent: 50)
        steps += [.barrier, .settle, .sibling(isRandom: isRandom)]
      default:
        steps += [.close, .barrier]
      }
    }
  }

  private mutating func addReads(
    _ size: Int,
    _ ends: Bool,
    _ random: inout SeededGenerator
  ) {
    isRandom = random.chance(percent: 8)
    var left = size
    for _ in 0..<random.number(in: 1..<6) {
      if random.chance(percent: 25) { steps.append(.low(mark(&random))) }
      if random.chance(percent: 15) { steps.append(.high(max(1500, mark(&random)))) }
      var length = random.chance(percent: 10) ? 0 : random.number(in: 1..<30_000)
      if ends, random.chance(percent: 20) { length = .max }
      // A pipe that stays open must not keep a read waiting with a part of its bytes.
      if !ends { length = min(length, left) }
      left -= min(length, left)
      steps.append(.read(offset: random.number(in: 0..<9) - 4, length: length))
      if random.chance(percent: 20) { steps.append(.barrier) }
    }
    guard !ends, left == 0, !isRandom else { return }
    steps.append(.settle)
    for _ in 0..<random.number(in: 1..<4) { steps.append(.read(offset: 0, length: 10)) }
    steps.append(.stop)
  }

  private mutating func addWrites(_ random: inout SeededGenerator) {
    isRandom = false
    for _ in 0..<random.number(in: 1..<5) {
      if random.chance(percent: 25) { steps.append(.low(mark(&random))) }
      steps.append(.write(offset: 0, regions: regions(&random)))
      if random.chance(percent: 20) { steps.append(.barrier) }
    }
  }

  private mutating func addOneShots(_ size: Int, _ random: inout SeededGenerator) {
    for _ in 0..<random.number(in: 1..<5) {
      if random.chance(percent: 60) {
        steps.append(.readOnce(length: random.chance(percent: 20) ? .max : size / 2))
      } else {
        steps.append(.writeOnce(regions: regions(&random)))
      }
    }
  }

  private mutating func finish(_ random: inout SeededGenerator) {
    switch random.number(in: 0..<3) {
    case 0: steps += [.settle, .stop, .barrier]
    case 1: steps += [.close, .barrier]
    default: return steps.append(.drop)
    }
    // Those that come too late.
    if random.chance(percent: 50) { steps.append(.read(offset: 0, length: 5)) }
    if random.chance(percent: 30) { steps.append(.write(offset: 0, regions: [3])) }
    if random.chance(percent: 10) { steps.append(.sibling(isRandom: isRandom)) }
  }

  private func mark(_ random: inout SeededGenerator) -> Int {
    switch random.number(in: 0..<8) {
    case 0: 0
    case 1: 1 << 20
    case 2: .max
    case 3: random.number(in: 1..<3_000_000)
    default: random.number(in: 1500..<40_000)
    }
  }

  private func read(_ size: Int, _ random: inout SeededGenerator) -> Step {
    let length = random.chance(percent: 10) ? 0 : random.number(in: 1..<size + 100)
    let isEndless = random.chance(percent: 40)
    return .read(offset: offset(size, &random), length: isEndless ? .max : length)
  }

  private func offset(_ size: Int, _ random: inout SeededGenerator) -> Int {
    // Some are before the start, wherever the position is.
    random.chance(percent: 4) ? -4_000_000 : random.number(in: 0..<size + 50)
  }

  private func regions(_ random: inout SeededGenerator) -> [Int] {
    let isLarge = random.chance(percent: 4)
    return (0..<random.number(in: 0..<6)).map { _ in
      isLarge ? random.number(in: 1..<900_000) : random.number(in: 1..<9_000)
    }
  }
}
