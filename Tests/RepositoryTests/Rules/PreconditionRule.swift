/// A rule that a user can break is checked by `requireUse`, which also speaks in optimised builds.
///
/// `precondition` says nothing there. It is left to what only a defect of the package can break.
enum PreconditionRule {
  /// The files with checks of the package itself, and what none of its users can reach.
  static let ownChecks = [
    "Sources/DataRegions/Buffer/DataBuffer+Collection.swift": "a buffer with bytes is not empty",
    "Sources/DataRegions/Buffer/DataBuffer+Region.swift": "a buffer with bytes is not empty",
    "Sources/DataRegions/Buffer/DataBuffer+Regions.swift": "a counted region is there",
    "Sources/DataRegions/Coding/RawSpan+Words.swift": "the coders pass whole words",
    "Sources/DataRegions/Memory/Piece+Owner.swift": "every piece has an owner",
    "Sources/DataRegions/Memory/Piece.swift": "offsets of users are checked before",
    "Sources/DataRegions/Memory/RawSpan+Bytes.swift": "ranges of users are checked before",
    "Sources/DataRegions/Tree/RegionTree+Join.swift": "the tree keeps its heights",
    "Sources/FileCopy/Walk/CopySchedule.swift": "the copier checks its options",
    "Sources/FileCopy/Walk/DescriptorSlots.swift": "the copier computes the number",
    "Sources/FileCopy/Walk/DirectoryDescriptors.swift": "holds are paired in the copier",
    "Sources/FileCopy/Walk/HeldDirectories.swift": "the walk holds what it uses",
    "Sources/FileCopy/Verify/ContentSum.swift": "memory, which no call of a user decides",
    "Sources/IOChannels/Descriptors/DescriptorEntry+Siblings.swift": "a new entry is open",
    "Sources/IOChannels/Descriptors/DescriptorState.swift": "an order of its own steps",
    "Sources/IOChannels/Descriptors/DescriptorTable.swift": "a new entry is open",
    "Sources/IOChannelsLocks/Lists/ShortList.swift": "a list of the package",
    "Sources/QueueRuntime/Pool/PoolState.swift": "the pool checks its sizes",
    "Sources/QueueRuntime/Queues/ConcurrentQueueCore.swift": "an order of its own steps",
    "Sources/QueueRuntime/Queues/ConcurrentWord.swift": "needs more threads than can be started",
    "Sources/QueueRuntime/Queues/RunElsewhere.swift": "an order of its own steps",
    "Sources/IOChannelsEngine/Memory/BudgetState.swift": "channels pair their accounts",
    "Sources/IOChannelsEngine/Memory/PooledBuffer.swift": "channels ask for enough room",
    "Sources/IOChannelsEngine/Requests/Request+Call.swift": "the engine chooses the call",
    "Sources/IOChannelsEngine/Ring/Ring+Requests.swift": "the engine chooses the ring",
    "Sources/IOChannelsEngine/Scheduling/RequestScheduler.swift": "the table counts its slots",
    "Sources/IOChannelsSystem/Files/FileMapping.swift": "the face of a mapping checks the range",
    "Sources/IOChannelsSystem/Files/PageBuffer.swift": "a buffer of the package",
  ]

  /// The lines that use a check which is silent in optimised builds.
  static func uses(in file: SourceFile) -> [Int] {
    file.code.indices.filter { index in
      let line = file.code[index]
      if line.contains("func precondition(") { return false }
      return ["precondition(", "preconditionFailure(", "assert(", "assertionFailure("].contains {
        isCalled($0, in: line)
      }
    }
  }

  /// Whether the function of the standard library is called, and no member of that name.
  private static func isCalled(_ function: String, in line: String) -> Bool {
    line.ranges(of: function).contains { range in
      let before = line[..<range.lowerBound]
      if before.hasSuffix("Swift.") { return true }
      guard let last = before.utf8.last else { return true }
      return !isWordByte(last) && last != UInt8(ascii: ".")
    }
  }

  static func violations(in files: [SourceFile]) -> [String] {
    let found = files.map { (file: $0, lines: uses(in: $0)) }.filter { !$0.lines.isEmpty }
    let silent = found.filter { ownChecks[$0.file.path] == nil }.flatMap { file, lines in
      lines.map { "\(file.place($0)): says nothing in an optimised build; use requireUse" }
    }
    let paths = Set(found.map(\.file.path))
    let gone = ownChecks.keys.filter { !paths.contains($0) }.sorted()
    return silent + gone.map { "\($0): is listed and has no check" }
  }
}
