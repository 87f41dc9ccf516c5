import Foundation
import Measure

/// B1: a cached file, read as a stream.
enum StreamRead {
  private static let work = "stream read of a cached file on ext4, default marks"

  static let rows = [
    row("B1.dispatch", rival: "DispatchIO, default marks", goal: 8, DispatchRead.stream),
    row("B1.pread", rival: "pread over sixteen 1 MiB buffers", goal: 0.65, PlainRead.stream),
  ]

  private static func row(
    _ id: String,
    rival: String,
    goal: Double,
    _ theirs: @escaping @Sendable (_ path: String, _ count: Int) throws -> Timing
  ) -> Row {
    Row(id: id, work: work, rival: rival, goal: goal) { size in
      let file = try CachedFile.shared(megabytes: size.count(quick: 256, full: 1024))
      if id == "B1.pread" { try PlainRead.check(path: file.path, count: file.byteCount) }
      return Sides(
        ours: { try ChannelRead.stream(path: file.path, expecting: file.byteCount) },
        theirs: { try theirs(file.path, file.byteCount) }
      )
    }
  }
}
