import Measure

/// Settings of writes to pipes and sockets.
extension SettingsExperiment {
  /// `TransferSizes.writeAtOnce`: up to which length whoever begins a write to a peer tries it.
  func writesAtOnce() throws -> SettingsTable {
    var table = SettingsTable(
      "Writes at once",
      unit: "µs a write",
      settings: values(64 << 10, 0, 4 << 10),
      text: """
        Writes of a channel to a pipe or socket from which a thread reads, so many in flight, the
        next one when a handler is called: the time, and what all threads take of the processors,
        the reading one too. Up to 64 KiB are tried by the thread that begins the write, before they
        go to the ring (`TransferSizes.writeAtOnce`).
        """
    )
    let number = CompiledNumber(
      "writeAtOnce: Int",
      in: "Sources/RequestEngine/TransferSizes.swift"
    )
    let builds = try builds(of: .bench, with: number, for: table)
    for usesSockets in [false, true] {
      for length in [64, 1 << 10, 4 << 10, 16 << 10, 64 << 10] {
        for inFlight in [1, 16] {
          let count = size.count(smoke: 64, quick: 20_000, full: 100_000)
          let writes = PeerWrites(
            usesSockets: usesSockets,
            length: length,
            inFlight: inFlight,
            count: count
          )
          let work = "\(usesSockets ? "socket" : "pipe"), \(length) bytes, \(inFlight) in flight"
          for isOfProcessors in [false, true] {
            let name = work + (isOfProcessors ? ", processors" : "")
            try table.measure(name, rounds: 3 * rounds) { setting in
              let cost = try builds[setting].measure(writes)
              return (isOfProcessors ? cost.processors : cost.seconds) * 1e6 / Double(count)
            }
            say(table)
          }
        }
      }
    }
    return table
  }
}
