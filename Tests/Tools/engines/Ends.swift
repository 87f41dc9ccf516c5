import CIOChannelsTestSupport
import Glibc
import QueueRuntime
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport

/// What of the process's an engine may leave behind.
private struct Belongings: Equatable {
  var descriptors = 0
  /// Those with names of their own: sanitizers have one with the name of the program.
  var threads = 0
  var ringMappings = 0
  var mappings = 0

  init() throws {
    descriptors = try names(in: "/proc/self/fd").count
    threads = try namedThreadCount()
    let lines = try text(of: "/proc/self/maps").split(separator: "\n")
    mappings = lines.count
    ringMappings = lines.count { $0.contains("io_uring") }
  }
}

/// Engines that nothing refers to any more leave nothing behind.
func end(_ file: BorrowedDescriptor) throws {
  for setting in ["uring", "threads"] {
    // The first ones fill what the C library keeps for threads to come.
    for _ in 0..<20 { try useAndEnd(setting, file) }
    var before = try Belongings()
    try wait {
      before = try Belongings(); return before.threads == 0
    }
    check(before.ringMappings == 0)
    for _ in 0..<100 { try useAndEnd(setting, file) }
    var after = before
    try wait {
      // A thread that has just been started has no name yet.
      after = try Belongings()
      return after.threads == 0 && after.descriptors <= before.descriptors
    }
    check(after.ringMappings == 0)
    // The C library may keep a few more stacks and arenas; what an engine left would be a hundred.
    check(after.mappings < before.mappings + 50)
  }
}

private func useAndEnd(_ setting: String, _ file: BorrowedDescriptor) throws {
  let pool = BlockingPool(name: "own", width: 2)
  let engine = Engine(setting: setting, routing: .ring, pool: pool)
  check(engine.choice.usesRing == (setting == "uring"))
  let caller = Caller()
  check(caller.byte(at: 7, of: file, by: engine) == 7)
  let ends = ct_pipe()
  let reading = OwnedDescriptor(owning: ends.reading)
  let writing = OwnedDescriptor(owning: ends.writing)
  let waiting = (0..<3).map { _ in Caller() }
  let traits = DescriptorTraits(kind: .pollable, fileSystem: .other)
  let requests = waiting.map { caller in
    guard let buffer = BufferPool.shared.makeBuffer(atLeast: 1) else { stop(saying: "no memory") }
    return caller.submit(.read(buffer, 0..<1), of: reading.borrowed, traits: traits, to: engine)
  }
  for request in requests { engine.cancel(request) }
  for caller in waiting { check(caller.answer() == .failure(.canceled)) }
  _ = writing.rawValue
}

/// Looks again and again, for threads take a moment to end, at most ten seconds.
private func wait(until condition: () throws -> Bool) throws {
  let end = Deadline.now() + .seconds(10)
  while try !condition() {
    check(Deadline.now() < end)
    sched_yield()
  }
}

/// Whether there are mappings of rings, and none that a child would get.
func childrenGetNoRing() throws -> Bool {
  let lines = try text(of: "/proc/self/smaps").split(separator: "\n")
  var isRing = false
  var flags: [Substring] = []
  for line in lines {
    if line.contains("-") && line.contains(":") && line.contains(" r") {
      isRing = line.contains("io_uring")
    }
    if isRing && line.starts(with: "VmFlags:") { flags.append(line) }
  }
  return !flags.isEmpty && flags.allSatisfy { $0.contains(" dc") }
}

private func names(in path: String) throws -> [String] {
  let directory = try BorrowedDescriptor.workingDirectory.open(BytePath(path), .directory)
  var reader = DirectoryReader()
  var entries: [DirectoryEntry] = []
  while try reader.read(directory.borrowed, into: &entries) != nil {}
  return entries.map { String(decoding: $0.name.bytes, as: UTF8.self) }
}

private func text(of path: String) throws -> String {
  let file = try BorrowedDescriptor.workingDirectory.open(BytePath(path), .readOnly)
  var text: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = try file.borrowed.read(into: &piece), count > 0 {
    text += piece[..<count]
  }
  return String(decoding: text, as: UTF8.self)
}
