import QueueRuntime

/// Where an operation's handler runs.
enum HandlerPlace: Sendable {
  /// On a queue: any handler of a program does.
  case queue(WorkQueue)
  /// On the thread that brings what there is to tell, which may be one of the engine: a handler of
  /// the library that only has a task go on, without waiting for anything.
  case anyThread(WorkQueue.QoS.QoSClass)

  /// How urgent the requests are whose ends it is told.
  var effectiveClass: WorkQueue.QoS.QoSClass {
    switch self {
    case .queue(let queue): queue.effectiveClass
    case .anyThread(let qosClass): qosClass
    }
  }

  /// Has a call to the handler made.
  func run(_ call: @escaping @Sendable () -> Void) {
    switch self {
    case .queue(let queue): queue.async(execute: call)
    case .anyThread: call()
    }
  }
}
