import DataRegions
import QueueRuntime
import IOChannelsEngine
import IOChannelsSystem

/// The search for a small read in the page cache (S163).
///
/// At its submission there was no memory for the read. When it has memory, its bytes are mostly
/// cached, and then it needs neither a state machine nor a request (`B12.channel-reads`).
extension TransferStorage {
  /// The result of a search.
  private enum Search {
    /// The handler was submitted.
    case found
    /// The state machine has to start.
    case missed
    /// The operation was stopped meanwhile.
    case stopped
  }

  /// Searches for the bytes, or waits for the memory to do so.
  ///
  /// - Returns: Whether the operation has ended; nil if the state machine has to start.
  func startSearch(at place: TransferPlace) -> Bool? {
    guard let length = withState({ $0.beginSearch(at: place) }) else { return nil }
    guard target.account.take(length, orCall: self) else { return false }
    let result = search(length, at: place)
    let isFound = result == .found
    if result != .stopped {
      target.channel.entry.changeOnly { state in state.searched(found: isFound) }
    }
    if isFound { return true }
    target.account.release(length)
    return result == .stopped ? false : nil
  }

  /// Searches for the bytes with memory that the budget grants at this moment.
  ///
  /// - Returns: The memory to be released; nil if the operation did not wait to search.
  func search(withGrant bytes: Int) -> Int? {
    guard let place = withState({ $0.searchPlace }) else { return nil }
    switch search(bytes, at: place) {
    case .stopped: return bytes
    case .found:
      target.channel.operationEnded(self, isCached: true)
      return 0
    case .missed:
      target.channel.entry.changeOnly { state in state.searched(found: false) }
      return bytes + performGranted(startMachine(at: .success(place)))
    }
  }

  private func search(_ length: Int, at place: TransferPlace) -> Search {
    var data: DataBuffer?
    if let first = place.first {
      let place = CachedPlace(descriptor: place.file.descriptor, offset: first)
      data = ChannelCore.tryNow(place) { place throws(SystemError) in
        try target.channel.cachedBytes(length, .whole, at: place)
      }
    }
    let found = data
    guard withState({ $0.endSearch(with: found) }) else { return .stopped }
    if found == nil { return .missed }
    queue.deliver { [self] in deliverFound() }
    return .found
  }

  private func deliverFound() {
    guard let (data, memory, handler) = withState({ $0.takeFound() }) else { return }
    handler?.call(true, data, 0)
    target.account.release(memory)
    target.channel.handlersReturned(from: self, nil)
  }
}

extension TransferStorage.State {
  /// The place of a search, nil if there is none.
  fileprivate var searchPlace: TransferPlace? {
    // Swift 6.3 cannot compile the borrowed payload where this is inlined.
    @inline(never) get { if case .searching(_, _, let place) = stage { place } else { nil } }
  }

  /// Begins a search, unless the operation was stopped, or needs several deliveries.
  ///
  /// - Returns: The number of bytes.
  fileprivate mutating func beginSearch(at place: TransferPlace) -> Int? {
    guard case .waiting(.read(let length, let limits, _), stopError: nil) = stage,
      length <= limits.highWater
    else { return nil }
    stage = .searching(length: length, limits, place)
    return length
  }

  /// Ends a search with the bytes, nil if they are not all cached.
  ///
  /// - Returns: Whether the operation was not stopped meanwhile.
  fileprivate mutating func endSearch(with data: DataBuffer?) -> Bool {
    guard case .searching(let length, let limits, _) = stage else { return false }
    if let data {
      stage = .found(data, memory: length)
    } else {
      stage = .waiting(.read(length: length, limits, .whole), stopError: nil)
    }
    return true
  }

  /// Ends a search because of a stop, and returns its place; nil if there is no search.
  mutating func endSearch(stoppedBy error: SystemError) -> TransferPlace? {
    guard case .searching(let length, let limits, let place) = stage else { return nil }
    stage = .waiting(.read(length: length, limits, .whole), stopError: error)
    return place
  }

  /// Takes the bytes of a search and the handler, which are not released with the operation.
  fileprivate mutating func takeFound() -> (DataBuffer, Int, TransferStorage.Handler?)? {
    guard case .found(let data, let memory) = stage else { return nil }
    stage = .found(.empty, memory: 0)
    return (data, memory, handler.take())
  }
}
