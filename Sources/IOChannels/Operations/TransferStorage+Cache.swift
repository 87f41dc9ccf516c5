import DataRegions
import QueueRuntime
import IOChannelsEngine
import IOChannelsSystem

/// The search for a small read in the page cache (S163).
///
/// At its submission there was no memory for the read. When it has memory, its bytes are mostly
/// cached, and then it needs neither a state machine nor a request (`B12.channel-reads`).
extension TransferStorage {
  /// Searches for the bytes, or waits for the memory to do so.
  ///
  /// - Returns: Whether the operation has ended; nil if the state machine has to start.
  func startSearch(at place: TransferPlace) -> Bool? {
    guard let length = withState({ $0.waitToSearch(at: place) }) else { return nil }
    guard target.channel.take(length, orCall: self) else { return false }
    // A stop in between has ended the operation.
    let hasBegun = withState({ $0.beginSearch() }) != nil
    let isFound = hasBegun && search(length, at: place)
    if hasBegun { target.channel.entry.changeOnly { state in state.searched(found: isFound) } }
    if isFound { return true }
    target.channel.release(length)
    return hasBegun ? nil : false
  }

  /// Searches for the bytes with memory that the budget grants at this moment.
  ///
  /// - Returns: The memory to be released; nil if the operation does not wait to search.
  func search(withGrant bytes: Int) -> Int? {
    guard let place = withState({ $0.beginSearch() }) else { return nil }
    if search(bytes, at: place) {
      target.channel.operationEnded(self, isCached: true)
      return 0
    }
    target.channel.entry.changeOnly { state in state.searched(found: false) }
    return bytes + performGranted(startMachine(at: .success(place)))
  }

  /// Searches for the bytes, and submits the handler with them.
  ///
  /// - Returns: Whether all are cached; otherwise the state machine has to start.
  private func search(_ length: Int, at place: TransferPlace) -> Bool {
    var data: DataBuffer?
    if let first = place.first {
      let place = CachedPlace(descriptor: place.file.descriptor, offset: first, owner: self)
      // The request meets every error of the file again.
      data = try? target.channel.cachedBytes(length, .whole, at: place)
    }
    let found = data
    withState { $0.endSearch(with: found) }
    if found == nil { return false }
    queue.deliver { [self] in deliverFound() }
    return true
  }

  private func deliverFound() {
    guard let (data, memory, handler) = withState({ $0.takeFound() }) else { return }
    handler?.call(true, data, 0)
    target.channel.release(memory)
    target.channel.handlersReturned(from: self, nil)
  }
}

extension TransferStorage.State {
  /// Begins to wait for the memory of a search, unless the operation was stopped, or needs several
  /// deliveries.
  ///
  /// - Returns: The number of bytes.
  fileprivate mutating func waitToSearch(at place: TransferPlace) -> Int? {
    guard case .waiting(.read(let length, let limits, _), stopError: nil) = stage,
      length <= limits.highWater
    else { return nil }
    stage = .waitingToSearch(length: length, limits, place)
    return length
  }

  /// Begins a search that has its memory, and returns its place; nil if none waits for memory.
  fileprivate mutating func beginSearch() -> TransferPlace? {
    guard case .waitingToSearch(let length, let limits, let place) = stage else { return nil }
    stage = .searching(length: length, limits, stopError: nil)
    return place
  }

  /// Ends a search with the bytes, nil if they are not all cached.
  fileprivate mutating func endSearch(with data: DataBuffer?) {
    guard case .searching(let length, let limits, let stopError) = stage else { return }
    if let data {
      stage = .found(data, memory: length)
    } else {
      stage = .waiting(.read(length: length, limits, .whole), stopError: stopError)
    }
  }

  /// Ends the wait for the memory of a search because of a stop, and returns the place; nil if the
  /// operation does not wait for it.
  mutating func endWait(stoppedBy error: SystemError) -> TransferPlace? {
    guard case .waitingToSearch(let length, let limits, let place) = stage else { return nil }
    stage = .waiting(.read(length: length, limits, .whole), stopError: error)
    return place
  }

  /// Records a stop during a search.
  ///
  /// - Returns: Whether a thread searches.
  mutating func stopSearch(_ error: SystemError) -> Bool {
    guard case .searching(let length, let limits, _) = stage else { return false }
    stage = .searching(length: length, limits, stopError: error)
    return true
  }

  /// Takes the bytes of a search and the handler, which are not released with the operation.
  fileprivate mutating func takeFound() -> (DataBuffer, Int, TransferStorage.Handler?)? {
    guard case .found(let data, let memory) = stage else { return nil }
    stage = .found(.empty, memory: 0)
    return (data, memory, handler.take())
  }
}
