internal import IOChannelsLocks
import IOChannelsSystem
import Synchronization

/// The flushes of one file system that the threads of a copy share.
///
/// One thread flushes for all that wait. See ``BatchTickets``.
final class DurableBatch: Sendable {
  private let tickets = BargingLock(BatchTickets<SystemError>())
  /// A counter that each end of a flush increments, so that none between a check and the parking is
  /// lost.
  private let ends = Atomic<UInt32>(0)

  /// Returns after a flush that began after this call.
  ///
  /// The closure may be called on this thread or on another one that waits too. It receives whether
  /// this thread is alone, so that its own file is enough.
  ///
  /// - Throws: The error of the flush, for all threads that waited for it.
  func flush(_ flush: (_ isAlone: Bool) throws(SystemError) -> Void) throws(SystemError) {
    let number = tickets.withLock { $0.join() }
    while true {
      let seen = ends.load(ordering: .acquiring)
      switch tickets.withLock({ $0.step(of: number) }) {
      case .wait: ends.park(while: seen)
      case .finished(let failure):
        if let failure { throw failure }
        return
      case .lead(let members):
        var failure: SystemError?
        do throws(SystemError) {
          try flush(members == 1)
        } catch {
          failure = error
        }
        tickets.withLock { [failure] tickets in tickets.end(failure) }
        ends.wrappingAdd(1, ordering: .releasing)
        ends.unpark(.max)
      }
    }
  }
}
