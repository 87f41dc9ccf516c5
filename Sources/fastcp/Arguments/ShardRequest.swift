import FileCopy

/// The part of a copy that `--shard` requests.
struct ShardRequest: Equatable {
  var shard: CopyShard
  /// The variables that chose the part; nil if the value of the option did.
  var variables: String?

  /// Creates the request of an option's value.
  ///
  /// `variable` returns the value of a variable of the environment, nil if it is not set.
  init(_ value: BytePath, _ variable: (String) -> String?) throws(UsageError) {
    let text = value.description
    if text == "finish" {
      shard = .finish
      return
    }
    if text == "auto" {
      self = try ShardRequest.automatic(variable)
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let index = ShardRequest.number(parts[0]),
      let count = ShardRequest.number(parts[1]), index < count
    else { throw .badShard(value) }
    shard = .part(index, of: count)
  }

  private init(_ shard: CopyShard, from variables: String) {
    self.shard = shard
    self.variables = variables
  }

  /// The variables of a launcher: the index of a process and the number of processes.
  private struct Pair {
    let index: String
    let count: String
    /// The variable of the first index, where that is not 0.
    var first: String?
    /// The variable of the last index, where indexes may be missing.
    var last: String?
  }

  /// The pairs in the order in which they are looked for. Those of a launcher that may run below
  /// another one are first.
  private static let pairs = [
    Pair(index: "FASTCP_SHARD", count: "FASTCP_SHARDS"),
    Pair(index: "OMPI_COMM_WORLD_RANK", count: "OMPI_COMM_WORLD_SIZE"),
    Pair(index: "PMIX_RANK", count: "PMIX_SIZE"),
    Pair(index: "PMI_RANK", count: "PMI_SIZE"),
    Pair(index: "SLURM_PROCID", count: "SLURM_NTASKS"),
    Pair(
      index: "SLURM_ARRAY_TASK_ID",
      count: "SLURM_ARRAY_TASK_COUNT",
      first: "SLURM_ARRAY_TASK_MIN",
      last: "SLURM_ARRAY_TASK_MAX"
    ),
    Pair(index: "JOB_COMPLETION_INDEX", count: "FASTCP_SHARDS"),
    Pair(index: "FLUX_TASK_RANK", count: "FLUX_JOB_SIZE"),
  ]

  /// Returns the part that the first complete pair of variables chooses.
  private static func automatic(
    _ variable: (String) -> String?
  ) throws(UsageError) -> ShardRequest {
    var half: Pair?
    for pair in pairs {
      let (index, count) = (variable(pair.index), variable(pair.count))
      if let index, let count {
        if isLoneTask(pair, count, variable) { continue }
        return try request(pair, index, count, variable)
      }
      // The number of parts belongs to two pairs, and is no half of one.
      if index != nil && half == nil { half = pair }
      // A part that the user numbered must not get its number from a launcher.
      if index != nil && pair.index == pairs[0].index { break }
    }
    if let half { throw .halfShard(half.index, half.count) }
    throw .noShard
  }

  /// Whether a job step has one task and is one of several tasks of a Slurm array, which then
  /// chooses the part.
  private static func isLoneTask(
    _ pair: Pair,
    _ count: String,
    _ variable: (String) -> String?
  ) -> Bool {
    pair.count == "SLURM_NTASKS" && count == "1" && variable("SLURM_ARRAY_TASK_ID") != nil
  }

  private static func request(
    _ pair: Pair,
    _ index: String,
    _ count: String,
    _ variable: (String) -> String?
  ) throws(UsageError) -> ShardRequest {
    let first = pair.first.map { variable($0) ?? "" } ?? "0"
    guard let position = number(index) else { throw .badShardVariable(pair.index, index) }
    guard let count = number(count), count > 0 else {
      throw .badShardVariable(pair.count, variable(pair.count) ?? "")
    }
    guard let start = number(first), position >= start, position - start < count else {
      throw .badShardVariable(pair.index, index)
    }
    if let last = pair.last {
      let end = variable(last) ?? ""
      guard let highest = number(end), highest - start + 1 == count else {
        throw .badShardVariable(last, end)
      }
    }
    let names = "$\(pair.index), $\(pair.count)"
    return ShardRequest(.part(position - start, of: count), from: names)
  }

  /// Returns the number that digits stand for, at most one below 2^31.
  private static func number(_ text: String) -> Int? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard text.utf8.allSatisfy({ digits.contains($0) }), let number = Int32(text) else {
      return nil
    }
    return Int(number)
  }
}

/// The options that contradict `--shard`.
extension CopyRequest {
  /// The error of a part that is refused; nil if there is none.
  var shardError: UsageError? {
    guard let shard = options.shard else { return nil }
    if options.deletion.removesExtraneous { return .cannotCombine("--shard", "--delete") }
    if options.existing.backup != nil { return .cannotCombine("--shard", "--backup") }
    if options.existing.rule == .ask { return .cannotCombine("--shard", "--interactive") }
    if shard == .finish && options.isDryRun {
      return .cannotCombine("--shard=finish", "--dry-run")
    }
    if shard == .finish && options.manifest != nil {
      return .cannotCombine("--shard=finish", "--manifest")
    }
    // Whether DEST is a directory, which another part may create, must not change the names.
    return placement == .automatic && sources.count == 1 ? .shardNeedsPlacement : nil
  }
}
