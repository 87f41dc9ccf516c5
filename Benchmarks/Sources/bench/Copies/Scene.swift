import Foundation
import Measure

/// A copy as it is measured: a source on a new file system, the copy, the comparison.
struct Scene: Sendable {
  /// The directory of the package's programs.
  let programs: String
  /// The kind of the file system.
  var kind = "ext4"
  var gigabytes = 4
  /// Whether the copy goes to another file system of that kind.
  var isAcross = false
  /// The kind of the other file system, if that is another one.
  var otherKind: String?
  /// The seconds that memory is free before the copy, so that the host takes it back; nil for
  /// memory that was in use a moment before.
  var secondsFree: Double?
  /// Whether each processor has an endless loop to run beside the copy.
  var isBusy = false
  /// A directory on a disk for the image, or nil for an image in memory and a warm source. On a
  /// disk nothing of the source is in memory when the copy begins.
  var disk: String?
  /// Whether the source is on the disk when the copy begins; else it was written a moment ago, and
  /// is in memory in any case.
  var isWritten = true
  /// Whether the source is one file, compared byte by byte.
  var isFile = false
  /// Whether a copy of a tree has its modes, owners and times too.
  var describesCopy = true
  /// Whether a copy has ended only when it is on the disk.
  var untilWritten = false
  /// The memory of source and copy with their images, in MiB.
  var room = 768
  /// A function that creates the source.
  let make: @Sendable (_ path: String) throws -> Void

  /// Returns the sides of this package and of the other tool, each with its options.
  func sides(_ ours: Copier, _ theirs: Copier) -> Sides {
    Sides(ours: { try time(ours) }, theirs: { try time(theirs) })
  }

  /// Times one copy.
  func time(_ copier: Copier) throws -> Timing {
    try measure { source, copy in
      let command = copier.command(from: source, to: copy, programs: programs)
      let timing = try bench.time(command)
      return untilWritten ? timing + (try bench.time(["sync", "-f", copy])) : timing
    }
  }

  /// Performs one run: new file systems, the source, the measured copy, the comparison.
  func measure<Value>(_ copying: (_ source: String, _ copy: String) throws -> Value) throws -> Value
  {
    // Occupies the memory that becomes free, before the host takes it.
    defer { FreeMemory.refill() }
    return try measureOnce(copying)
  }

  private func measureOnce<Value>(
    _ copying: (_ source: String, _ copy: String) throws -> Value
  ) throws -> Value {
    FreeMemory.makeRoom(megabytes: room)
    let images = disk ?? FreshFileSystem.memory
    let system = try FreshFileSystem(kind: kind, gigabytes: gigabytes, images: images)
    let other =
      isAcross
      ? try FreshFileSystem(kind: otherKind ?? kind, gigabytes: gigabytes, images: images) : nil
    let (source, copy) = ("\(system.path)/source", "\((other ?? system).path)/copy")
    try make(source)
    if isWritten { try run("sync", "-f", system.path) }
    // This also brings names into memory that were not looked up since they were made.
    let listing = isFile ? "" : try digest(of: source)
    if let disk, isWritten {
      try dropCaches(afterWriting: disk)
    }
    if let secondsFree {
      FreeMemory.leave(megabytes: room, for: secondsFree)
    } else {
      FreeMemory.renewRoom(megabytes: room)
    }
    let value = try EndlessLoops.beside(isActive: isBusy) { try copying(source, copy) }
    if isFile {
      try compareFiles(source, copy)
    } else if try listing != digest(of: copy) {
      throw CommandFailure(description: "the copy on \(kind) differs from its source")
    }
    return withExtendedLifetime((system, other)) { value }
  }

  /// Returns a digest of the fields that a tree and its copy must share.
  func digest(of tree: String) throws -> String {
    // The ninth field is the allocated space, which no copy owes. Path, kind, length and the sum of
    // the bytes are what each copy owes.
    let fields = describesCopy ? "1-8,10-" : "1,2,6,10"
    let script = "set -o pipefail; \"$0\" \"$1\" | cut -f \(fields) | sha256sum"
    return try output("bash", "-c", script, "\(programs)/treelist", tree)
  }

  private func compareFiles(_ source: String, _ copy: String) throws {
    guard try FileComparison.areEqual(source, copy) else {
      throw CommandFailure(description: "the copy on \(kind) differs from its source")
    }
    func allocated(_ path: String) throws -> Int {
      Int(try output("stat", "-c", "%b", path).trimmingCharacters(in: .newlines)) ?? 0
    }
    // Room for what the file system keeps about a file, in blocks of 512 bytes.
    guard try allocated(copy) <= allocated(source) + 4096 else {
      throw CommandFailure(description: "the copy on \(kind) lost the holes of its source")
    }
  }
}

/// Takes all files out of memory.
///
/// Unwritten pages of images on the disk would stay there, so they are written before.
func dropCaches(afterWriting disk: String) throws {
  try run("sync", "-f", disk)
  try "3\n".write(toFile: "/proc/sys/vm/drop_caches", atomically: false, encoding: .ascii)
}
