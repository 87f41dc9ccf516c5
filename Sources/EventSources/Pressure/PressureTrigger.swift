/// A descriptor that becomes ready when memory pressure has reached a level.
final class PressureTrigger: Sendable {
  let level: PressureState.Level
  let descriptor: OwnedDescriptor
  /// Whether the event is a state of the descriptor and not data to read.
  private let isExceptional: Bool
  /// The reads of 4 KiB after which other descriptors are served. A FIFO holds 64 KiB.
  private static let readsInOneTurn = 32

  init(
    _ level: PressureState.Level,
    _ descriptor: consuming OwnedDescriptor,
    isExceptional: Bool
  ) {
    self.level = level
    self.descriptor = descriptor
    self.isExceptional = isExceptional
  }

  /// The states to wait for.
  var events: ReadinessEvents { isExceptional ? .exceptional : .readable }

  /// Takes an event that was found.
  ///
  /// - Returns: False if no more events will come: the control group or the peer has gone.
  func take(_ states: ReadinessEvents) -> Bool {
    if isExceptional { return !states.contains(.failed) }
    // The bytes are discarded. A counter of events has one number only. A peer that writes without
    // end must not hold the thread.
    var bytes = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<Self.readsInOneTurn {
      do throws(SystemError) {
        let count = try descriptor.borrowed.read(into: &bytes)
        if count == 0 { return false }
        if count < bytes.count { return true }
      } catch {
        return error == .resourceTemporarilyUnavailable
      }
    }
    return true
  }
}

// MARK: - Opening

extension PressureTrigger {
  /// Some tasks wait for memory for a tenth of the time.
  private static let warning = Array("some 200000 2000000\0".utf8)
  /// All tasks wait for memory for a quarter of the time.
  private static let critical = Array("full 500000 2000000\0".utf8)

  /// Opens the triggers of a provider.
  static func open(_ candidate: PressureProviders.Candidate) throws(SystemError)
    -> [PressureTrigger]
  {
    switch candidate.provider {
    case .serviceManager(let path): try open(named: BytePath(path), candidate.message)
    case .controlGroup(let path): try openStalls(BytePath(path))
    case .system: try openStalls(BytePath("\(candidate.provider)"))
    case .legacyControlGroup(let path): try openLegacy(BytePath(path))
    }
  }

  private static func openStalls(_ path: BytePath) throws(SystemError) -> [PressureTrigger] {
    [
      try openStall(path, .warning, warning),
      try openStall(path, .critical, critical),
    ]
  }

  /// Opens a file of pressure stall information, which has one trigger for each opening.
  private static func openStall(
    _ path: BytePath,
    _ level: PressureState.Level,
    _ text: [UInt8]
  ) throws(SystemError) -> PressureTrigger {
    let file = try openFile(path, .readWrite)
    guard [0x9fa0, 0x6367_7270].contains(try file.borrowed.fileSystemMagic()) else {
      // Neither of proc nor of control groups: to write to it would damage a file.
      throw .inappropriateIOCTLForDevice
    }
    _ = try file.borrowed.write(text, 0..<text.count)
    return PressureTrigger(level, file, isExceptional: true)
  }

  private static func openFile(
    _ path: BytePath,
    _ flags: OpenFlags
  ) throws(SystemError) -> OwnedDescriptor {
    try BorrowedDescriptor.workingDirectory.open(path, flags.union([.nonBlocking, .noTerminal]))
  }

  /// Opens the file, FIFO or socket of the service manager.
  private static func open(
    named path: BytePath,
    _ message: [UInt8]?
  ) throws(SystemError) -> [PressureTrigger] {
    switch try BorrowedDescriptor.workingDirectory.status(of: path, following: true).kind {
    case .regular:
      let first = try openStall(path, .warning, message ?? warning)
      // The protocol knows one degree. The second is this module's own.
      let second = try? openStall(path, .critical, critical)
      return [first] + [second].compactMap(\.self)
    case .fifo:
      // Written bytes would come back. A descriptor for both directions has no end.
      return [PressureTrigger(.warning, try openFile(path, .readWrite), isExceptional: false)]
    case .socket:
      let socket = try BorrowedDescriptor.connection(to: path)
      if let message { _ = try socket.borrowed.send(message) }
      return [PressureTrigger(.warning, socket, isExceptional: false)]
    default:
      throw .notSupported
    }
  }

  private static func openLegacy(_ group: BytePath) throws(SystemError) -> [PressureTrigger] {
    let levels = try openFile(group.appending("memory.pressure_level"), .readOnly)
    let control = try openFile(group.appending("cgroup.event_control"), .writeOnly)
    var triggers: [PressureTrigger] = []
    for (level, name) in [(PressureState.Level.warning, "medium"), (.critical, "critical")] {
      let counter = try WakeupDescriptor().release()
      let text = Array("\(counter.rawValue) \(levels.rawValue) \(name)\0".utf8)
      _ = try control.borrowed.write(text, 0..<text.count)
      triggers.append(PressureTrigger(level, counter, isExceptional: false))
    }
    return triggers
  }
}
