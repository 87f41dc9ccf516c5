/// The arguments of the program.
struct Request {
  /// The user that runs the command lines.
  enum User: String {
    case root
    case nobody

    /// The number of the user and of its group.
    var number: UInt32 { self == .root ? 0 : 65_534 }
  }

  static let usage = """
    usage, as root: randomcopies [--count COUNT] [--seed SEED] [--user root|nobody] [--jobs JOBS] \
    [--server ERROR]
    """

  private(set) var count = 50
  private(set) var seed = UInt64.random(in: 0..<1_000_000_000)
  private(set) var user = User.root
  /// The number of cases that are compared at once, of which each processor runs one.
  private(set) var jobs = 1
  /// The error with which exclusive renames of the copier fail, as on many servers.
  private(set) var serverError: UInt8?

  /// Creates a request from arguments; nil if they are wrong.
  init?(_ arguments: some Sequence<String>) {
    var words = Array(arguments)[...]
    while let name = words.popFirst() {
      guard let value = words.popFirst(), set(name, to: value) else { return nil }
    }
  }

  /// Sets the value of an option.
  ///
  /// - Returns: Whether option and value are valid.
  private mutating func set(_ name: String, to value: String) -> Bool {
    switch name {
    case "--count":
      guard let count = Int(value), count > 0 else { return false }
      self.count = count
    case "--seed":
      guard let seed = UInt64(value) else { return false }
      self.seed = seed
    case "--user":
      guard let user = User(rawValue: value) else { return false }
      self.user = user
    case "--jobs":
      guard let jobs = Int(value), (1...1024).contains(jobs) else { return false }
      self.jobs = jobs
    case "--server":
      guard let error = UInt8(value), error > 0 else { return false }
      serverError = error
    default: return false
    }
    return true
  }
}
