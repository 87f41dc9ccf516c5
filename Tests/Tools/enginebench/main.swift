// Drives the request engine, or a channel, with one kind of request and prints what it cost.
//
//   enginebench [name=value]... FILE
//
// One line of JSON for each round and way, of reads of a channel a single one. Work.swift tells the
// names. The processor time is that of the whole process, with the kernel's worker threads for it.

import Glibc
import IOChannelsEngine
import IOChannelsSystem

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
  let start = Usage()
  let calls = try reads.run()
  let fields = start.sinceThen + ["\"calls\":\(calls)"]
  print("{\(fields.joined(separator: ","))}")
}

private func round(_ work: Work, _ way: RoutingPreference, on engine: Engine) throws {
  let file = try BenchFile(for: work)
  let resident = Usage.residentBytes
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
  let start = Usage()
  try driver.run()
  let used = start.sinceThen
  let table = RoutingTable.route(
    work.operation == .read ? .read : .write,
    length: work.size,
    traits: file.traits,
    isAlone: work.depth == 1
  )
  var fields =
    used + [
      "\"way\":\"\(way.rawValue)\"", "\"work\":\"\(work.operation.rawValue)\"",
      "\"pages\":\"\(work.pages.rawValue)\"", "\"size\":\(work.size)", "\"depth\":\(work.depth)",
      "\"requests\":\(work.count)", "\"bytes\":\(work.count * work.size)",
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
    work.width > 0 ? BlockingPool(name: "io", width: work.width, maximum: 64) : .transfers
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
