import QueueRuntime
import Testing

@testable import DispatchCompatibility

@Suite("Attributes and classes of C programs, as numbers")
struct QueueAttributesTests {
  private static let attributes: [(code: UInt, options: WorkQueue.Attributes, qos: WorkQueue.QoS)] =
    [
      (0, [], .unspecified),
      (0x2, .concurrent, .unspecified),
      (0x4, .initiallyInactive, .unspecified),
      (0x6, [.concurrent, .initiallyInactive], .unspecified),
      // The autorelease frequency has no effect.
      (0x32, .concurrent, .unspecified),
      (0x0900, [], .background),
      (0x1102, .concurrent, .utility),
      (0x1500, [], .default),
      (0x1904, .initiallyInactive, .userInitiated),
      (0x2100, [], .userInteractive),
      (0x5_1900, [], WorkQueue.QoS(qosClass: .userInitiated, relativePriority: -5)),
      (0xf_0902, .concurrent, WorkQueue.QoS(qosClass: .background, relativePriority: -15)),
      // A class that does not exist.
      (0x3300, [], .unspecified),
    ]

  @Test("The number of attributes has the options, the class and the relative priority")
  func attributes() {
    for (code, options, qos) in Self.attributes {
      let attributes = QueueAttributes(code: code)
      #expect(attributes.options == options, "\(code)")
      #expect(attributes.qos == qos, "\(code)")
    }
  }

  @Test("The number of a class is that of Dispatch")
  func classes() {
    let codes: [UInt32] = [0x00, 0x09, 0x11, 0x15, 0x19, 0x21]
    #expect(WorkQueue.QoS.QoSClass.allCases.map(\.code) == codes)
    for qosClass in WorkQueue.QoS.QoSClass.allCases {
      #expect(WorkQueue.QoS.QoSClass(code: qosClass.code) == qosClass)
    }
    #expect(WorkQueue.QoS.QoSClass(code: 0x05) == .background)
    let unknown: [UInt32] = [1, 0x08, 0x20, 0x22, 0x100, .max]
    for code in unknown {
      #expect(WorkQueue.QoS.QoSClass(code: code) == nil)
    }
  }

  @Test("A relative priority is limited to its range")
  func relativePriorities() {
    let numbers: [(Int32, Int)] = [
      (-3, -3), (-15, -15), (-16, -15), (.min, -15), (4, 0), (.max, 0),
    ]
    for (number, kept) in numbers {
      let qos = WorkQueue.QoS(code: 0x11, relativePriority: number)
      #expect(qos == WorkQueue.QoS(qosClass: .utility, relativePriority: kept))
    }
  }

  @Test("A global queue has a priority or a class as its identifier")
  func globalQueues() {
    let classes: [(Int, WorkQueue.QoS.QoSClass?)] = [
      (2, .userInitiated), (0, .default), (-2, .utility), (-32_768, .background),
      (0x05, .background), (0x09, .background), (0x11, .utility), (0x15, .default),
      (0x19, .userInitiated), (0x21, .userInteractive), (1, nil), (-1, nil), (3, nil), (.max, nil),
      (.min, nil),
    ]
    for (identifier, qosClass) in classes {
      #expect(WorkQueue.QoS.QoSClass(globalQueue: identifier) == qosClass, "\(identifier)")
    }
  }
}
