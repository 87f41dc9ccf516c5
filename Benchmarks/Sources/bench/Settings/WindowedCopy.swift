import Foundation
import IOChannels
import Measure

/// Copies a file through two channels, with so many pieces under way at a time.
struct WindowedCopy {
  let depth: Int
  let pieceLength: Int

  /// Copies and tells the time from before the files are opened until they are closed.
  func time(from source: String, to copy: String) throws -> Timing {
    let length = try length(of: source)
    return try Timing.of { try self.copy(length, from: source, to: copy) }.1
  }

  private func copy(_ length: Int, from source: String, to copy: String) throws {
    try waitForTask {
      try await IOChannel.withOpen(FilePath(source)) { input in
        try await IOChannel.withOpen(FilePath(copy), [.writeOnly, .create]) { output in
          try await withThrowingTaskGroup { group in
            for first in 0..<depth {
              group.addTask {
                try await copyPieces(from: first * pieceLength, to: length, input, output)
              }
            }
            try await group.waitForAll()
          }
        }
      }
    }
  }

  /// Copies every so-manieth piece, one after the other.
  private func copyPieces(
    from start: Int,
    to length: Int,
    _ input: IOChannel,
    _ output: IOChannel
  ) async throws {
    for offset in stride(from: start, to: length, by: depth * pieceLength) {
      let data = try await input.read(
        length: min(pieceLength, length - offset),
        at: Int64(offset)
      )
      try await output.write(data, at: Int64(offset))
    }
  }

  private func length(of path: String) throws -> Int {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw CommandFailure(description: "\(path): error \(errno)")
    }
    return Int(status.st_size)
  }
}
