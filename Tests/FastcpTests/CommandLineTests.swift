import FileCopy
import IOChannelsSystem
import Testing

@testable import fastcp

/// Arguments are taken apart by the rules of the GNU tools.
@Suite("Command line")
struct CommandLineTests {
  private func parse(_ words: [String], stopsAtOperand: Bool = false) throws -> ParsedArguments {
    let parsed = ArgumentParser(stopsAtOperand: stopsAtOperand).parse(words.map { BytePath($0) })
    if let error = parsed.error { throw error }
    return parsed
  }

  private func kinds(_ words: [String]) throws -> [OptionKind] {
    try parse(words).options.map(\.kind)
  }

  @Test("Options and operands mix, and -- ends the options")
  func mixing() throws {
    let parsed = try parse(["a", "-r", "b", "--", "-v", "--"])
    #expect(parsed.options.map(\.kind) == [.recursive])
    #expect(parsed.operands == ["a", "b", "-v", "--"])
    let strict = try parse(["a", "-r", "--"], stopsAtOperand: true)
    #expect(strict.options.isEmpty)
    #expect(strict.operands == ["a", "-r", "--"])
    #expect(try parse(["-"]).operands == ["-"])
  }

  @Test("Letters join behind one dash, and the rest of the word is a value")
  func letters() throws {
    #expect(try kinds(["-apv"]) == [.archive, .preserve, .verbose])
    #expect(try kinds(["-R", "-r"]) == [.recursive, .recursive])
    let joined = try parse(["-vtdir", "x"])
    #expect(joined.options.last == .init(kind: .targetDirectory, value: "dir"))
    #expect(joined.operands == ["x"])
    #expect(try parse(["-t", "-v"]).options == [.init(kind: .targetDirectory, value: "-v")])
  }

  @Test("Long names may be shortened while they stay unique")
  func names() throws {
    #expect(try kinds(["--arch", "--rec", "--verb"]) == [.archive, .recursive, .verbose])
    #expect(try parse(["--target=a=b"]).options == [.init(kind: .targetDirectory, value: "a=b")])
    #expect(try parse(["--jobs", "4"]).options == [.init(kind: .jobs, value: "4")])
    // Short for an option of cp, whatever others there are.
    #expect(try kinds(["--f", "--at", "--st"]) == [.force, .attributesOnly, .stripSlashes])
    #expect(try kinds(["--ato", "--veri"]) == [.atomic, .verify])
    // A former name, which the help does not list.
    #expect(try kinds(["--path", "--pat", "--pa"]) == [.parents, .parents, .parents])
    #expect(throws: UsageError.unknownName("--paths", nearest: nil)) { try parse(["--paths"]) }
  }

  @Test(
    "The possibilities of an ambiguous name have the order of cp",
    arguments: [
      ("ver", ["verbose", "version"]),
      ("re", ["recursive", "remove-destination", "reflink"]),
      ("p", ["parents", "preserve"]),
      ("s", ["sparse", "strip-trailing-slashes", "suffix", "symbolic-link"]),
      ("c", ["copy-contents", "context"]),
    ]
  )
  func possibilities(name: String, options: [String]) {
    let typed = "--\(name)"
    let expected = UsageError.ambiguousName(BytePath(typed), options)
    #expect(throws: expected) { try parse([typed]) }
  }

  @Test("A wrong command line is reported")
  func errors() {
    #expect(throws: UsageError.unknownLetter("9")) { try parse(["-a9"]) }
    #expect(throws: UsageError.unknownName("--foo=1", nearest: nil)) { try parse(["--foo=1"]) }
    #expect(throws: UsageError.letterNeedsValue("t")) { try parse(["-t"]) }
    #expect(throws: UsageError.nameNeedsValue("jobs")) { try parse(["--jobs"]) }
    #expect(throws: UsageError.nameTakesNoValue("recursive")) { try parse(["--recursive=x"]) }
  }

  @Test("Operands are sources and a destination, or a target directory is named")
  func operands() throws {
    func request(_ words: [String]) throws -> CopyRequest? {
      if case .copy(let request) = try Command(parse(words)) { return request }
      return nil
    }
    let plain = try request(["a", "b", "c"])
    #expect(plain?.sources == ["a", "b"])
    #expect(plain?.destination == "c")
    #expect(plain?.placement == .automatic)
    #expect(try request(["-t", "d", "a"])?.placement == .intoDirectory)
    #expect(try request(["-T", "a", "b"])?.placement == .exactly)
    #expect(throws: UsageError.noOperand) { try request([]) }
    #expect(throws: UsageError.noDestination("a")) { try request(["a"]) }
    #expect(throws: UsageError.extraOperand("c")) { try request(["-T", "a", "b", "c"]) }
    #expect(throws: UsageError.bothTargetKinds) { try request(["-T", "-t", "a", "b"]) }
  }

  @Test("The error of a number of jobs states the numbers that are accepted")
  func jobs() throws {
    for word in ["0", "1025", "-1", "", "many", "99999999999999999999"] {
      let parsed = try parse(["--jobs=\(word)", "a", "b"])
      #expect(throws: UsageError.badJobs(BytePath(word))) { _ = try Command(parsed) }
    }
    for word in ["1", "1024"] { _ = try Command(parse(["--jobs=\(word)", "a", "b"])) }
    #expect(
      UsageError.badJobs("0").text(quoting: .utf8)
        == "invalid number of jobs: '0' (must be from 1 to 1024)"
    )
  }

  @Test("Letters mean what they mean to cp")
  func meaning() throws {
    func options(_ word: String) throws -> CopyOptions? {
      if case .copy(let request) = try Command(parse([word, "a", "b"])) { return request.options }
      return nil
    }
    let archive = try options("-a")
    #expect(archive?.tree.isRecursive == true)
    #expect(archive?.tree.following == .nothing)
    #expect(archive?.metadata.preserved == .all)
    #expect(try options("-p")?.metadata.preserved == [.mode, .ownership, .timestamps])
    #expect(try options("-p")?.tree.following == .everything)
    #expect(try options("-d")?.metadata.preserved == .links)
    #expect(try options("-d")?.tree.following == .nothing)
    #expect(try options("-r")?.metadata.preserved == [])
    #expect(try options("-r")?.tree.following == .nothing)
    // The library has the same options under names.
    #expect(try options("-r")?.tree == CopyOptions.recursive.tree)
    #expect(archive?.tree == CopyOptions.archive.tree)
    #expect(archive?.metadata == CopyOptions.archive.metadata)
  }

  @Test("The help text names every option once")
  func help() {
    let text = HelpText.text(program: "fastcp")
    let words = text.split { " \n".contains($0) }.joined(separator: " ")
    let lines = text.split(separator: "\n")
    // An option's names stand at the start of its first line; two spaces end them.
    let synopses = lines.filter { $0.prefix(7).contains("-") }.map { line in
      let names = line.drop { $0 == " " }
      return names[..<(names.firstRange(of: "  ")?.lowerBound ?? names.endIndex)]
    }
    for row in OptionTable.rows {
      let name = row.name.map { "--\($0)" } ?? "-\(row.letters.first ?? "?")"
      #expect(
        synopses.count { $0.split(whereSeparator: { " ,=[".contains($0) }).contains { $0 == name } }
          == 1,
        "\(name)"
      )
      #expect(words.contains(" \(row.help)"), "\(row.help)")
    }
    #expect(lines.allSatisfy { $0.count <= 80 })
  }
}
