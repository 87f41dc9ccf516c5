import Measure

/// The options of the harness.
struct Options {
  var size = Size.full
  var programs = ".build/release"
  var results: String?
  /// A page with a table of the results.
  var page: String?
  /// A directory on a disk.
  var disk = "/var/tmp"
  var seed: UInt64 = 20_240_601
  var wanted: [String] = []
  /// Whether rows join those that the results have.
  var resumes = false

  init(_ arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--quick": size = .quick
      case "--smoke": size = .smoke
      case "--resume": resumes = true
      case "--programs": programs = rest.next() ?? programs
      case "--disk": disk = rest.next() ?? disk
      case "--results": results = rest.next()
      case "--page": page = rest.next()
      case "--seed": seed = rest.next().flatMap { UInt64($0) } ?? seed
      case _ where argument.hasPrefix("-"):
        throw CommandFailure(description: "not understood: \(argument)")
      default: wanted.append(argument)
      }
    }
  }

  /// The programs that measure the copier.
  var tools: Programs { Programs(directory: programs, seed: seed, disk: disk) }

  var rows: [Row] {
    let direct = DirectReads(programs: programs, disk: disk).rows + RangeReads(disk: disk).rows
    let reads = RandomRead.rows + EngineReads.rows(programs: programs) + direct
    let queues = Queues.rows + Timers.rows + EventSourceRows.rows + Buffers.rows + Outstanding.rows
    let whole = SmallFiles.rows + LineSplitting.rows
    let transfers = StreamWrite.rows + TaskRead.rows + PipeRelay.rows + whole
    // The last ones, as they have all memory in use from then on.
    let copies =
      ChannelCopy.rows + TreeCopy.rows(tools) + FileCopies.rows(tools) + ShapeCopies.rows(tools)
      + RepeatedCopies.rows(tools) + SeededWorkTree.rows(tools) + PacedCopy.rows(tools)
      + DestinationCopies.rows(tools)
    return StreamRead.rows + reads + transfers + queues + copies + CopyCosts.rows(tools)
  }
}
