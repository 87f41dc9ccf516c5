import Foundation
import Measure

/// B1: a cached file, read as a stream.
enum StreamRead {
  /// How far the two rivals are apart: the channel has to come between the floor and Dispatch.
  static let rivals = Row(
    id: "B1.rivals",
    work: "stream read of a cached file on ext4, pread over sixteen 1 MiB buffers",
    rival: "DispatchIO, default marks",
    goal: 8
  ) { size in
    let file = try CachedFile(megabytes: size == .quick ? 256 : 1024)
    return Sides(
      ours: { try PlainRead.stream(path: file.path, expecting: file.byteCount) },
      theirs: { try DispatchRead.stream(path: file.path, expecting: file.byteCount) }
    )
  }
}
