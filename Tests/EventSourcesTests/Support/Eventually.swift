import IOChannelsTestSupport

@testable import EventSources

/// Looks at a condition again and again until it is met.
///
/// It is for states of the kernel that no event reports.
///
/// - Throws: A failure if the condition is not met within 20 seconds.
func reach(_ isMet: () throws -> Bool) async throws {
  let end = KernelClock.uptime.nanoseconds + 20_000_000_000
  while try !isMet() {
    if KernelClock.uptime.nanoseconds > end { throw TestFailure("a condition is not met") }
    await withCheckedContinuation { continuation in
      WorkQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
    }
  }
}

/// Waits until a group is empty.
///
/// - Throws: A failure if it is not within a minute.
func completion(of group: WorkGroup) async throws {
  let trace = Trace()
  group.notify(queue: trace.queue) { trace.add(.mark("empty")) }
  try await trace.reach(within: .seconds(60)) { $0 == [.mark("empty")] }
}
