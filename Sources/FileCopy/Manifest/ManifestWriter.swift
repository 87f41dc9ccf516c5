import IOChannelsSystem
import Synchronization

/// The manifest of a running copy, in a file without a name until the copy ends.
///
/// Threads add lines as their files become complete.
final class ManifestWriter: Sendable {
  let request: CopyManifest
  /// The directory and the name of the manifest.
  private let place: OwnedDescriptor
  private let name: BytePath
  private let file: NewFile
  private let state: Mutex<State>

  private struct State {
    /// Bytes that were not written yet.
    var waiting: [UInt8] = []
    /// The length of the file with these bytes.
    var length: Int64 = 0
    var error: SystemError?
    /// The checksums of copied files with several names.
    var linked: [FileIdentity: [UInt8]] = [:]
    /// The places of the last line of each name; nil if no name can have two lines.
    var lines: [NameHash: Int64]?
    var hasRepeatedNames = false
  }

  /// A hash of a name, with so many bits that no two names have the same one.
  private struct NameHash: Hashable {
    let low: Int
    let high: Int

    init(_ name: BytePath) {
      var (one, other) = (Hasher(), Hasher())
      other.combine(1)
      one.combine(name)
      other.combine(name)
      low = one.finalize()
      high = other.finalize()
    }
  }

  /// The number of bytes that are written at a time.
  private static let capacity = 64 << 10
  /// The maximum number of files with several names whose checksums are stored. The names of other
  /// ones are read again.
  private static let linkedLimit = 100_000

  /// Creates the file of the manifest that options request; nil if they request none.
  ///
  /// - Throws: ``CopyProblem/manifest`` if the file cannot be created, or the algorithm cannot be
  ///   used.
  static func create(
    for options: CopyOptions,
    sourceCount: Int
  ) throws(CopyError) -> ManifestWriter? {
    guard let request = options.manifest else { return nil }
    let existing = options.existing
    // A later source may have the name of an earlier one. A name that is kept may be linked.
    let mayRepeat =
      sourceCount > 1 || existing.resumes || existing.updatesOnly || existing.rule != .always
    return try attempt(
      .manifest,
      request.path,
      try ManifestWriter(request, mayRepeatNames: mayRepeat)
    )
  }

  private init(_ request: CopyManifest, mayRepeatNames: Bool) throws(SystemError) {
    let path = OperandNames.split(request.path)
    if path.name.isEmpty { throw .noSuchFileOrDirectory }
    self.request = request
    name = path.name
    place = try BorrowedDescriptor.workingDirectory.open(
      path.directory.isEmpty ? "." : path.directory,
      [.path, .directory]
    )
    do throws(SystemError) {
      let kind = try place.borrowed.status(of: path.name).kind
      // A rename would replace a device, or the link of a standard stream.
      if kind == .directory { throw .isDirectory }
      if kind != .regular { throw .fileExists }
    } catch .noSuchFileOrDirectory {
      // It is created at the end.
    }
    file = try NewFile(in: place.borrowed)
    state = Mutex(State(lines: mayRepeatNames ? [:] : nil))
  }

  /// The directory and the name of the manifest.
  var location: CopyContext.Location? {
    (try? place.borrowed.status()).map {
      CopyContext.Location(directory: $0.identity, name: name)
    }
  }

  /// Adds the line of a file that was copied.
  func add(_ digest: [UInt8], of item: CopyItem) {
    let path = item.pathInCopy
    state.withLock { state in
      if let linked = item.job.linkedFile, state.linked.count < ManifestWriter.linkedLimit {
        state.linked[linked.identity] = digest
      }
      add(ManifestLine(digest: digest, name: path), to: &state)
    }
  }

  /// Adds the line of a name that was linked to a copy under another name.
  func addLink(_ item: CopyItem) {
    let digest = item.job.linkedFile.flatMap { file in
      state.withLock { $0.linked[file.identity] }
    }
    guard let digest else { return addExisting(item) }
    let path = item.pathInCopy
    state.withLock { add(ManifestLine(digest: digest, name: path), to: &$0) }
  }

  /// Reads a regular file of the destination that the copy keeps, and adds its line.
  func addExisting(_ item: CopyItem) {
    do throws(CopyError) {
      let digest = try digest(ofExisting: item)
      guard let digest else { return }
      let path = item.pathInCopy
      state.withLock { add(ManifestLine(digest: digest, name: path), to: &$0) }
    } catch {
      item.fail(error)
    }
  }

  /// Returns the checksum of a file of the destination; nil if it is no regular one.
  private func digest(ofExisting item: CopyItem) throws(CopyError) -> [UInt8]? {
    do throws(SystemError) {
      let (name, directory) = (item.job.destinationName, item.pair.destination)
      guard try directory.status(of: name).kind == .regular else { return nil }
      let file = try directory.openRegular(name, .noTerminal, following: false)
      let digest = ContentDigest(request.algorithm)
      let progress = item.worker.progress
      try ContentSum.read(file.borrowed, 0..<Int64.max, while: { !progress.isStopping }) { bytes in
        digest.add(bytes)
      }
      if progress.isStopping { throw .canceled }
      return digest.finish()
    } catch .canceled {
      throw CopyError(.stopped, item.sourcePath)
    } catch {
      throw CopyError(.read, item.destinationPath, error)
    }
  }

  private func add(_ line: ManifestLine, to state: inout State) {
    if state.error != nil { return }
    let (start, bytes) = (state.length, line.bytes)
    if state.lines?.updateValue(start, forKey: NameHash(line.name)) != nil {
      state.hasRepeatedNames = true
    }
    state.waiting += bytes
    state.length += Int64(bytes.count)
    if state.waiting.count >= ManifestWriter.capacity { flush(&state) }
  }

  private func flush(_ state: inout State) {
    do throws(SystemError) {
      try file.append(state.waiting)
    } catch {
      state.error = error
    }
    state.waiting.removeAll(keepingCapacity: true)
  }
}

/// The end of the copy.
extension ManifestWriter {
  /// Replaces the existing manifest.
  func publish() throws(CopyError) {
    try attempt(
      .manifest,
      request.path,
      try state.withLock { state throws(SystemError) in try publish(&state) }
    )
  }

  private func publish(_ state: inout State) throws(SystemError) {
    flush(&state)
    if let error = state.error { throw error }
    if !state.hasRepeatedNames { return try file.publish(as: name, in: place.borrowed) }
    let rest = try NewFile(in: place.borrowed)
    try copyLastLines(to: rest, state.lines ?? [:])
    try rest.publish(as: name, in: place.borrowed)
  }

  /// Copies the last line of each name. Earlier ones are those of files that were overwritten.
  private func copyLastLines(
    to rest: NewFile,
    _ lines: [NameHash: Int64]
  ) throws(SystemError) {
    var (waiting, unread) = ([UInt8](), [UInt8]())
    var (read, position): (Int64, Int64) = (0, 0)
    var buffer = [UInt8](repeating: 0, count: ManifestWriter.capacity)
    while true {
      let count = try file.read(into: &buffer, at: read)
      if count == 0 { break }
      read += Int64(count)
      unread += buffer[..<count]
      var start = unread.startIndex
      while let end = unread[start...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = unread[start..<end]
        if let parsed = ManifestLine(parsing: line), lines[NameHash(parsed.name)] == position {
          waiting += unread[start...end]
        }
        position += Int64(line.count) + 1
        start = end + 1
      }
      unread.removeFirst(start)
      try rest.append(waiting)
      waiting.removeAll(keepingCapacity: true)
    }
  }
}
