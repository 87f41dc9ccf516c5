import Foundation

/// Measurements of this process.
enum Probes {
  /// A function that does some work and returns the seconds of one kind that it took.
  typealias Meter = (() -> Void) -> Double

  /// Returns the time that some work takes.
  static func time(_ work: () -> Void) -> Double { ContinuousClock().measure(work) / .seconds(1) }

  /// Returns the processor time in seconds of some work and of all that follows from it.
  static func timeUntilQuiet(_ work: () -> Void) -> Double {
    let before = processorTime
    work()
    var seen = before
    repeat {
      seen = processorTime
      usleep(50_000)
      // Looking takes some time itself.
    } while processorTime - seen > 0.002
    return seen - before
  }

  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns the bytes of memory that the process occupies.
  static func residentBytes() throws -> Int {
    let sizes = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = sizes.split(separator: " ")
    return (pages.dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Counts the wakes of the event thread from the arming of timers until all have fired.
  static func wakes<Result>(
    _ work: (_ whileArmed: () throws -> Void) throws -> Result
  ) throws -> Double {
    var thread = ""
    var before = 0
    _ = try work {
      usleep(100_000)
      thread = try threadThatAwaitsEvents()
      before = try switches(of: thread)
    }
    return Double(try switches(of: thread) - before)
  }

  private static func threadThatAwaitsEvents() throws -> String {
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
    let waiting = threads.filter { thread in
      let place = try? String(contentsOfFile: "/proc/self/task/\(thread)/wchan", encoding: .utf8)
      return place?.contains("ep") ?? false
    }
    guard waiting.count == 1 else {
      throw CommandFailure(description: "\(waiting.count) threads wait for events")
    }
    return waiting[0]
  }

  /// Returns the number of voluntary context switches of a thread.
  private static func switches(of thread: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
    return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
  }
}
