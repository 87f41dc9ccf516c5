import Foundation
import Measure

/// The cost of some work, as the program that did it prints it.
struct Cost: Decodable {
  /// Time.
  let seconds: Double
  /// Processor time of the whole process.
  let processor: Double
  /// The number of voluntary context switches, if the program prints it.
  var sleeps: Double?

  var timing: Timing {
    Timing(
      duration: .seconds(seconds),
      use: ProcessorUse(seconds: processor, sleeps: sleeps)
    )
  }

}

extension Cost {
  /// Runs a program that does the work and prints its cost as JSON.
  init(printedBy command: [String]) throws {
    self = try JSONDecoder().decode(Cost.self, from: Data(try output(command).utf8))
  }
}

/// The reads of one kind, which the engine, a bare loop and fio carry out alike.
struct Reads {
  let path: String
  var size = 4096
  var depth = 1
  let count: Int
  /// The part of the file that is read, from its start.
  let span: Int
  var isRandom = true
  var isDirect = false

  /// Measures the engine, through the program that has its interface. Pages are prepared before the
  /// clock starts.
  func engine(_ programs: String, _ more: String...) throws -> Cost {
    let arguments = [
      "\(programs)/enginebench", "ways=ring", "work=read", "size=\(size)",
      "depth=\(depth)", "count=\(count)", "span=\(span)",
      "order=\(isRandom ? "random" : "sequential")",
      "pages=\(isDirect ? "direct" : "cached")",
    ]
    return try Cost(printedBy: arguments + more + [path])
  }

  /// Measures a loop around liburing, a program beside this one.
  func bareLoop() throws -> Cost {
    try Cost(
      printedBy: [
        programBeside("bareuring"), path, "\(size)", "\(depth)", "\(count)", "\(span)",
        isRandom ? "random" : "sequential", isDirect ? "direct" : "cached",
      ]
    )
  }

  /// The output of fio about its one job.
  private struct FioOutput: Decodable {
    struct Job: Decodable {
      struct Side: Decodable {
        struct Latency: Decodable {
          /// Nanoseconds by percent.
          let percentile: [String: Double]?
        }
        // fio's names.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let io_bytes: Int
        let runtime: Double
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let clat_ns: Latency?
      }
      let read: Side
      let write: Side
      // swift-format-ignore: AlwaysUseLowerCamelCase
      let usr_cpu: Double
      // swift-format-ignore: AlwaysUseLowerCamelCase
      let sys_cpu: Double
    }
    let jobs: [Job]
  }

  /// Measures fio without tuning, as it reads or writes.
  func fio(_ engine: String = "io_uring", writes: Bool = false) throws -> Cost {
    let job = try fioJob(engine, writes: writes)
    let seconds = (writes ? job.write : job.read).runtime / 1000
    return Cost(seconds: seconds, processor: seconds * (job.usr_cpu + job.sys_cpu) / 100)
  }

  /// Takes the times of fio's single reads.
  func fioTail() throws -> Tail {
    let percentiles = try fioJob("io_uring", writes: false).read.clat_ns?.percentile
    guard let p99 = percentiles?["99.000000"], let p999 = percentiles?["99.900000"] else {
      throw CommandFailure(description: "fio printed no percentiles")
    }
    return Tail(p99: p99 / 1000, p999: p999 / 1000)
  }

  private func fioJob(_ engine: String, writes: Bool) throws -> FioOutput.Job {
    // Reads may come to a place again, as the others' do; writes go to each place once.
    let order = writes ? [] : ["--norandommap"]
    let command = [
      "fio", "--name=work", "--filename=\(path)", "--ioengine=\(engine)",
      "--rw=\(isRandom ? "rand" : "")\(writes ? "write" : "read")", "--overwrite=1", "--bs=\(size)",
      "--iodepth=\(depth)",
      "--direct=\(isDirect ? 1 : 0)", "--invalidate=0", "--size=\(span)",
      "--io_size=\(count * size)", "--output-format=json",
    ]
    let text = try output(command + order)
    let printed = try JSONDecoder().decode(FioOutput.self, from: Data(text.utf8))
    guard let job = printed.jobs.first,
      case let side = writes ? job.write : job.read, side.io_bytes == count * size
    else { throw CommandFailure(description: "fio did something else: \(text)") }
    return job
  }

  /// Voids a row whose other tool is slower here by more than a tenth than fio, which vouches for
  /// it.
  func check(
    _ rival: String,
    beside engine: String,
    writes: Bool = false,
    _ loop: () throws -> Double
  ) throws {
    guard (try? run("fio", "--version")) != nil else {
      throw Skipped("void: fio is not installed, and nothing else vouches for \(rival)")
    }
    var pairs: [(loop: Double, fio: Double)] = []
    for round in 0..<3 {
      let first = round % 2 == 0 ? try loop() : 0
      let fio = try fio(engine, writes: writes).seconds
      pairs.append((round % 2 == 0 ? first : try loop(), fio))
    }
    let (seconds, fio) = (median(pairs.map(\.loop)), median(pairs.map(\.fio)))
    guard seconds <= 1.1 * fio else {
      let figures = [seconds, fio].map { String(format: "%.3f s", $0) }
      throw Skipped("void: \(rival) took \(figures[0]), fio \(figures[1])")
    }
  }
}

extension Reads {
  /// Reads of 4 KiB all over a cached file.
  init(allOver file: CachedFile, depth: Int = 64, count: Int) {
    self.init(path: file.path, depth: depth, count: count, span: file.byteCount)
  }
}
