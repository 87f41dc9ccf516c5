import Foundation
import Measure

/// B17 to B20: what a copy takes beside time, and what a copy of nearly nothing takes.
enum CopyCosts {
  static func rows(_ programs: Programs) -> [Row] {
    [
      calls(programs, "-r", bound: 9), calls(programs, "-a", bound: 11),
      callsBesideCopier(programs, "-r"), callsBesideCopier(programs, "-a"),
      memory("B18.tree", "the tree of B13", programs, bound: 10) { size in
        programs.tree(files: size.count(smoke: 200, quick: 3_000, full: 50_000))
      },
      memory("B18.million", "1,000,000 files (quick: 20,000)", programs, bound: 8) { size in
        let files = size.count(smoke: 200, quick: 20_000, full: 1_000_000)
        var scene = programs.tree(files: files, ["--size", "0", "--spread", "1000"])
        // It makes room for inodes as they are needed.
        scene.kind = "xfs"
        scene.gigabytes = 8
        return scene
      },
      start(programs, "B19", []),
      start(programs, "B19.archive", ["-a"]),
      startInstructions(programs),
      fileInstructions(programs, "-r", bound: 4_700),
      fileInstructions(programs, "-a", bound: 5_500),
      programSize(programs),
    ]
  }

  /// Creates a row of the calls that one more file takes (B17).
  private static func calls(_ programs: Programs, _ option: String, bound: Int) -> Row {
    callsRow(programs, option, "B17.\(option.dropFirst())", rival: "\(bound) calls") { _ in
      Double(bound)
    }
  }

  /// Creates a row of these calls beside those of the other tool for the same file (B17).
  private static func callsBesideCopier(_ programs: Programs, _ option: String) -> Row {
    let id = "B17.\(option.dropFirst())-cp"
    return callsRow(programs, option, id, rival: "cp \(option)") { count in
      try count(.cp([option]))
    }
  }

  private static func callsRow(
    _ programs: Programs,
    _ option: String,
    _ id: String,
    rival: String,
    _ theirs: @escaping @Sendable (_ count: (Copier) throws -> Double) throws -> Double
  ) -> Row {
    Row(
      id: id,
      work: "system calls of fastcp \(option) for a file of 1 KiB",
      rival: rival,
      goal: 1,
      unit: "calls",
      variation: .none
    ) { _ in
      try need("strace")
      func count(_ copier: Copier) throws -> Double {
        try callsOfOneFile(copier, programs, describesCopy: option == "-a")
      }
      return Sides(
        // Tracing stretches the time in which the copier observes the processors.
        ours: { try count(.fastcp([option, "--jobs=2"])) },
        theirs: { try theirs(count) }
      )
    }
  }

  /// Returns the calls that one more file adds, from trees of two sizes.
  private static func callsOfOneFile(
    _ copier: Copier,
    _ programs: Programs,
    describesCopy: Bool
  ) throws -> Double {
    func calls(files: Int) throws -> Int {
      var scene = programs.tree(files: files, ["--size", "1024", "--spread", "1000000"])
      scene.describesCopy = describesCopy
      return try scene.measure { source, copy in
        try countCalls(copier.command(from: source, to: copy, programs: programs.directory))
      }
    }
    // Beside the files' own there is one for many names that are read, now and then.
    return (Double(try calls(files: 900) - calls(files: 400)) / 50).rounded() / 10
  }

  private static func countCalls(_ command: [String]) throws -> Int {
    let table = try output(
      ["strace", "-f", "-qq", "-c", "-U", "calls,name", "-o", "/dev/stdout"] + command
    )
    let total = table.split(separator: "\n").last { $0.hasSuffix("total") }
    guard let count = total?.split(separator: " ").first.flatMap({ Int($0) }) else {
      throw CommandFailure(description: "strace printed no total: \(table)")
    }
    return count
  }

  /// Creates a row of the memory of a copy (B18).
  private static func memory(
    _ id: String,
    _ what: String,
    _ programs: Programs,
    bound: Int,
    _ scene: @escaping @Sendable (Size) -> Scene
  ) -> Row {
    Row(
      bound: bound,
      unit: "MiB",
      id: id,
      work: "most memory of fastcp -a with \(what)"
    ) { size in
      try scene(size).measure { source, copy in
        let command = Copier.fastcp(["-a"])
          .command(from: source, to: copy, programs: programs.directory)
        return try number(printedBy: [programBeside("peak")] + command) / 1024
      }
    }
  }

  /// Creates a row of the start (B19).
  private static func start(_ programs: Programs, _ id: String, _ options: [String]) -> Row {
    let option = options.map { " " + $0 }.joined()
    return Row(
      id: id,
      work: "fastcp\(option) of one file of 1 KiB, the mean of 200 runs (quick: 50)",
      rival: "cp\(option)",
      goal: 0.9
    ) { size in
      let runs = size.count(smoke: 2, quick: 50, full: 200)
      let system = try FreshFileSystem(gigabytes: 1)
      let source = "\(system.path)/source"
      try Data(repeating: 7, count: 1024).write(to: URL(filePath: source))
      var made = 0
      func mean(_ copier: Copier) throws -> Timing {
        let timings = try (0..<runs).map { _ in
          made += 1
          let copy = "\(system.path)/copy\(made)"
          let timing = try time(
            copier.command(from: source, to: copy, programs: programs.directory)
          )
          try run("cmp", source, copy)
          return timing
        }
        return Timing.mean(timings)
      }
      return Sides(ours: { try mean(.fastcp(options)) }, theirs: { try mean(.cp(options)) })
    }
  }

  /// Creates the row of the instructions of a start, without those of the system's loader (B19).
  private static func startInstructions(_ programs: Programs) -> Row {
    Row(
      bound: 1_200_000,
      unit: "instructions",
      id: "B19.instructions",
      work: "user instructions of fastcp -a of one file of 1 KiB"
    ) { _ in
      let system = try FreshFileSystem(gigabytes: 1)
      let (source, copy) = ("\(system.path)/source", "\(system.path)/copy")
      try Data(repeating: 7, count: 1024).write(to: URL(filePath: source))
      let command = Copier.fastcp(["-a"])
        .command(from: source, to: copy, programs: programs.directory)
      return Double(try countInstructions(command))
    }
  }

  /// Creates a row of the instructions that one more file takes (B17).
  private static func fileInstructions(
    _ programs: Programs,
    _ option: String,
    bound: Int
  ) -> Row {
    Row(
      bound: bound,
      unit: "instructions",
      id: "B17.instructions\(option)",
      work: "user instructions of fastcp \(option) --jobs=1 for a file of 1 KiB"
    ) { _ in
      func instructions(files: Int) throws -> Int {
        var scene = programs.tree(files: files, ["--size", "1024", "--spread", "1000000"])
        scene.describesCopy = option == "-a"
        return try scene.measure { source, copy in
          try countInstructions(
            Copier.fastcp([option, "--jobs=1"])
              .command(from: source, to: copy, programs: programs.directory)
          )
        }
      }
      return Double(try instructions(files: 1200) - instructions(files: 400)) / 800
    }
  }

  /// Returns the user instructions of a program from the start of its main function.
  private static func countInstructions(_ command: [String]) throws -> Int {
    try need("valgrind")
    // valgrind does not read the debugging symbols of the compiler.
    let program = try output("mktemp").trimmingCharacters(in: .newlines)
    defer { try? run("rm", "-f", program) }
    try run("strip", "-g", "-o", program, command[0])
    let text = try output(
      ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-fd=1"]
        + ["--toggle-collect=fastcp_main", program] + command.dropFirst()
    )
    let line = text.split(separator: "\n").last { $0.contains("Collected : ") }
    guard let count = line?.split(separator: " ").last.flatMap({ Int($0) }), count > 0 else {
      throw CommandFailure(description: "valgrind printed no count: \(text)")
    }
    return count
  }

  /// Creates the row of the size of the program (B20).
  private static func programSize(_ programs: Programs) -> Row {
    Row(
      bound: 13,
      unit: "MB",
      id: "B20",
      work: "size of fastcp with the Swift library in it, without symbols"
    ) { _ in
      let program = "\(programs.directory)/fastcp"
      if try output("readelf", "-d", program).contains("libswiftCore") {
        throw Skipped("\(program) looks for the Swift library when it starts")
      }
      let stripped = try output("mktemp").trimmingCharacters(in: .newlines)
      defer { try? run("rm", "-f", stripped) }
      try run("strip", "-o", stripped, program)
      let size = try output("stat", "-c", "%s", stripped).trimmingCharacters(in: .newlines)
      return (Double(size) ?? .infinity) / 1e6
    }
  }
}
