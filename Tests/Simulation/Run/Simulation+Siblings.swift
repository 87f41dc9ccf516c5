import IOChannels
import IOChannelsEngine
import IOChannelsSystem

/// Channels of other channels.
extension Simulation {
  /// Makes a channel of another one, sometimes before that one's creation is known, and sometimes
  /// one of the new one at once.
  func makeSibling(of leader: ChannelRecord) {
    // When it is known that a path could not be opened is the channel's own affair.
    guard let io = leader.channel, leader.path?.openingError == nil else { return }
    let kind = kindOfSibling(of: leader)
    let isOfPath = leader.path != nil
    let isRandomPipe = kind == .random && leader.file.isPollable
    let inherited = leader.refusal
    let error = inherited ?? (isRandomPipe ? .illegalSeek : nil)
    let token = token
    let place = Place()
    let base = isOfPath ? 0 : (try? leader.descriptor.position()) ?? 0
    let channel = IOChannel(type: kind, io: io, queue: surroundings.queues[0]) {
      [self, token] error in
      _ = token
      place.record?.cleanedUp(SystemError(errno: error), report)
      callFromHandler()
    }
    let record = ChannelRecord(
      channel,
      kind: kind,
      file: leader.file,
      descriptor: isOfPath ? .workingDirectory : leader.descriptor,
      openingError: error,
      base: base,
      shared: sharedRecord(of: channel, beside: isOfPath || error != nil ? nil : leader),
      path: leader.path.map { _ in randomPath() },
      step: profile.sizes.step
    )
    place.record = record
    record.shared.add(record)
    log.add(record)
    if kind == .stream, error == nil, !isOfPath { leader.file.streams.append(record) }
    channels.append(record)
    report.count(error == nil ? .siblingMade : .siblingFailed)
    if inherited != nil, record.follow(leader) { report.count(.siblingFailedLater) }
    if random.chance(percent: 30) { makeSibling(of: record) }
  }

  /// Streams of one position by two descriptors would be the user's mistake.
  private func kindOfSibling(of leader: ChannelRecord) -> IOChannel.StreamType {
    let number = leader.descriptor.rawValue
    let isStreamElsewhere =
      leader.path == nil && !leader.file.isPollable
      && leader.file.streams.contains { !$0.hasCleanedUp && $0.descriptor.rawValue != number }
    return isStreamElsewhere || random.chance(percent: 50) ? .random : .stream
  }

  /// What a channel shares with others, which must be all that its leader does, if there is one.
  private func sharedRecord(
    of channel: IOChannel,
    beside leader: ChannelRecord?
  ) -> DescriptorRecord {
    let same = channels.last { $0.shared.sharedState === channel.sharedState }?.shared
    report.expect(
      leader == nil || same === leader?.shared,
      "S131: a channel of a descriptor's channel has another order"
    )
    return same ?? DescriptorRecord(sharedState: channel.sharedState)
  }
}
