internal import CDispatchABI
internal import QueueRuntime

/// The attributes of a new queue, which a C program has as a number in the place of a pointer.
struct QueueAttributes: Equatable {
  /// Whether the queue is concurrent, and whether it is created inactive.
  let options: WorkQueue.Attributes
  /// The quality of service, unspecified for that of the target.
  let qos: WorkQueue.QoS

  /// Creates attributes from their number; a class that does not exist counts as unspecified.
  init(code: UInt) {
    var options: WorkQueue.Attributes = []
    if code & UInt(GCD_ATTR_CONCURRENT) != 0 { options.insert(.concurrent) }
    if code & UInt(GCD_ATTR_INACTIVE) != 0 { options.insert(.initiallyInactive) }
    self.options = options
    let classCode = (code & UInt(GCD_ATTR_QOS_MASK)) >> UInt(GCD_ATTR_QOS_SHIFT)
    let relative = (code & UInt(GCD_ATTR_RELATIVE_MASK)) >> UInt(GCD_ATTR_RELATIVE_SHIFT)
    qos = WorkQueue.QoS(code: UInt32(classCode), relativePriority: -Int32(relative))
  }
}

extension WorkQueue.QoS {
  /// Creates a quality of service from the numbers of a C program, each as close to the request as
  /// it can be.
  init(code: UInt32, relativePriority: Int32) {
    self.init(
      qosClass: QoSClass(code: code) ?? .unspecified,
      relativePriority: min(max(Int(relativePriority), -15), 0)
    )
  }
}

extension WorkQueue.QoS.QoSClass {
  /// Creates a class from its number in a C program; maintenance counts as background.
  init?(code: UInt32) {
    switch code {
    case 0x00: self = .unspecified
    case 0x05, 0x09: self = .background
    case 0x11: self = .utility
    case 0x15: self = .default
    case 0x19: self = .userInitiated
    case 0x21: self = .userInteractive
    default: return nil
    }
  }

  /// The number of the class in a C program.
  var code: UInt32 {
    switch self {
    case .unspecified: 0x00
    case .background: 0x09
    case .utility: 0x11
    case .default: 0x15
    case .userInitiated: 0x19
    case .userInteractive: 0x21
    }
  }

  /// Creates the class of a global queue from its identifier: the number of a class, or one of the
  /// four priorities of Dispatch.
  init?(globalQueue identifier: Int) {
    switch identifier {
    case 2: self = .userInitiated
    case 0: self = .default
    case -2: self = .utility
    case Int(Int16.min): self = .background
    default:
      guard let code = UInt32(exactly: identifier) else { return nil }
      self.init(code: code)
    }
  }
}
