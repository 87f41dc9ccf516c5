internal import IOChannelsLocks
import IOChannelsSystem

/// The directories whose descriptors are open, up to the descriptor limit of the process.
///
/// A directory whose descriptors were closed is opened again when needed. That begins at its
/// nearest open ancestor, goes one component at a time, and must find the same directory as before.
final class HeldDirectories: Sendable {
  private let slots: BargingLock<DescriptorSlots<CopyDirectory>>

  /// The maximum number of descriptors that a thread of a copy needs besides those of the slots.
  private static let descriptorsPerJob = 8
  /// The number of descriptors reserved for the program and the root of the operands.
  private static let reservedDescriptors = 16

  /// Creates slots for as many directories as the descriptor limit allows besides `jobs` threads.
  init(jobs: Int, descriptorLimit: Int) {
    let taken =
      HeldDirectories.reservedDescriptors + jobs * HeldDirectories.descriptorsPerJob
    slots = BargingLock(DescriptorSlots(count: min(max((descriptorLimit - taken) / 2, 2), 512)))
  }

  /// Returns the number of requested jobs, reduced to what the descriptor limit allows, at least 1.
  static func jobs(_ requested: Int, descriptorLimit: Int) -> Int {
    let spare = descriptorLimit - HeldDirectories.reservedDescriptors
    return max(1, min(requested, spare / HeldDirectories.descriptorsPerJob))
  }

  /// Takes ownership of the descriptors of a directory that was just opened.
  ///
  /// - Returns: The descriptors, pinned for the caller.
  func hold(
    _ directory: CopyDirectory,
    source: consuming OwnedDescriptor?,
    destination: consuming OwnedDescriptor
  ) -> DirectoryPair {
    var opened: DirectoryDescriptors.Released? = .init(source: source, destination: destination)
    var isFirst = false
    let pair = directory.descriptors.withLock { descriptors in
      // If another thread has opened the directory meanwhile, its pair is used and this one closed.
      isFirst = descriptors.hold(opened.take())
      return descriptors.pin()
    }
    if isFirst && directory.parent != nil { assignSlot(to: directory) }
    guard let pair else { preconditionFailure("A directory that was just opened is open.") }
    return pair
  }

  /// Pins the descriptors of a directory. The caller must call ``release(_:)`` afterwards.
  ///
  /// - Throws: The error of opening it again; `ESTALE` if another directory has its name now.
  func acquire(_ directory: CopyDirectory) throws(SystemError) -> DirectoryPair {
    if let pair = directory.descriptors.withLock({ $0.pin() }) { return pair }
    var closed = [directory]
    var above = directory.parent
    var pair: DirectoryPair?
    while let current = above {
      pair = current.descriptors.withLock { $0.pin() }
      if pair != nil { break }
      closed.append(current)
      above = current.parent
    }
    guard var pair, var holder = above else {
      preconditionFailure("The place of the operands is never closed.")
    }
    for next in closed.reversed() {
      let outer = holder
      defer { release(outer) }
      pair = try reopen(next, in: pair, next.sourceName, next.destinationName)
      holder = next
    }
    return pair
  }

  /// Opens the parent of an open directory again, if its descriptors were closed.
  ///
  /// It is the entry `..` of the directory. The way down to it by names would be long in a deep
  /// tree, and the copy goes up through each parent. If the directory was moved, nothing is opened.
  func reopenParent(of directory: CopyDirectory) {
    guard let parent = directory.parent, !parent.descriptors.withLock({ $0.isOpen }),
      let pair = directory.descriptors.withLock({ $0.pin() })
    else { return }
    if (try? reopen(parent, in: pair, "..", "..")) != nil { release(parent) }
    release(directory)
  }

  /// Unpins the descriptors of a directory.
  func release(_ directory: CopyDirectory) {
    // The root of the operands has no slot and stays open to the end.
    _ = directory.descriptors.withLock { $0.unpin(staysOpen: directory.parent == nil) }
  }

  /// Calls a closure with the descriptors of a directory.
  func withPair<Value>(
    of directory: CopyDirectory,
    _ body: (DirectoryPair) throws(CopyError) -> Value
  ) throws(CopyError) -> Value {
    let pair = try attempt(.readDirectory, directory.sourcePath(""), try acquire(directory))
    defer { release(directory) }
    return try body(pair)
  }

  /// Calls a closure with the descriptors of a directory, or reports that they cannot be opened.
  func withPair(
    of directory: CopyDirectory,
    _ worker: CopyWorker,
    _ body: (DirectoryPair) -> Void
  ) {
    do throws(CopyError) {
      try withPair(of: directory) { pair in body(pair) }
    } catch {
      worker.fail(error)
    }
  }

  /// Closes a complete directory. It may be opened again for further hard links to its files.
  func close(_ directory: CopyDirectory) {
    slots.withLock { slots in
      let slot = directory.descriptors.withLock { descriptors -> Int? in
        let slot = descriptors.slot
        return descriptors.release(givesSecondChance: false) == nil ? nil : slot
      }
      if let slot { slots.remove(from: slot) }
    }
  }

  private func reopen(
    _ directory: CopyDirectory,
    in place: DirectoryPair,
    _ sourceName: BytePath,
    _ destinationName: BytePath
  ) throws(SystemError) -> DirectoryPair {
    let flags: OpenFlags = [.readOnly, .directory, .nonBlocking]
    let source = try place.source.open(
      sourceName,
      directory.followsSource ? flags : flags.union(.noFollow)
    )
    let destination =
      directory.isImagined
      ? try source.borrowed.open(".", [.path, .directory])
      : try place.destination.openDirectory(
        destinationName,
        following: directory.followsDestination
      )
    guard try source.borrowed.status().identity == directory.source.identity,
      try destination.borrowed.status().identity == directory.destination.identity
    else { throw .staleFileHandle }
    directory.control.forget()
    return hold(directory, source: source, destination: destination)
  }

  private func assignSlot(to directory: CopyDirectory) {
    slots.withLock { slots in
      slots.insert(directory) { holder, slot in
        holder.descriptors.withLock { $0.slot = slot }
      } evict: { holder in
        holder.descriptors.withLock { $0.release(givesSecondChance: true) != nil }
      }
    }
  }
}

extension SystemError {
  /// The error `ESTALE`: another file has the name now.
  static let staleFileHandle = SystemError(rawValue: 116)
}

extension BorrowedDescriptor {
  /// Opens a directory in which files are created, even if it may not be read.
  func openDirectory(
    _ name: BytePath,
    following: Bool = false
  ) throws(SystemError) -> OwnedDescriptor {
    let flags: OpenFlags = following ? [.directory] : [.directory, .noFollow]
    do throws(SystemError) {
      return try open(name, flags)
    } catch .permissionDenied {
      return try open(name, flags.union(.path))
    }
  }
}
