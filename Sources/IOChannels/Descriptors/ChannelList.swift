/// The channels of a descriptor by their numbers, which grow.
///
/// A channel is changed where it is: what is taken out of a dictionary and put back would be copied
/// with all that is open, and an access in place costs it three pieces of memory. Finding takes
/// O(log count), forgetting O(count); a descriptor mostly has one channel.
struct ChannelList: Sendable {
  private var entries: [(number: Int, channel: ChannelState)] = []

  /// The numbers, in the order in which the channels came.
  var numbers: [Int] { entries.map(\.number) }

  /// Adds a channel, whose number is higher than all others.
  mutating func append(_ channel: ChannelState, as number: Int) {
    entries.append((number, channel))
  }

  /// What something of a channel is, without a copy of all the rest.
  func look<Value>(at number: Int, _ part: (borrowing ChannelState) -> Value) -> Value? {
    index(of: number).map { part(entries[$0].channel) }
  }

  /// A copy of the channel of a number, unless it is forgotten.
  subscript(number: Int) -> ChannelState? {
    index(of: number).map { entries[$0].channel }
  }

  /// Changes a channel; returns nil where there is none.
  @discardableResult
  mutating func change<Result>(
    _ number: Int,
    _ body: (inout ChannelState) -> Result
  ) -> Result? {
    index(of: number).map { body(&entries[$0].channel) }
  }

  /// Forgets a channel.
  mutating func remove(_ number: Int) {
    if let index = index(of: number) { entries.remove(at: index) }
  }

  private func index(of number: Int) -> Int? {
    var range = 0..<entries.count
    while let first = range.first {
      let middle = first + range.count / 2
      if entries[middle].number == number { return middle }
      range = entries[middle].number < number ? middle + 1..<range.upperBound : first..<middle
    }
    return nil
  }
}
