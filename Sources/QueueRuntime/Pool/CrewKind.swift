internal import SystemCalls

/// The crews of a pool: threads of one place among all threads of the machine.
///
/// They are apart because a thread that stepped back can, without a privilege, never step forward
/// again. The classes from `default` up share a crew, and wait in bands there.
enum CrewKind: Int, CaseIterable, Sendable {
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

  /// How many bands its jobs wait in.
  var bands: Int { self == .normal ? 3 : 1 }

  /// The band of a class in its crew; 0 is the most urgent one.
  static func band(of qosClass: WorkQueue.QoS.QoSClass) -> Int {
    switch qosClass {
    case .background, .utility, .userInteractive: 0
    case .userInitiated: 1
    case .default, .unspecified: 2
    }
  }

  /// What stands in the names of its threads, between the pool's name and the number.
  private var infix: String {
    switch self {
    case .normal: "-"
    case .utility: "-utility-"
    case .background: "-bg-"
    }
  }

  /// The name of a thread: of the pool's name as much as fits into the 15 bytes that are kept.
  func threadName(pool: String, worker: Int) -> String {
    let end = infix + String(worker)
    var start = pool
    while !start.isEmpty && start.utf8.count + end.utf8.count > 15 { start.removeLast() }
    return start + end
  }

  /// Gives the calling thread, a new one of the crew, its place.
  func takePlace() {
    switch self {
    case .normal: break
    case .utility: PlatformThread.lower(steps: 2, yieldsDisks: false)
    case .background: PlatformThread.lower(steps: 10, yieldsDisks: true)
    }
  }
}
