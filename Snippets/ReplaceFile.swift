// Replaces a file atomically: a crash leaves either the old or the new contents.

import Glibc
import IOChannels

let path = BytePath("\(CommandLine.arguments[0]).settings")
let header = DataBuffer("# saved by an example\n".utf8)
let body = DataBuffer("colour = green\n".utf8)
do {
  try await DurableFile.replace(at: path, with: DataBuffer("colour = blue\n".utf8))
  try await DurableFile.replace(at: path) { file in
    try await file.write(header)
    try await file.write(body)
  }
  let saved = try await IOChannel.withOpen(path) { try await $0.readAll() }
  for line in saved.lines { print(String(decoding: line, as: UTF8.self)) }
} catch {
  try? await IOChannel.standardError.write(DataBuffer("save: \(error)\n".utf8))
  exit(1)
}

// snippet.hide
// # saved by an example
// colour = green
