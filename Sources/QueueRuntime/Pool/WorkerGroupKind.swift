internal import IOChannelsSystem

/// The worker groups of a pool, one for each scheduling priority.
///
/// They are separate so that the kernel divides the processors between the classes (S325), and
/// because a thread that lowered its priority cannot raise it again without a privilege.
enum WorkerGroupKind: Int, CaseIterable, Sendable {
  case high
  case normal
  case utility
  case background

  init(_ qosClass: WorkQueue.QoS.QoSClass) {
    self =
      switch qosClass {
      case .background: .background
      case .utility: .utility
      case .unspecified, .default: .normal
      case .userInitiated, .userInteractive: .high
      }
  }

  /// The part of a thread's name between the pool's name and the number.
  private var infix: String {
    switch self {
    case .high: "-high-"
    case .normal: "-"
    case .utility: "-utility-"
    case .background: "-bg-"
    }
  }

  /// Returns the name of a thread, with the pool's name cut so that it fits into the kernel's 15
  /// bytes.
  func threadName(pool: String, worker: Int) -> String {
    let end = infix + String(worker)
    var start = pool
    while !start.isEmpty && start.utf8.count + end.utf8.count > 15 { start.removeLast() }
    return start + end
  }

  /// Sets the scheduling priority of the calling thread, a new worker of the group.
  func applyPriority() {
    switch self {
    case .high: PlatformThread.changePriority(steps: -2)
    case .normal: break
    case .utility: PlatformThread.changePriority(steps: 2)
    case .background: PlatformThread.changePriority(steps: 15, yieldsDisks: true)
    }
  }
}
