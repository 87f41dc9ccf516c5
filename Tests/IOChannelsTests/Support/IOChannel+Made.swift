import IOChannels

extension IOChannel {
  /// Waits until its descriptor was looked at: what is asked for then waits for nothing.
  func isMade() async {
    await withCheckedContinuation { continuation in
      // To read nothing takes no request. It begins when the channel is made; a barrier would be
      // running still while its code tells that.
      read(offset: 0, length: 0, queue: .global()) { _, _, _ in continuation.resume() }
    }
  }
}
