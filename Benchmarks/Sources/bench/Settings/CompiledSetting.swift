import Foundation
import Measure

/// A number in the code, which others are held against.
struct CompiledNumber {
  /// What stands before it and its equals sign, once in the file.
  let name: String
  let file: String

  init(_ name: String, in file: String) {
    self.name = name
    self.file = file
  }
}

/// The package with another number in its code, built in a directory of its own.
final class CompiledSetting {
  /// What is built of it.
  enum Product: String {
    case bench
    case enginebench
    case fastcp
  }

  private let directory: String
  private let product: Product

  /// Copies the package that lies in the working directory, replaces a number and builds a program.
  init(_ number: CompiledNumber, _ value: String, building product: Product) throws {
    self.product = product
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
    try replace(number, by: value)
    let build = ["swift", "build", "--package-path", package, "-c", "release"]
    try run(build + ["--product", product.rawValue])
  }

  private func replace(_ number: CompiledNumber, by value: String) throws {
    let changed = URL(filePath: "\(directory)/\(number.file)")
    let pieces = try String(contentsOf: changed, encoding: .utf8).components(
      separatedBy: "\(number.name) = "
    )
    guard pieces.count == 2 else {
      throw CommandFailure(description: "\(number.file) has not one \(number.name)")
    }
    let rest = pieces[1].drop { !$0.isNewline }
    try "\(pieces[0])\(number.name) = \(value)\(rest)"
      .write(to: changed, atomically: true, encoding: .utf8)
  }

  private var package: String { product == .bench ? "\(directory)/Benchmarks" : directory }

  /// The directory of what was built.
  var programs: String { "\(package)/.build/release" }

  /// What our side of a row takes in this build of `bench`, in seconds.
  func measure(_ row: String, _ size: Size) throws -> Double {
    let options = size == .full ? [] : ["--\(size)"]
    return try number(printedBy: ["\(programs)/bench", "ours", row] + options)
  }

  /// What appends to buffers take in this build of `bench`, in seconds.
  func measure(_ appends: Appends) throws -> Double {
    try number(printedBy: ["\(programs)/bench", "appends"] + appends.arguments)
  }

  /// What writes to a peer take in this build of `bench`: seconds, and of processors.
  func measure(_ writes: PeerWrites) throws -> (seconds: Double, processors: Double) {
    let printed = try output(["\(programs)/bench", "peerwrites"] + writes.arguments)
    let numbers = printed.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
    guard numbers.count == 2 else {
      throw CommandFailure(description: "no two numbers: \(printed)")
    }
    return (numbers[0], numbers[1])
  }

  deinit { try? run("rm", "-rf", directory) }
}
