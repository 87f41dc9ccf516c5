/// Which buffers are kept for the next request.
///
/// There are a few sizes of them. Where they would be too many bytes, those go that have lain
/// unused for the longest time, of whatever size: what a program needed once does not keep out what
/// it needs now.
struct BufferCache<Memory: Sendable>: Sendable {
  /// A buffer that is not kept any more.
  struct Dropped: Sendable {
    let memory: Memory
    let sizeClass: Int
  }

  private struct Entry: Sendable {
    let memory: Memory
    /// How many buffers had come back before.
    let time: Int
  }

  /// The buffers of one size, of which the newest is taken first: its pages are in the caches.
  private struct Stack: Sendable {
    private var entries: [Entry] = []
    /// Where the oldest one is; what stood before it is gone.
    private var start = 0

    var oldestTime: Int? { start < entries.count ? entries[start].time : nil }

    mutating func push(_ entry: Entry) { entries.append(entry) }

    mutating func pop() -> Memory? {
      guard start < entries.count else { return nil }
      return entries.popLast()?.memory
    }

    mutating func removeAll() -> [Memory] {
      defer { self = Stack() }
      return entries[start...].map(\.memory)
    }

    mutating func removeOldest() -> Memory {
      let memory = entries[start].memory
      start += 1
      // Moved once for each that was removed, at most.
      if 2 * start >= entries.count {
        entries.removeFirst(start)
        start = 0
      }
      return memory
    }
  }

  private let limit: Int
  private let sizes: [Int]
  private var stacks: [Stack]
  private var time = 0
  /// The bytes that are kept.
  private(set) var bytes = 0

  /// Keeps at most `limit` bytes, in buffers of these sizes.
  init(limit: Int, sizes: [Int]) {
    self.limit = limit
    self.sizes = sizes
    stacks = sizes.map { _ in Stack() }
  }

  /// Takes the buffer of a size that came back last.
  mutating func take(_ sizeClass: Int) -> Memory? {
    guard let memory = stacks[sizeClass].pop() else { return nil }
    bytes -= sizes[sizeClass]
    return memory
  }

  /// Keeps a buffer.
  ///
  /// - Returns: What had to go for it; the buffer itself where those of its size are the oldest.
  mutating func add(_ memory: Memory, _ sizeClass: Int) -> [Dropped] {
    var dropped: [Dropped] = []
    while bytes + sizes[sizeClass] > limit {
      guard let oldest = oldestClass, oldest != sizeClass else {
        dropped.append(Dropped(memory: memory, sizeClass: sizeClass))
        return dropped
      }
      dropped.append(Dropped(memory: stacks[oldest].removeOldest(), sizeClass: oldest))
      bytes -= sizes[oldest]
    }
    stacks[sizeClass].push(Entry(memory: memory, time: time))
    time += 1
    bytes += sizes[sizeClass]
    return dropped
  }

  /// Removes all buffers.
  mutating func removeAll() -> [Dropped] {
    bytes = 0
    return stacks.indices.flatMap { sizeClass in
      stacks[sizeClass].removeAll().map { Dropped(memory: $0, sizeClass: sizeClass) }
    }
  }

  /// The size that has the oldest buffer.
  private var oldestClass: Int? {
    var oldest: (sizeClass: Int, time: Int)?
    for sizeClass in stacks.indices {
      guard let time = stacks[sizeClass].oldestTime, time < oldest?.time ?? .max else { continue }
      oldest = (sizeClass, time)
    }
    return oldest?.sizeClass
  }
}
