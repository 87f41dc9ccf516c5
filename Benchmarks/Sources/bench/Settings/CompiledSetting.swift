import Foundation
import Measure

/// The package with another number in its code, built in a directory of its own.
final class CompiledSetting {
  private let directory: String

  /// Copies the package that lies in the working directory and replaces a number that follows
  /// `name =` once in a file of it.
  init(_ name: String, in file: String, _ value: Int) throws {
    directory = try output("mktemp", "-d", "/var/tmp/iochannels-setting.XXXXXXXX")
      .trimmingCharacters(in: .newlines)
    let parts = ["Package.swift", "Sources", "Tests", "Snippets"]
    guard parts.allSatisfy(FileManager.default.fileExists) else {
      throw CommandFailure(description: "the package is not in the working directory")
    }
    try run(["cp", "-a"] + parts + [directory])
    try run("mkdir", "\(directory)/Benchmarks")
    try run(
      "cp",
      "-a",
      "Benchmarks/Package.swift",
      "Benchmarks/Sources",
      "\(directory)/Benchmarks"
    )
    let changed = URL(filePath: "\(directory)/\(file)")
    let pieces = try String(contentsOf: changed, encoding: .utf8).components(
      separatedBy: "\(name) = "
    )
    guard pieces.count == 2 else {
      throw CommandFailure(description: "\(file) has not one \(name)")
    }
    let rest = pieces[1].drop { !$0.isNewline }
    try "\(pieces[0])\(name) = \(value)\(rest)"
      .write(to: changed, atomically: true, encoding: .utf8)
    let package = "\(directory)/Benchmarks"
    try run("swift", "build", "--package-path", package, "-c", "release", "--product", "bench")
  }

  /// What our side of a row takes in this build, in seconds.
  func measure(_ row: String, _ size: Size) throws -> Double {
    let program = "\(directory)/Benchmarks/.build/release/bench"
    let printed = try output([program, "ours", row] + (size == .full ? [] : ["--\(size)"]))
    guard let number = Double(printed.trimmingCharacters(in: .newlines)) else {
      throw CommandFailure(description: "\(row) printed \(printed)")
    }
    return number
  }

  deinit { try? run("rm", "-rf", directory) }
}
