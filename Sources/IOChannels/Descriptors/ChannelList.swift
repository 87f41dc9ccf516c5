import IOChannelsSystem

/// The channels of a descriptor by their numbers, which increase.
///
/// A channel is changed in place: taking it out of a dictionary and putting it back would copy all
/// its open operations, and access in place costs a dictionary three allocations. Search takes
/// O(log count), removal O(count); a descriptor mostly has one channel.
struct ChannelList: Sendable {
  private var entries: [(number: Int, channel: ChannelState)] = []

  /// The numbers, in the order in which the channels were added.
  var numbers: [Int] { entries.map(\.number) }

  /// Adds a channel, whose number is higher than all others.
  mutating func append(_ channel: ChannelState, as number: Int) {
    entries.append((number, channel))
  }

  /// Returns a part of a channel, without a copy of the rest.
  func look<Value>(at number: Int, _ part: (borrowing ChannelState) -> Value) -> Value? {
    guard let index = index(of: number) else { return nil }
    return part(entries[index].channel)
  }

  /// A copy of the channel with a number, nil after its removal.
  subscript(number: Int) -> ChannelState? {
    index(of: number).map { entries[$0].channel }
  }

  /// Admits the next operation of a channel, or returns the reason for its refusal.
  func admission(to number: Int) -> Result<Admission, SystemError> {
    look(at: number) { $0.admission() } ?? .failure(.canceled)
  }

  /// Admits the next operation of a channel, and returns the interval of its deliveries, or the
  /// reason for its refusal.
  ///
  /// The channel is changed in place, since a look at it would copy it here.
  mutating func admit(_ operation: TransferStorage) -> Result<Duration?, SystemError> {
    change(operation.channel) { $0.admit(operation) } ?? .failure(.canceled)
  }

  /// Changes a channel; returns nil where there is none.
  @discardableResult
  mutating func change<Result>(
    _ number: Int,
    _ body: (inout ChannelState) -> Result
  ) -> Result? {
    // A closure for `map` would retain what `body` captures.
    guard let index = index(of: number) else { return nil }
    return body(&entries[index].channel)
  }

  /// Removes a channel.
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
