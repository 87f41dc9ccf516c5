import IOChannelsEngine
internal import IOChannelsLocks

extension TransferStorage {
  func requestEnded(_ request: Request, with result: TransferResult) {
    process { machine, actions in machine.answered(request.tag, result, &actions) }
  }

  /// Processes an event, and notifies the channel if the operation has ended.
  func process(_ event: (inout Machine, inout Machine.Actions) -> Void) {
    var actions = Machine.Actions()
    change(&actions, event)
    if perform(consume actions) { target.channel.operationEnded(self) }
  }
}
