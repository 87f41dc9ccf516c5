import Foundation
import Measure

/// A new file system on a loop device, to which the kernel writes at a limited rate.
///
/// A control group limits the rate: `blkio` of version 1 in its root, or `io` of version 2 in a
/// group of its own, in which the copies must run.
final class ThrottledDisk {
  private let system: FreshFileSystem
  private let number: String

  private static let groups = "/sys/fs/cgroup"
  private static let limitOfDevice = "\(groups)/blkio/blkio.throttle.write_bps_device"
  private static let group = "\(groups)/iochannels-bench"
  /// The rate of a write of 16 MiB that shows whether a limit has an effect. It takes 0.8 s.
  private static let probeRate = 20_000_000

  /// The directory of the file system.
  var path: String { system.path }

  init(bytesPerSecond rate: Int, gigabytes: Int) throws {
    system = try FreshFileSystem(gigabytes: gigabytes)
    let device = URL(filePath: system.device).lastPathComponent
    number = try String(contentsOfFile: "/sys/block/\(device)/dev", encoding: .ascii)
      .trimmingCharacters(in: .newlines)
    do {
      try setLimit("\(Self.probeRate)")
    } catch {
      throw Skipped("no control group limits the writes to a loop device: \(error)")
    }
    let write = "dd if=/dev/zero of=\(path)/probe bs=1M count=16 conv=fsync status=none"
    let duration = try time(Self.limited(write.split(separator: " ").map(String.init))).duration
    guard duration > .seconds(0.5) else {
      throw Skipped("the limit of the writes to a loop device has no effect: \(duration)")
    }
    try run("rm", "\(path)/probe")
    try setLimit("\(rate)")
  }

  deinit {
    try? setLimit("max")
  }

  /// Returns a command that runs where the limits hold.
  static func limited(_ command: [String]) -> [String] {
    if hasFirstVersion { return command }
    return ["sh", "-c", "echo $$ >\(group)/cgroup.procs && exec \"$@\"", "sh"] + command
  }

  private static var hasFirstVersion: Bool {
    FileManager.default.fileExists(atPath: limitOfDevice)
  }

  private func setLimit(_ rate: String) throws {
    if Self.hasFirstVersion {
      let line = "\(number) \(rate == "max" ? "0" : rate)\n"
      try line.write(toFile: Self.limitOfDevice, atomically: false, encoding: .ascii)
      return
    }
    // Written pages belong to a group only if it also counts memory.
    try "+io +memory\n".write(
      toFile: "\(Self.groups)/cgroup.subtree_control",
      atomically: false,
      encoding: .ascii
    )
    try FileManager.default.createDirectory(
      atPath: Self.group,
      withIntermediateDirectories: true
    )
    try "\(number) wbps=\(rate)\n".write(
      toFile: "\(Self.group)/io.max",
      atomically: false,
      encoding: .ascii
    )
  }
}
