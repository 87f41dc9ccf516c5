// Drives the request engine, or a channel, with one kind of request and prints what it cost.
//
//   enginebench [name=value]... FILE
//
// One line of JSON for each round and way, of reads of a channel a single one. Work.swift tells the
// names. The processor time is that of the whole process, with the kernel's worker threads for it.

import Glibc
import RequestEngine
import SystemCalls

/// What this process has used up.
enum Process {
  static var processorSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

  static var residentBytes: Int {
    var text = [UInt8](repeating: 0, count: 256)
    guard let file = try? BorrowedDescriptor.workingDirectory.open("/proc/self/statm", .readOnly),
      let read = try? file.borrowed.read(into: &text)
    else { return 0 }
    let fields = text.prefix(read).split(separator: UInt8(ascii: " "))
    let pages = fields.dropFirst().first.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    return pages * 4096
  }
}

/// Reads of a channel, made at once or the way that the engine chooses.
private func channelRound(_ work: Work, atOnce: Int) throws {
  let file = try BenchFile(for: work)
  let engine = Engine(setting: nil, sizes: TransferSizes(atOnce: atOnce))
  var first = work
  first.count = min(work.count, max(64, work.depth))
  try file.prepare()
  _ = try ChannelReads(first, engine: engine, file: file.borrowed).run()
  try file.prepare()
  let reads = ChannelReads(work, engine: engine, file: file.borrowed)
  let start = (KernelClock.uptime.nanoseconds, Process.processorSeconds)
  let calls = try reads.run()
  let seconds = Double(KernelClock.uptime.nanoseconds - start.0) / 1e9
  let processor = Process.processorSeconds - start.1
  print("{\"seconds\":\(seconds),\"processor\":\(processor),\"calls\":\(calls)}")
}

private func round(_ work: Work, _ way: RoutingPreference, on engine: Engine) throws {
  let file = try BenchFile(for: work)
  let resident = Process.residentBytes
  let transfers = try Transfers.make(for: work)
  // What a way makes at its first use, threads above all, and pages of buffers that nobody has
  // touched yet are not part of a request's cost.
  var first = work
  first.depth = min(work.depth, 64)
  first.count = min(work.count, max(64, transfers.count))
  try file.prepare()
  try Driver(first, engine: engine, file: file, transfers: transfers).run()
  try file.prepare()
  let driver = Driver(work, engine: engine, file: file, transfers: transfers)
  let start = (KernelClock.uptime.nanoseconds, Process.processorSeconds)
  try driver.run()
  let seconds = Double(KernelClock.uptime.nanoseconds - start.0) / 1e9
  let processor = Process.processorSeconds - start.1
  let table = RoutingTable.route(
    work.operation == .read ? .read : .write,
    length: work.size,
    traits: file.traits
  )
  var fields = [
    "\"way\":\"\(way.rawValue)\"", "\"work\":\"\(work.operation.rawValue)\"",
    "\"pages\":\"\(work.pages.rawValue)\"", "\"size\":\(work.size)", "\"depth\":\(work.depth)",
    "\"requests\":\(work.count)", "\"bytes\":\(work.count * work.size)",
    "\"seconds\":\(seconds)", "\"processor\":\(processor)",
    "\"table\":\"\(table == .ring ? "ring" : "pool")\"",
  ]
  if work.measuresMemory {
    let buffers = transfers.count * max(work.size, 4096)
    let bytes = driver.residentHalfway - resident - buffers
    fields.append("\"bytesPerRequest\":\(Double(bytes) / Double(work.depth))")
  }
  print("{\(fields.joined(separator: ","))}")
}

/// Does what the arguments say.
private func bench(_ arguments: some Sequence<String>) throws {
  let work = try Work(arguments)
  if let atOnce = work.atOnce { return try channelRound(work, atOnce: atOnce) }
  let pool =
    work.width > 0 ? BlockingPool(lane: "io", width: work.width, maximum: 64) : .transfers
  let engines = work.ways.map { ($0, Engine(setting: nil, routing: $0, pool: pool)) }
  if let engine = engines.first?.1, !engine.choice.usesRing {
    throw BenchFailure("no ring: \(engine.choice.reason)")
  }
  for _ in 0..<work.rounds {
    for (way, engine) in engines { try round(work, way, on: engine) }
  }
}

do {
  try bench(CommandLine.arguments.dropFirst())
} catch {
  print("enginebench: \(error)")
  exit(1)
}
