import Foundation
import Measure

/// B1: a cached file, read as a stream.
enum StreamRead {
  private static let loop = "pread over sixteen 1 MiB buffers"

  static let rows = [
    row("B1.dispatch", rival: "DispatchIO, default marks", goal: 8, DispatchRead.stream),
    row("B1.pread", rival: loop, goal: 0.95, isLoop: true, PlainRead.stream),
    row("B1.xfs", on: "xfs", rival: loop, goal: 0.95, isLoop: true, PlainRead.stream),
  ]

  private static func row(
    _ id: String,
    on kind: String = "ext4",
    rival: String,
    goal: Double,
    isLoop: Bool = false,
    _ theirs: @escaping @Sendable (_ path: String, _ count: Int) throws -> Timing
  ) -> Row {
    Row(
      id: id,
      work: "stream read of 1 GiB (quick: 256 MiB), cached on \(kind), default marks",
      rival: rival,
      goal: goal
    ) { size in
      let megabytes = size.count(quick: 256, full: 1024)
      let file = try CachedFile.shared(megabytes: megabytes, on: kind)
      if isLoop { try PlainRead.check(path: file.path, count: file.byteCount) }
      return Sides(
        ours: { try ChannelRead.stream(path: file.path, expecting: file.byteCount) },
        theirs: { try theirs(file.path, file.byteCount) }
      )
    }
  }
}
