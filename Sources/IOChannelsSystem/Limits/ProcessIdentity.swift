internal import CIOChannelsSystem

/// The identity of a process among all processes of all machines.
///
/// A process number alone is not enough. It is reused after a while, and means other processes in
/// other containers and on other machines.
package struct ProcessIdentity: Sendable, Hashable {
  /// A hash of the boot of the machine and of the process and time namespaces.
  ///
  /// If the highest bit is set, the highest 32 bits are those of the machine in each of its boots.
  package var host: UInt64
  /// The process number.
  package var number: UInt32
  /// The start time of the process, in clock ticks since boot.
  package var start: UInt64

  package init(host: UInt64, number: UInt32, start: UInt64) {
    self.host = host
    self.number = number
    self.start = start
  }

  /// The identity of this process, nil without `/proc`.
  package static var current: ProcessIdentity? {
    let number = UInt32(bitPattern: csys_process())
    // A `/proc` of another namespace has other process numbers.
    guard target("/proc/self") == BytePath("\(number)"), let host = currentHost,
      let state = ProcessState(number)
    else { return nil }
    return ProcessIdentity(host: host, number: number, start: state.start)
  }

  /// Whether the process has certainly ended, as seen by the process `observer`.
  ///
  /// The result is false for a process of another machine, another boot or another namespace.
  package func hasEnded(seenBy observer: ProcessIdentity) -> Bool {
    guard host == observer.host, number > 0, let process = Int32(exactly: number) else {
      return false
    }
    do throws(SystemError) {
      _ = try csys_find_process(process).get()
    } catch {
      return error == .noSuchProcess
    }
    // `/proc` may hide the processes of other users.
    guard let state = ProcessState(number) else { return false }
    return state.start != start || state.hasEnded
  }

  /// Whether the process belongs to another boot of the machine of the process `observer`.
  ///
  /// The result is false for processes in containers, whose machine is unknown.
  package func isOfAnotherBoot(than observer: ProcessIdentity) -> Bool {
    let isMachineKnown = host >> 63 == 1
    return isMachineKnown && host >> 32 == observer.host >> 32 && host != observer.host
  }

  private static var currentHost: UInt64? {
    guard let boot = content(of: "/proc/sys/kernel/random/boot_id"),
      let processes = target("/proc/thread-self/ns/pid")
    else { return nil }
    let name = content(of: "/proc/sys/kernel/hostname") ?? []
    let clock = target("/proc/thread-self/ns/time").map { Array($0.bytes) } ?? []
    let own = hash(of: [boot, name, Array(processes.bytes), clock])
    guard let machine = machineNumber(processes, clock) else {
      return own & 0x7fff_ffff_ffff_ffff
    }
    // Each half holds all bits of a hash, folded.
    let common = hash(of: [machine, name])
    return (common ^ common >> 32 | 1 << 31) << 32 | (own ^ own >> 32) & 0xffff_ffff
  }

  /// Returns the number of this machine in all of its boots; nil if it is unknown.
  ///
  /// Containers may have a number that others have too. They have namespaces of their own, and the
  /// kernel gives the same numbers to the first ones of each boot.
  private static func machineNumber(_ processes: BytePath, _ clock: [UInt8]) -> [UInt8]? {
    guard processes == "pid:[4026531836]",
      clock.isEmpty || BytePath(bytes: clock) == "time:[4026531834]",
      let number = content(of: "/etc/machine-id"), number.count >= 32
    else { return nil }
    return number
  }

  /// Returns a hash of byte sequences (FNV-1a).
  private static func hash(of parts: [[UInt8]]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in parts {
      for byte in part + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return hash
  }

  private static func target(_ link: BytePath) -> BytePath? {
    try? BorrowedDescriptor.workingDirectory.target(ofLink: link, length: 64)
  }

  fileprivate static func content(of path: BytePath) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1024)
    guard let file = try? BorrowedDescriptor.workingDirectory.open(path, .readOnly),
      let count = try? file.borrowed.read(into: &bytes)
    else { return nil }
    return Array(bytes[..<count])
  }
}

/// The state of a process in `/proc`.
private struct ProcessState {
  /// The start time, in clock ticks since boot.
  var start: UInt64
  /// Whether the process is a zombie.
  var hasEnded: Bool

  /// Reads the state of a process; returns nil if it cannot be read.
  init?(_ number: UInt32) {
    guard let text = ProcessIdentity.content(of: BytePath("/proc/\(number)/stat")),
      // The name of the program ends at the last parenthesis, and may contain any byte.
      let name = text.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = text[(name + 1)...].split(separator: UInt8(ascii: " "))
      .map { String(decoding: $0, as: UTF8.self) }
    guard fields.count > 19, let threads = Int(fields[17]), let start = UInt64(fields[19]) else {
      return nil
    }
    self.start = start
    // The first thread of a live process may have ended.
    hasEnded = threads <= 1 && (fields[0] == "Z" || fields[0] == "X")
  }
}
