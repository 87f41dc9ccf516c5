import FileCopy
import Testing

@testable import fastcp

/// The part of a copy that the value of `--shard` and the variables of a launcher choose.
@Suite("Choice of a part")
struct ShardRequestTests {
  /// Variables of the environment, and the part that they choose.
  struct Row: CustomTestStringConvertible, Sendable {
    var variables: String
    /// The index and the number of parts; nil if the part is refused.
    var part: (Int, Int)?
    /// The variable that is named, or the error.
    var named: String

    init(_ variables: String, _ part: (Int, Int)?, _ named: String) {
      self.variables = variables
      self.part = part
      self.named = named
    }

    var testDescription: String { variables }
  }

  private static let ompi = "OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=5"
  private static let array =
    "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=8"

  private static let rows = [
    Row("FASTCP_SHARD=0 FASTCP_SHARDS=1", (0, 1), "$FASTCP_SHARD,"),
    Row("FASTCP_SHARD=999 FASTCP_SHARDS=1000", (999, 1000), "$FASTCP_SHARDS"),
    Row(ompi, (2, 5), "$OMPI_COMM_WORLD_RANK"),
    Row("PMIX_RANK=1 PMIX_SIZE=2", (1, 2), "$PMIX_RANK"),
    Row("PMI_RANK=1 PMI_SIZE=3", (1, 3), "$PMI_RANK"),
    Row("SLURM_PROCID=3 SLURM_NTASKS=4", (3, 4), "$SLURM_PROCID"),
    Row(array, (2, 4), "$SLURM_ARRAY_TASK_ID"),
    Row("JOB_COMPLETION_INDEX=1 FASTCP_SHARDS=9", (1, 9), "$JOB_COMPLETION_INDEX"),
    Row("FLUX_TASK_RANK=0 FLUX_JOB_SIZE=2", (0, 2), "$FLUX_TASK_RANK"),
    // The first complete pair counts.
    Row("FASTCP_SHARD=1 FASTCP_SHARDS=2 \(ompi)", (1, 2), "$FASTCP_SHARD"),
    Row("\(ompi) SLURM_PROCID=0 SLURM_NTASKS=9", (2, 5), "$OMPI_COMM_WORLD_RANK"),
    Row("PMIX_RANK=4 SLURM_PROCID=4 SLURM_NTASKS=6", (4, 6), "$SLURM_PROCID"),
    Row("SLURM_PROCID=1 SLURM_NTASKS=2 \(array)", (1, 2), "$SLURM_PROCID"),
    // The only task of each job of an array is no division.
    Row("SLURM_PROCID=0 SLURM_NTASKS=1 \(array)", (2, 4), "$SLURM_ARRAY_TASK_ID"),
    Row("SLURM_PROCID=0 SLURM_NTASKS=1", (0, 1), "$SLURM_PROCID"),
    Row("SLURM_PROCID=0 \(array)", (2, 4), "$SLURM_ARRAY_TASK_ID"),
    // No pair, half a pair, and numbers that choose no part.
    Row("", nil, "no variables of the environment"),
    Row("FASTCP_SHARDS=4", nil, "no variables of the environment"),
    Row("FASTCP_SHARD=1", nil, "$FASTCP_SHARD is set, but $FASTCP_SHARDS is not"),
    Row("FASTCP_SHARD=1 \(ompi)", nil, "$FASTCP_SHARD is set, but $FASTCP_SHARDS is not"),
    Row("SLURM_PROCID=1", nil, "$SLURM_PROCID is set, but $SLURM_NTASKS is not"),
    Row("JOB_COMPLETION_INDEX=1", nil, "$JOB_COMPLETION_INDEX is set, but $FASTCP_SHARDS is not"),
    Row("FASTCP_SHARD=2 FASTCP_SHARDS=2", nil, "$FASTCP_SHARD is '2'"),
    Row("FASTCP_SHARD=0 FASTCP_SHARDS=0", nil, "$FASTCP_SHARDS is '0'"),
    Row("FASTCP_SHARD=x FASTCP_SHARDS=2", nil, "$FASTCP_SHARD is 'x'"),
    Row("FASTCP_SHARD=-1 FASTCP_SHARDS=2", nil, "$FASTCP_SHARD is '-1'"),
    Row("FASTCP_SHARD=0 FASTCP_SHARDS=2x", nil, "$FASTCP_SHARDS is '2x'"),
    Row("FASTCP_SHARD=0 FASTCP_SHARDS=9999999999", nil, "$FASTCP_SHARDS is '9999999999'"),
    Row("FASTCP_SHARD= FASTCP_SHARDS=2", nil, "$FASTCP_SHARD is ''"),
    // An array with gaps: 1, 3 and 5.
    Row(
      "SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 "
        + "SLURM_ARRAY_TASK_MAX=5",
      nil,
      "$SLURM_ARRAY_TASK_ID is '5'"
    ),
    Row(
      "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 "
        + "SLURM_ARRAY_TASK_MAX=5",
      nil,
      "$SLURM_ARRAY_TASK_MAX is '5'"
    ),
    Row(
      "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=3",
      nil,
      "$SLURM_ARRAY_TASK_ID is '1'"
    ),
  ]

  /// Returns the value of a variable in a list such as `A=1 B=2`.
  private func value(of name: String, in variables: String) -> String? {
    for word in variables.split(separator: " ") where word.hasPrefix(name + "=") {
      return String(word.dropFirst(name.count + 1))
    }
    return nil
  }

  @Test(
    "The first complete pair of variables chooses the part, or it is refused (T68)",
    arguments: rows
  )
  func automatic(row: Row) {
    do throws(UsageError) {
      let request = try ShardRequest("auto") { value(of: $0, in: row.variables) }
      guard case .part(let index, let count) = request.shard else {
        Issue.record("no part")
        return
      }
      #expect(index == row.part?.0 && count == row.part?.1)
      #expect(request.variables?.contains(row.named) == true, "\(request)")
    } catch {
      #expect(row.part == nil)
      #expect(error.text(quoting: .ascii).contains(row.named), "\(error)")
    }
  }

  @Test("A part is given by its index and the number of parts (T68)")
  func numbers() throws {
    func shard(_ value: BytePath) -> CopyShard? {
      (try? ShardRequest(value) { _ in nil })?.shard
    }
    #expect(shard("0/1") == .part(0, of: 1))
    #expect(shard("16/17") == .part(16, of: 17))
    #expect(shard("finish") == .finish)
    for value in [
      "", "1", "/", "1/", "/2", "2/2", "0/0", "1/2/3", "-1/2", "+1/2", " 1/2", "1/2 ", "a/2",
      "0/99999999999", "Auto", "auto ", "fin",
    ] {
      #expect(throws: UsageError.badShard(BytePath(value)), "\(value)") {
        _ = try ShardRequest(BytePath(value)) { _ in nil }
      }
    }
  }

  private func error(_ words: String...) -> UsageError? {
    let parsed = ArgumentParser().parse(words.map { BytePath($0) })
    do throws(UsageError) {
      _ = try Command(parsed)
      return nil
    } catch {
      return error
    }
  }

  @Test("The name of the destination must not depend on other parts (T68)")
  func placement() {
    #expect(error("-a", "--shard=0/2", "a", "b") == .shardNeedsPlacement)
    #expect(error("-aT", "--shard=0/2", "a", "b") == nil)
    #expect(error("-a", "--shard=0/2", "-t", "d", "a") == nil)
    #expect(error("-a", "--shard=0/2", "a", "b", "d") == nil)
    #expect(error("-aT", "--shard", "auto", "a", "b") == .noShard)
  }

  @Test(
    "An option that concerns all parts is refused (T68)",
    arguments: ["--delete", "--backup", "--interactive"]
  )
  func refused(option: String) {
    #expect(error("-aT", "--shard=0/2", option, "a", "b") == .cannotCombine("--shard", option))
  }

  @Test("The last step neither lists files nor is a dry run (T69)")
  func finish() {
    #expect(error("-aT", "--shard=finish", "a", "b") == nil)
    for (option, name) in [("--dry-run", "--dry-run"), ("--manifest=m", "--manifest")] {
      #expect(
        error("-aT", "--shard=finish", option, "a", "b") == .cannotCombine("--shard=finish", name)
      )
    }
  }
}
