import Foundation
import Measure

/// B1: a cached file, read as a stream with default marks.
enum StreamRead {
  static let besideDispatch = row(
    id: "B1.dispatch",
    rival: "DispatchIO, default marks",
    goal: 8,
    theirs: DispatchRead.stream
  )

  static let besidePlainReads = row(
    id: "B1.pread",
    rival: "pread, sixteen 1 MiB buffers",
    goal: 0.65,
    theirs: PlainRead.stream
  )

  private static func row(
    id: String,
    rival: String,
    goal: Double,
    theirs: @escaping @Sendable (String, Int) throws -> Duration
  ) -> Row {
    Row(id: id, work: "stream read of a cached file on ext4", rival: rival, goal: goal) { size in
      let file = try CachedFile(megabytes: size == .quick ? 256 : 1024)
      return Sides(
        ours: { try ChannelRead.stream(path: file.path, expecting: file.byteCount) },
        theirs: { try theirs(file.path, file.byteCount) }
      )
    }
  }
}
