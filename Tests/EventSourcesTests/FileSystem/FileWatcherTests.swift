import IOChannelsLocks
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("The watches of files", .ends(withinMinutes: 5))
struct FileWatcherTests {
  private let files = SimulatedFiles()
  private let watcher: FileWatcher

  init() { watcher = FileWatcher(kernel: files) }

  @Test("A watch has the notices of its receivers, and ends with the last one")
  func notices() throws {
    files.open(3, file: 1)
    files.open(4, file: 1)
    let first = try watcher.add(3, mask: .write, EventCollector())
    #expect(files.notices(of: 1) == .modified)
    let second = try watcher.add(4, mask: [.rename, .attrib], EventCollector())
    #expect(files.notices(of: 1) == [.modified, .selfMoved, .attributes])
    watcher.remove(first)
    #expect(files.notices(of: 1) == [.selfMoved, .attributes])
    #expect(files.isWaiting)
    watcher.remove(second)
    watcher.remove(second)
    #expect(files.watches == 0)
    #expect(!files.isWaiting)
  }

  @Test("Errors of the kernel end the registration", arguments: [28, 24, 13, 2])
  func refusals(error: Int32) throws {
    files.open(3, file: 1)
    let error = SystemError(rawValue: error)
    files.state.withLock { $0.refusals = [error] }
    #expect(throws: error) { _ = try watcher.add(3, mask: .write, EventCollector()) }
    #expect(files.watches == 0)
    files.state.withLock { $0.waitRefusal = error }
    #expect(throws: error) { _ = try watcher.add(3, mask: .write, EventCollector()) }
    #expect(files.watches == 0)
    files.state.withLock { $0.waitRefusal = nil }
    let member = try watcher.add(3, mask: .write, EventCollector())
    watcher.remove(member)
  }

  @Test("A source reports the error of its registration")
  func registrationError() async throws {
    let producer = FileSystemProducer(3, .write) { () throws(SystemError) in throw .noSpace }
    let trace = Trace()
    let core = SourceCore(target: trace.queue, merging: .union(mask: 2), producer: producer)
    let source = EventSource(core: core)
    source.record(in: trace)
    source.activate()
    _ = try await trace.entries(1)
    #expect(source.registrationError == .noSpace)
    source.cancel()
    #expect(try await trace.entries(2) == [.registration, .cancellation])
  }

  @Test("A watch that ends is created anew, and not for another file of the number")
  func endedWatch() throws {
    files.open(3, file: 1)
    files.open(4, file: 1)
    let kept = EventCollector()
    let closed = EventCollector()
    let members = [
      try watcher.add(3, mask: .all, kept), try watcher.add(4, mask: .all, closed),
    ]
    files.change(1, .attributes) { $0.links = 0 }
    files.endWatch(1)
    files.open(4, file: 2)
    watcher.pass()
    #expect(kept.take() == [.delete, .link])
    _ = closed.take()
    files.change(1, .modified) { $0.size = 5 }
    #expect(files.notices(of: 2) == nil)
    watcher.pass()
    #expect(kept.take() == [.write, .extend])
    #expect(closed.take() == [])
    for member in members { watcher.remove(member) }
    #expect(files.watches == 0)
  }

  @Test("A file system that ends each watch at once does not keep the process busy")
  func endlessRenewal() throws {
    files.open(3, file: 1)
    let member = try watcher.add(3, mask: .all, EventCollector())
    for _ in 0..<100 {
      files.endWatch(1)
      watcher.pass()
    }
    #expect(files.watches == 0)
    #expect(files.state.withLock { $0.nextWatch } < 30)
    watcher.remove(member)
  }

  @Test("40,000 changes that are not read overflow, and the file's state is reported")
  func overflow() throws {
    let place = try TemporaryDirectory()
    let path = try place.write([1, 2, 3], to: "f")
    let watcher = FileWatcher(kernel: try NotificationKernel())
    let file = try openFile(path, .readWrite)
    let other = try openFile(place.write([1], to: "other"))
    let changed = EventCollector()
    let unchanged = EventCollector()
    let members = [
      try watcher.add(file.rawValue, mask: .all, changed),
      try watcher.add(other.rawValue, mask: .all, unchanged),
    ]
    watcher.queue.suspend()
    for index in 0..<20_000 {
      try file.borrowed.setSize(Int64(index % 7))
      try file.borrowed.setPermissions(0o600)
    }
    let here = BorrowedDescriptor.workingDirectory
    try here.rename(BytePath(path), to: BytePath(place("g")), replacing: false)
    try here.link(BytePath(place("g")), in: here, as: BytePath(place("h")))
    try file.borrowed.setSize(1000)
    watcher.queue.resume()
    watcher.pass()
    #expect(changed.take() == [.write, .extend, .attrib, .link, .rename])
    #expect(unchanged.take() == [])
    try here.remove(BytePath(place("h")))
    try waitForReport(changed, watcher, [.delete, .link])
    for member in members { watcher.remove(member) }
  }

  private func waitForReport(
    _ collector: EventCollector,
    _ watcher: FileWatcher,
    _ events: EventSource.FileSystemEvent
  ) throws {
    // The report is in the kernel's queue when the change returns, but another pass may have it.
    watcher.pass()
    #expect(collector.take() == events)
  }

  @Test("A watch whose end is lost in an overflow is created anew, and others are kept")
  func lostEnd() throws {
    let files = SimulatedFiles(capacity: 2)
    let watcher = FileWatcher(kernel: files)
    files.open(3, file: 1)
    files.open(4, file: 2)
    let collector = EventCollector()
    let members = [
      try watcher.add(3, mask: .all, collector), try watcher.add(4, mask: .all, EventCollector()),
    ]
    for notice: FileNotices in [.modified, .attributes, .modified] { files.change(2, notice) }
    files.change(1, .attributes) { $0.links = 0 }
    files.endWatch(1)
    watcher.pass()
    #expect(collector.take() == [.delete, .link])
    files.change(1, .modified) { $0.size = 5 }
    watcher.pass()
    #expect(collector.take() == [.write, .extend])
    // Two watches, and one anew.
    #expect(files.state.withLock { $0.nextWatch } == 4)
    for member in members { watcher.remove(member) }
    #expect(files.watches == 0)
  }

  @Test(
    "Random changes are reported as the rules say, however many reports one read takes",
    arguments: [(1 << 20, 1 << 20), (1 << 20, 1), (6, 1 << 20)]
  )
  func random(capacity: Int, reportsInRead: Int) throws {
    var generator = SeededGenerator()
    for _ in 0..<Tier.count(quick: 300, full: 10_000) {
      var run = try RandomChanges(capacity: capacity, reportsInRead: reportsInRead, &generator)
      for _ in 0..<40 { try run.step(&generator) }
      run.finish()
    }
  }
}

/// Random changes of two files with random receivers, beside a model of what is reported.
private struct RandomChanges {
  typealias Events = EventSource.FileSystemEvent

  private struct Receiver {
    let file: UInt64
    let descriptor: Int32
    let mask: Events
    let member: WatchMember
    let collector: EventCollector
    /// The state of the file when the receiver was last examined.
    var last: FileStatus
    /// The changes since the last pass.
    var changes: Events = []
  }

  private let files: SimulatedFiles
  private let watcher: FileWatcher
  private var receivers: [Receiver] = []
  private var nextDescriptor: Int32 = 3
  private let capacity: Int
  private let reportsInRead: Int
  private var changesInPass = 0

  init(capacity: Int, reportsInRead: Int, _ generator: inout SeededGenerator) throws {
    self.capacity = capacity
    self.reportsInRead = reportsInRead
    files = SimulatedFiles(capacity: capacity, reportsInRead: reportsInRead)
    watcher = FileWatcher(kernel: files)
    for _ in 0..<3 { try addReceiver(&generator) }
  }

  private func status(_ file: UInt64) -> FileStatus? {
    files.state.withLock { $0.files[file]?.status }
  }

  private mutating func addReceiver(_ generator: inout SeededGenerator) throws {
    // The reports that wait are for others.
    pass()
    let file = UInt64(generator.number(in: 1..<3))
    files.open(nextDescriptor, file: file)
    guard let last = status(file) else { return }
    let mask = Events(rawValue: UInt(generator.number(in: 1..<128)))
    let collector = EventCollector()
    let member = try watcher.add(nextDescriptor, mask: mask, collector)
    receivers.append(
      Receiver(
        file: file,
        descriptor: nextDescriptor,
        mask: mask,
        member: member,
        collector: collector,
        last: last
      )
    )
    nextDescriptor += 1
  }

  mutating func step(_ generator: inout SeededGenerator) throws {
    let file = UInt64(generator.number(in: 1..<3))
    switch generator.number(in: 0..<10) {
    case 0: if receivers.count < 6 { try addReceiver(&generator) }
    case 1:
      if receivers.count > 1 {
        let index = generator.number(in: 0..<receivers.count)
        watcher.remove(receivers.remove(at: index).member)
      }
    case 2...4:
      let size = Int64(generator.number(in: 0..<100))
      files.change(file, .modified) { $0.size = size }
      note(file, .write)
    case 5:
      files.change(file, .attributes) { $0.links += 1 }
      note(file, .attrib)
    case 6:
      guard let links = status(file)?.links, links > 0 else { return }
      files.change(file, .attributes) { $0.links -= 1 }
      note(file, .attrib)
    case 7:
      files.change(file, .attributes) { $0.mode ^= 1 }
      note(file, .attrib)
    case 8:
      files.change(file, .selfMoved)
      note(file, .rename)
    default: pass()
    }
  }

  private mutating func note(_ file: UInt64, _ change: Events) {
    changesInPass += 1
    for index in receivers.indices where receivers[index].file == file {
      receivers[index].changes.formUnion(change)
    }
  }

  private mutating func pass() {
    for _ in 0..<100 {
      watcher.pass()
      if !files.hasReports { break }
    }
    let mayOverflow = changesInPass >= capacity
    changesInPass = 0
    for index in receivers.indices {
      let receiver = receivers[index]
      guard let now = status(receiver.file) else { continue }
      let reported = receiver.collector.take()
      if mayOverflow {
        checkOverflow(receiver, now, reported)
      } else {
        check(receiver, now, reported)
      }
      receivers[index].last = now
      receivers[index].changes = []
    }
  }

  private func check(_ receiver: Receiver, _ now: FileStatus, _ reported: Events) {
    let expected = expected(receiver, now).intersection(receiver.mask)
    if reportsInRead > 1 { return #expect(reported == expected) }
    // A report whose change was found by an examination before it counts as one of attributes.
    #expect(reported.isSuperset(of: expected))
    #expect(reported.subtracting(.attrib) == expected.subtracting(.attrib))
  }

  /// The events of the changes, if no report was lost.
  private func expected(_ receiver: Receiver, _ now: FileStatus) -> Events {
    var events = receiver.changes.intersection([.write, .rename])
    if receiver.changes.contains(.write), now.size > receiver.last.size { events.insert(.extend) }
    if receiver.changes.contains(.attrib) {
      if now.links < receiver.last.links {
        events.formUnion([.delete, .link])
      } else {
        events.insert(now.links > receiver.last.links ? .link : .attrib)
      }
      if now.mode != receiver.last.mode { events.insert(.attrib) }
    }
    return events
  }

  /// Size and number of names are right whatever was lost.
  private func checkOverflow(_ receiver: Receiver, _ now: FileStatus, _ reported: Events) {
    var least: Events = []
    if receiver.changes.contains(.write), now.size > receiver.last.size {
      least.formUnion([.write, .extend])
    }
    if now.links != receiver.last.links, receiver.changes.contains(.attrib) { least.insert(.link) }
    if now.links < receiver.last.links, receiver.changes.contains(.attrib) { least.insert(.delete) }
    #expect(reported.isSuperset(of: least.intersection(receiver.mask)))
    #expect(reported.isSubset(of: receiver.mask))
  }

  mutating func finish() {
    pass()
    for receiver in receivers { watcher.remove(receiver.member) }
    #expect(files.watches == 0)
  }
}
