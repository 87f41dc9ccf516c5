import FileCopy
import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport

private let length = "A read cannot have a negative length."
private let mark = "A water mark is not negative."
private let start = "A file begins at offset 0."
private let room = "A read of what is there has room for a byte."

/// A channel of a descriptor that is open.
private func channel() -> IOChannel {
  IOChannel(type: .stream, fileDescriptor: 0, queue: .global()) { _ in }
}

/// A reader of a pipe in which nothing ever comes.
private func waitingReader() throws -> ChannelReader {
  let ends = try PipeEnds()
  let number = try ends.reading.borrowed.duplicate().release()
  _ = try ends.writing.borrowed.duplicate().release()
  return ChannelReader(
    IOChannel(type: .stream, fileDescriptor: number, queue: .global()) { _ in }
  )
}

private let source: BytePath = "/nowhere/source"
private let target: BytePath = "/nowhere/copy"

/// Options of a copy by so many jobs.
private func options(jobs: Int) -> CopyOptions {
  var options = CopyOptions()
  options.jobs = jobs
  return options
}

extension Misuse {
  /// Numbers that channels get, readers of lines, the engine, and copies.
  static let channels: [Misuse] = [
    .call("read-length", length, "S173") {
      channel().read(offset: 0, length: -1, queue: .global()) { _, _, _ in }
    },
    .call("one-shot-length", length, "S173") {
      IOChannel.read(fromFileDescriptor: 0, maxLength: -1, runningHandlerOn: .global()) { _, _ in }
    },
    .task("await-length", length, "S173") { _ = try await channel().read(length: -1) },
    .task("relay-length", "A relay cannot have a negative length.", "S173") {
      _ = try await channel().relay(to: channel(), count: -1)
    },
    .task("await-number", length, "S173") { _ = try await channel().read(exactly: -1) },
    .task("await-limit", room, "S173") { _ = try await channel().read(upTo: 0) },
    .task("read-all", "A limit is not negative.", "S173") {
      _ = try await channel().readAll(limit: -1)
    },
    .call("low-water", mark, "S173") { channel().setLimit(lowWater: -1) },
    .call("high-water", mark, "S173") { channel().setLimit(highWater: -1) },
    .call("interval", "An interval is not negative.", "S173") {
      channel().setInterval(interval: .seconds(-1))
    },
    .task("truncate", "A file has no negative length.", "S173") {
      try await channel().truncate(toLength: -1)
    },
    .task("allocate", start, "S173") { try await channel().allocate(-1..<1) },
    .task("advise", start, "S173") { try await channel().advise(.willNeed, for: -1..<1) },
    .task("write-back", start, "S173") { try await channel().writeBack(-1..<1) },
    .task("writer", "A writer holds at least a byte.", "S173") {
      try await channel().withBufferedWriter(capacity: 0) { _ in }
    },
    .call("line-limit", "The limit of a line is at least one byte.", "S173") {
      _ = ChannelReader(channel(), lineLimit: 0)
    },
    .task("reader-exactly", length, "S173") {
      _ = try await ChannelReader(channel()).read(exactly: -1)
    },
    .task("delimiter", "A delimiter has at least one byte.", "S173") {
      _ = try await ChannelReader(channel()).read(until: [])
    },
    .task("record-limit", "A limit is not negative.", "S173") {
      _ = try await ChannelReader(channel()).read(until: [0], limit: -1)
    },
    .task("reader-all", "A limit is not negative.", "S173") {
      _ = try await ChannelReader(channel()).readAll(limit: -1)
    },
    .call("chunks", room, "S173") { _ = ChannelReader(channel()).chunks(upTo: 0) },
    .task("line-read", room, "S173") { _ = try await ChannelReader(channel()).read(upTo: 0) },
    .task("two-lines", "A reader serves one call at a time.", "S172") {
      let reader = try waitingReader()
      async let first = reader.readLine()
      async let second = reader.readLine()
      _ = try await (first, second)
    },
    .task("line-and-bytes", "A reader serves one call at a time.", "S172") {
      let reader = try waitingReader()
      async let first = reader.readLine()
      async let second = reader.read(upTo: 1)
      _ = try await (first, second)
    },
    .task(
      "two-positions",
      "A random channel serves one call without an offset at a time.",
      "S235"
    ) {
      let number = try openFile("/proc/self/exe").release()
      let file = IOChannel(type: .random, fileDescriptor: number, queue: .global()) { _ in }
      let never = CountingSemaphore(value: 0)
      file.barrier { never.wait() }
      async let first = file.read(length: 1)
      async let second = file.read(length: 1)
      _ = try await (first, second)
    },
    .call(
      "backend",
      "IOCHANNELS_BACKEND must be auto, uring or threads, not \"ring\".",
      "S215"
    ) {
      _ = Engine(setting: "ring")
    },
    .call("jobs", "A copy needs at least one job.", "S174") { _ = FileCopier(options(jobs: 0)) },
    .call("removals", "A limit of removed entries is not negative.", "S174") {
      var options = CopyOptions()
      options.deletion.limit = -1
      _ = FileCopier(options)
    },
    .call(
      "removed-backups",
      "A copy that removes entries has no backups and follows no links of the destination.",
      "S174"
    ) {
      var options = CopyOptions()
      options.deletion.removesExtraneous = true
      options.existing.backup = BackupNaming(.simple)
      _ = FileCopier(options)
    },
    .call(
      "removed-links",
      "A copy that removes entries has no backups and follows no links of the destination.",
      "S174"
    ) {
      var options = CopyOptions()
      options.deletion.removesExtraneous = true
      options.tree.keepsDirectoryLinks = true
      _ = FileCopier(options)
    },
    .call("resumed-metadata", "A copy that continues an interrupted one copies contents.", "S174") {
      var options = CopyOptions()
      options.existing.resumes = true
      options.contents.copiesBytes = false
      _ = FileCopier(options)
    },
    .call("resumed-links", "A copy that continues an interrupted one copies contents.", "S174") {
      var options = CopyOptions()
      options.existing.resumes = true
      options.tree.product = .hardLinks
      _ = FileCopier(options)
    },
    .call("part", "The index of a part is below the number of parts.", "S174") {
      var options = CopyOptions()
      options.shard = .part(2, of: 2)
      _ = FileCopier(options)
    },
    .call("part-removes", "A part of a copy removes no entries and has no backups.", "S174") {
      var options = CopyOptions()
      options.shard = .finish
      options.deletion.removesExtraneous = true
      _ = FileCopier(options)
    },
    .call(
      "several-ask",
      "A copy to several destinations has no questions, direct I/O or earlier copy.",
      "S174"
    ) {
      var options = CopyOptions()
      options.furtherDestinations = [target]
      options.existing.rule = .ask
      _ = FileCopier(options)
    },
    .call(
      "several-direct",
      "A copy to several destinations has no questions, direct I/O or earlier copy.",
      "S174"
    ) {
      var options = CopyOptions()
      options.furtherDestinations = [target]
      options.contents.direct = .always
      _ = FileCopier(options)
    },
    .call("check-jobs", "A comparison needs at least one job.", "S174") {
      _ = ManifestChecker(jobs: 0)
    },
    .call("exactly", "Only one source can get one exact name.", "S174") {
      try FileCopier().copyAndWait(from: [source, source], to: target, placing: .exactly)
    },
    .task("await-exactly", "Only one source can get one exact name.", "S174") {
      try await FileCopier().copy(from: [source, source], to: target, placing: .exactly)
    },
    .call("monitor", "A monitor observes one copy; create another for the next one.", "S174") {
      let monitor = CopyMonitor()
      // The source does not exist.
      _ = try? FileCopier().copyAndWait(from: source, to: target, monitor: monitor)
      try FileCopier().copyAndWait(from: source, to: target, monitor: monitor)
    },
  ]
}
