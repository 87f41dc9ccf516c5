import Synchronization
import IOChannelsSystem

/// How senders wake a ring's thread that waits for several answers at once.
///
/// While all that the kernel has are writes of one device that its workers carry out one after
/// the other, hearing of each end by itself would cost a call for every write, and starting a
/// further one another call. The thread then sleeps until several have ended, and what would only
/// stand behind those in the kernel's lines waits for that. All else wakes it: it waits for so many
/// reads of the alarm as well as it needs answers.
struct PatientSleep: ~Copyable, Sendable {
  /// How many reads of the alarm the thread has under way: no fewer than the answers it waits for.
  static let alarmReads = RequestScheduler.sharedEndLimit

  private let alarm: WakeupDescriptor
  /// The device whose further writes may wait, or 0, which none has.
  private let device = Atomic<UInt64>(0)

  init() throws(SystemError) {
    alarm = try WakeupDescriptor(each: true)
  }

  var alarmDescriptor: BorrowedDescriptor { alarm.borrowed }

  /// Says, before the list of messages is let go, what may wait while the thread sleeps.
  func begin(besides device: UInt64) {
    self.device.store(device, ordering: .relaxed)
  }

  /// Notes that the thread is awake.
  func end() {
    device.store(0, ordering: .relaxed)
  }

  /// Tells whether the thread sleeps patiently, and wakes it unless a message that belongs to this
  /// device can wait.
  ///
  /// To be called after the message was added to the list: whoever added to it sees what was said
  /// before the list was let go.
  func serves(_ device: UInt64) -> Bool {
    let patient = self.device.load(ordering: .relaxed)
    if patient == 0 { return false }
    // Only one of those who cannot wait rings the alarm.
    if device != patient, self.device.exchange(0, ordering: .relaxed) != 0 { ring() }
    return true
  }

  /// Ends all reads of the alarm.
  func ring() {
    alarm.signal(UInt64(Self.alarmReads))
  }
}

extension RingBackend.Message {
  /// The device whose writes it would stand behind, or 0, which none has.
  var patientDevice: UInt64 {
    if case .submit(let request) = self, request.isWorkerWrite { request.device } else { 0 }
  }
}
