import Synchronization
import IOChannelsSystem

/// The sleep of a ring's thread that waits for several completions at once.
///
/// It applies while the kernel has only writes to one device that its workers carry out one by one.
/// Waking for each completion would cost a system call for every write, and the submission of the
/// next one another. So the thread sleeps until several have completed, and further writes of the
/// same kind wait meanwhile. All other messages wake the thread. For this it has as many reads of
/// the alarm pending as it needs completions.
///
/// It is kept for `B5.random-dispatch`, whose processor time and sleeps it reduces.
struct PatientSleep: ~Copyable, Sendable {
  /// The number of reads of the alarm, no fewer than the completions to wait for.
  static let alarmReads = RequestScheduler.sharedEndLimit

  private let alarm: WakeupDescriptor
  /// The device whose further writes may wait, 0 for none.
  private let device = Atomic<UInt64>(0)

  init() throws(SystemError) {
    alarm = try WakeupDescriptor(each: true)
  }

  var alarmDescriptor: BorrowedDescriptor { alarm.borrowed }

  /// Sets the device whose writes may wait, before the thread releases the list of messages.
  func begin(besides device: UInt64) {
    self.device.store(device, ordering: .relaxed)
  }

  /// Records that the thread is awake.
  func end() {
    device.store(0, ordering: .relaxed)
  }

  /// Returns whether the thread is in this sleep, and wakes it unless the message may wait.
  ///
  /// The caller has added the message to the list before. So it sees the value that was set before
  /// the list was released.
  func serves(_ device: UInt64) -> Bool {
    let patient = self.device.load(ordering: .relaxed)
    if patient == 0 { return false }
    // Only one of the senders that cannot wait rings the alarm.
    if device != patient, self.device.exchange(0, ordering: .relaxed) != 0 { ring() }
    return true
  }

  /// Completes all reads of the alarm.
  func ring() {
    alarm.signal(UInt64(Self.alarmReads))
  }
}
