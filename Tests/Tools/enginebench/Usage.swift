import Glibc
import IOChannelsSystem

/// What this process has used until it is made, the kernel's worker threads for it included.
struct Usage {
  private let nanoseconds = KernelClock.uptime.nanoseconds
  private let processorSeconds = Double(clock()) / Double(CLOCKS_PER_SEC)
  private let sleeps: Int

  init() {
    var account = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &account)
    sleeps = account.ru_nvcsw
  }

  /// What was used since then, as fields of JSON.
  var sinceThen: [String] {
    let now = Usage()
    return [
      "\"seconds\":\(Double(now.nanoseconds - nanoseconds) / 1e9)",
      "\"processor\":\(now.processorSeconds - processorSeconds)",
      "\"sleeps\":\(now.sleeps - sleeps)",
    ]
  }

  /// The processor time of this thread.
  static var threadNanoseconds: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// The bytes of memory that the process occupies.
  static var residentBytes: Int {
    var text = [UInt8](repeating: 0, count: 256)
    guard let file = try? BorrowedDescriptor.workingDirectory.open("/proc/self/statm", .readOnly),
      let read = try? file.borrowed.read(into: &text)
    else { return 0 }
    let fields = text.prefix(read).split(separator: UInt8(ascii: " "))
    let pages = fields.dropFirst().first.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    return pages * 4096
  }
}
