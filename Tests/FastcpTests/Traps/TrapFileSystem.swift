import IOChannelsSystem
import IOChannelsTestSupport

/// A mounted file system that every user can reach, for as long as the value lives.
final class TrapFileSystem: Sendable {
  let path: String
  /// The value that unmounts the file system.
  private let holder: any Sendable

  /// Mounts a file system with room for all traps, or a small one.
  init(_ base: TrapEnvironment.Base, isSmall: Bool = false) throws {
    switch base {
    case .ext4:
      let image = try LoopImage(.ext4, megabytes: isSmall ? 24 : 320)
      (path, holder) = (image.path, image)
    case .tmpfs:
      let memory = try MemoryFileSystem(kibibytes: isSmall ? 16 << 10 : 256 << 10)
      (path, holder) = (memory.path, memory)
    case .xfs:
      let image = try LoopImage(.xfs, megabytes: 320)
      (path, holder) = (image.path, image)
    case .btrfs:
      let image = try LoopImage(.btrfs, megabytes: 320)
      (path, holder) = (image.path, image)
    }
    try runSuccessfully(["chmod", "755", path, "\(path)/.."])
  }
}

/// A file system in which 4 MiB are free, for as long as the value lives.
final class NarrowFileSystem: Sendable {
  private let mounted: TrapFileSystem

  var path: String { mounted.path }

  init(_ base: TrapEnvironment.Base) throws {
    mounted = try TrapFileSystem(base, isSmall: true)
    // A file system may report more free space than files can use. So it is filled behind a file
    // of 4 MiB, which is removed then.
    let zeros = [UInt8](repeating: 0, count: 64 << 10)
    let gap = try openFile("\(path)/gap", [.writeOnly, .create])
    for _ in 0..<64 { _ = try gap.borrowed.write(zeros, 0..<zeros.count) }
    try gap.close()
    try synchronize()
    try fill(with: zeros)
    try synchronize()
    try BorrowedDescriptor.workingDirectory.remove(BytePath("\(path)/gap"))
    try synchronize()
  }

  /// Writes a file until no space is left.
  private func fill(with bytes: [UInt8]) throws {
    let file = try openFile("\(path)/ballast", [.writeOnly, .create])
    var isFull = false
    while !isFull {
      do throws(SystemError) {
        _ = try file.borrowed.write(bytes, 0..<bytes.count)
      } catch {
        guard error == .noSpace else { throw error }
        isFull = true
      }
    }
  }

  private func synchronize() throws { try runSuccessfully(["sync", "-f", path]) }
}

/// An empty file system in memory, mounted for as long as the value lives.
final class MemoryMount: Sendable {
  let path: String
  private let place: TemporaryDirectory

  /// Mounts a file system of a kind that needs no device, such as `tmpfs` or `ramfs`.
  init(_ kind: String) throws {
    place = try TemporaryDirectory()
    path = place("mounted")
    try runSuccessfully(["chmod", "755", place.path])
    try runSuccessfully(["mkdir", path])
    try runSuccessfully(["mount", "-t", kind, "none", path])
  }

  deinit {
    let plain = try? run(["umount", path])
    if plain?.succeeded != true { _ = try? run(["umount", "-l", path]) }
  }
}
