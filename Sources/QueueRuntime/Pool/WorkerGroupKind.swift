internal import IOChannelsSystem

/// The worker groups of a pool, one for each scheduling priority.
///
/// They are separate because a thread that lowered its priority cannot raise it again without a
/// privilege. The classes from `default` up share a group and
/// wait in the bands of its run queue.
enum WorkerGroupKind: Int, CaseIterable, Sendable {
  case normal
  case utility
  case background

  init(_ qosClass: WorkQueue.QoS.QoSClass) {
    self =
      switch qosClass {
      case .background: .background
      case .utility: .utility
      case .unspecified, .default, .userInitiated, .userInteractive: .normal
      }
  }

  /// The number of bands for its jobs.
  var bands: Int { self == .normal ? 3 : 1 }

  /// Returns the band of a class in its worker group; 0 is the most urgent one.
  static func band(of qosClass: WorkQueue.QoS.QoSClass) -> Int {
    switch qosClass {
    case .background, .utility, .userInteractive: 0
    case .userInitiated: 1
    case .default, .unspecified: 2
    }
  }

  /// The part of a thread's name between the pool's name and the number.
  private var infix: String {
    switch self {
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
    case .normal: break
    case .utility: PlatformThread.lower(steps: 2, yieldsDisks: false)
    case .background: PlatformThread.lower(steps: 15, yieldsDisks: true)
    }
  }
}
