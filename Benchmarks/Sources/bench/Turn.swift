import Measure

/// Work that is measured in a process of its own, where nothing that the other side left behind
/// disturbs it.
enum Turn: String {
  case armItems, armItemsUntilQuiet, lateness, exactLateness, wakes
  case dispatchArmItems, dispatchArmItemsUntilQuiet, dispatchArmSources
  case dispatchExactLateness, dispatchWakes
  case bytesOfItem, bytesOfRead, bytesOfEndedRead
  case armSources, bytesOfTimerSource
  case copyMemory

  /// Creates two sides that are processes of their own.
  static func sides(_ ours: Turn, _ theirs: Turn) -> Sides {
    Sides(ours: { try ours.inNewProcess() }, theirs: { try theirs.inNewProcess() })
  }

  /// Does the work in a new process and returns the number that it prints.
  func inNewProcess() throws -> Double {
    try number(printedBy: [programBeside("bench"), "turn", rawValue])
  }

  /// Does the work in this process.
  func measure() throws -> Double {
    switch self {
    case .armItems: OurTimers.armItems(Timers.armed, meter: Probes.time)
    case .armItemsUntilQuiet: OurTimers.armItems(Timers.armed, meter: Probes.timeUntilQuiet)
    case .dispatchArmItems: DispatchTimers.armItems(Timers.armed, meter: Probes.time)
    case .dispatchArmItemsUntilQuiet:
      DispatchTimers.armItems(Timers.armed, meter: Probes.timeUntilQuiet)
    case .dispatchArmSources: DispatchTimers.armSources(Timers.armed, meter: Probes.time)
    case .lateness: Timers.worst(try OurTimers.fire(Timers.fired) {}, by: \.share)
    case .exactLateness:
      Timers.worst(try OurTimers.fire(Timers.fired, leeway: .zero) {}, by: \.microseconds)
    case .dispatchExactLateness:
      Timers.worst(try DispatchTimers.fireSources(Timers.fired), by: \.microseconds)
    case .wakes: try Probes.wakes { try OurTimers.fire(Timers.fired, whileArmed: $0) }
    case .dispatchWakes: try Probes.wakes { try DispatchTimers.fire(Timers.fired, whileArmed: $0) }
    case .copyMemory: try ChannelCopy.memoryOfCopy()
    case .armSources: OurSources.armSources(Timers.armed, meter: Probes.time)
    case .bytesOfTimerSource: try OurSources.bytesOfTimer(10_000)
    case .bytesOfItem: try Outstanding.bytesOfItem(100_000)
    case .bytesOfRead: try Outstanding.bytesOfRead(100_000)
    case .bytesOfEndedRead: try Outstanding.bytesOfEndedRead(100_000)
    }
  }
}
