internal import IOChannelsLocks
import IOChannelsSystem

/// The directories whose descriptors are open, as many as the process can afford.
///
/// A directory whose descriptors had to go is opened again from the nearest one that is still open,
/// one component at a time, and must be the same directory as before.
final class HeldDirectories: Sendable {
  private let slots: BargingLock<DescriptorSlots<CopyDirectory>>

  /// How many descriptors a thread of a copy needs besides those of the slots, at most.
  private static let descriptorsPerJob = 8
  /// How many the program and the place of the operands have.
  private static let descriptorsOfOthers = 16

  /// Makes room for as many directories as the limit of descriptors allows besides `jobs` copies.
  init(jobs: Int, descriptorLimit: Int) {
    let taken =
      HeldDirectories.descriptorsOfOthers + jobs * HeldDirectories.descriptorsPerJob
    slots = BargingLock(DescriptorSlots(count: min(max((descriptorLimit - taken) / 2, 2), 512)))
  }

  /// Returns the number of requested jobs, reduced to what the descriptor limit allows, at least 1.
  static func jobs(_ requested: Int, descriptorLimit: Int) -> Int {
    let spare = descriptorLimit - HeldDirectories.descriptorsOfOthers
    return max(1, min(requested, spare / HeldDirectories.descriptorsPerJob))
  }

  /// Takes over the descriptors of a directory that was just opened, pinned for the caller.
  func hold(
    _ directory: CopyDirectory,
    source: consuming OwnedDescriptor?,
    destination: consuming OwnedDescriptor
  ) -> DirectoryPair {
    var opened: DirectoryDescriptors.Released? = .init(source: source, destination: destination)
    var isFirst = false
    let pair = directory.descriptors.withLock { descriptors in
      // A pair that another thread opened meanwhile is as good; this one is closed then.
      isFirst = descriptors.hold(opened.take())
      return descriptors.pin()
    }
    if isFirst && directory.parent != nil { makeRoom(for: directory) }
    guard let pair else { preconditionFailure("What was just opened is open.") }
    return pair
  }

  /// Keeps a directory open for the caller, who lets it go with ``release(_:)``.
  ///
  /// - Throws: The error of opening it again; `ESTALE` when another directory has its name now.
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
      pair = try open(next, in: pair)
      holder = next
    }
    return pair
  }

  /// Lets a directory go that was kept open for the caller.
  func release(_ directory: CopyDirectory) {
    // The place of the operands has no slot and stays open to the end.
    _ = directory.descriptors.withLock { $0.unpin(staysOpen: directory.parent == nil) }
  }

  /// Does something with a directory's descriptors.
  func withPair<Value>(
    of directory: CopyDirectory,
    _ body: (DirectoryPair) throws(CopyError) -> Value
  ) throws(CopyError) -> Value {
    let pair: DirectoryPair
    do throws(SystemError) {
      pair = try acquire(directory)
    } catch {
      throw CopyError(.readDirectory, directory.sourcePath(""), error)
    }
    defer { release(directory) }
    return try body(pair)
  }

  /// Calls a closure with the descriptors of a directory, and reports it if they cannot be opened
  /// again.
  func withPair(
    of directory: CopyDirectory,
    _ worker: CopyWorker,
    _ body: (DirectoryPair) -> Void
  ) {
    do throws(SystemError) {
      let pair = try acquire(directory)
      body(pair)
      release(directory)
    } catch {
      worker.fail(CopyError(.readDirectory, directory.sourcePath(""), error))
    }
  }

  /// Closes a complete directory. Somebody who gives its files further names may open it again.
  func close(_ directory: CopyDirectory) {
    slots.withLock { slots in
      let slot = directory.descriptors.withLock { descriptors -> Int? in
        let slot = descriptors.slot
        return descriptors.release(isPatient: false) == nil ? nil : slot
      }
      if let slot { slots.remove(from: slot) }
    }
  }

  private func open(
    _ directory: CopyDirectory,
    in parent: DirectoryPair
  ) throws(SystemError) -> DirectoryPair {
    let flags: OpenFlags = [.readOnly, .directory, .nonBlocking]
    let source = try parent.source.open(
      directory.sourceName,
      directory.followsSource ? flags : flags.union(.noFollow)
    )
    let destination =
      directory.isImagined
      ? try source.borrowed.open(".", [.path, .directory])
      : try parent.destination.openDirectory(
        directory.destinationName,
        following: directory.followsDestination
      )
    guard try source.borrowed.status().identity == directory.source.identity,
      try destination.borrowed.status().identity == directory.destination.identity
    else { throw .staleFileHandle }
    return hold(directory, source: source, destination: destination)
  }

  private func makeRoom(for directory: CopyDirectory) {
    slots.withLock { slots in
      slots.insert(directory) { holder, slot in
        holder.descriptors.withLock { $0.slot = slot }
      } evict: { holder in
        holder.descriptors.withLock { $0.release(isPatient: true) != nil }
      }
    }
  }
}

extension SystemError {
  /// Another file has the name now (`ESTALE`).
  static let staleFileHandle = SystemError(rawValue: 116)
}

extension BorrowedDescriptor {
  /// Opens a directory to put files into, also one that may not be read.
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
