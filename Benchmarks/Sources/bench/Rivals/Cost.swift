import Foundation

/// What a piece of work took, as the programs print it that do it.
struct Cost: Decodable {
  /// Time.
  let seconds: Double
  /// Processor time of the whole process.
  let processor: Double
}

/// Reads of one kind, which the engine, a bare loop and fio carry out alike.
struct Reads {
  let path: String
  let size: Int
  let depth: Int
  let count: Int
  /// The part of the file that is read, from its start.
  let span: Int
  let isRandom: Bool
  let isDirect: Bool

  /// The engine, through the program that has its interface; pages are prepared before the clock.
  func engine(_ programs: String, _ more: String...) throws -> Cost {
    let arguments = [
      "ways=ring", "work=read", "size=\(size)", "depth=\(depth)", "count=\(count)",
      "span=\(span)", "order=\(isRandom ? "random" : "sequential")",
      "pages=\(isDirect ? "direct" : "cached")",
    ]
    return try decoded(output(["\(programs)/enginebench"] + arguments + more + [path]))
  }

  /// A loop around liburing, a program beside this one.
  func bareLoop() throws -> Cost {
    try decoded(
      output([
        programBeside("bareuring"), path, "\(size)", "\(depth)", "\(count)", "\(span)",
        isRandom ? "random" : "sequential", isDirect ? "direct" : "cached",
      ])
    )
  }

  /// fio on io_uring, as it is without tuning.
  func fio() throws -> Cost {
    struct Printed: Decodable {
      struct Job: Decodable {
        struct Read: Decodable {
          // fio's names.
          // swift-format-ignore: AlwaysUseLowerCamelCase
          let io_bytes: Int
          let runtime: Double
        }
        let read: Read
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let usr_cpu: Double
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let sys_cpu: Double
      }
      let jobs: [Job]
    }
    let text = try output([
      "fio", "--name=reads", "--filename=\(path)", "--ioengine=io_uring",
      "--rw=\(isRandom ? "randread" : "read")", "--bs=\(size)", "--iodepth=\(depth)",
      "--direct=\(isDirect ? 1 : 0)", "--invalidate=0", "--norandommap", "--size=\(span)",
      "--io_size=\(count * size)", "--output-format=json",
    ])
    let printed = try JSONDecoder().decode(Printed.self, from: Data(text.utf8))
    guard let job = printed.jobs.first, job.read.io_bytes == count * size else {
      throw CommandFailure(description: "fio did something else: \(text)")
    }
    let seconds = job.read.runtime / 1000
    return Cost(seconds: seconds, processor: seconds * (job.usr_cpu + job.sys_cpu) / 100)
  }

  private func decoded(_ text: String) throws -> Cost {
    try JSONDecoder().decode(Cost.self, from: Data(text.utf8))
  }
}
