/// The unused buffers that are kept for later requests.
///
/// There are a few sizes. Beyond the limit the buffers that were unused for the longest time are
/// dropped, whatever their size. So buffers that a program no longer needs make room for others.
struct BufferCache<Memory: Sendable>: Sendable {
  /// A buffer that was dropped from the cache.
  struct Dropped: Sendable {
    let memory: Memory
    let sizeClass: Int
  }

  private struct Entry: Sendable {
    let memory: Memory
    /// The number of buffers that were added before this one.
    let time: Int
  }

  /// The buffers of one size, of which the newest is taken first, because its pages are in the
  /// processor's caches.
  private struct Stack: Sendable {
    private var entries: [Entry] = []
    /// The index of the oldest buffer; the entries before it are empty.
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
      // Each removal moves at most one entry, on average.
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
  /// The bytes of all kept buffers.
  private(set) var bytes = 0

  /// Creates a cache that keeps at most `limit` bytes, in buffers of these sizes.
  init(limit: Int, sizes: [Int]) {
    self.limit = limit
    self.sizes = sizes
    stacks = sizes.map { _ in Stack() }
  }

  /// Takes the most recently added buffer of a size.
  mutating func take(_ sizeClass: Int) -> Memory? {
    guard let memory = stacks[sizeClass].pop() else { return nil }
    bytes -= sizes[sizeClass]
    return memory
  }

  /// Adds a buffer.
  ///
  /// - Returns: The buffers that were dropped for it, which may include the buffer itself.
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

  /// The size of the oldest buffer.
  private var oldestClass: Int? {
    var oldest: (sizeClass: Int, time: Int)?
    for sizeClass in stacks.indices {
      guard let time = stacks[sizeClass].oldestTime, time < oldest?.time ?? .max else { continue }
      oldest = (sizeClass, time)
    }
    return oldest?.sizeClass
  }
}
