/// The program by which the kernel drops the messages that no source waits for.
///
/// It passes acknowledgements, execs of the observed processes, and forks in which an observed
/// process is the parent. It also passes forks in which the child has the number of an observed
/// process, which has therefore ended. Without it, every fork on the machine would wake this
/// process.
struct ConnectorFilter: Equatable, Sendable {
  /// One instruction of the kernel's classic filters.
  struct Instruction: Equatable, Sendable {
    enum Code: UInt16 {
      /// Loads four bytes at an offset as a big-endian number.
      case load = 0x20
      /// Copies the loaded number into the other register.
      case transfer = 0x07
      /// Jumps depending on whether the loaded number is a constant.
      case jumpIfConstant = 0x15
      /// Jumps depending on whether the loaded number is in the other register.
      case jumpIfTransferred = 0x1d
      /// The end, with the number of bytes to keep.
      case end = 0x06
    }

    let code: Code
    var ifTrue: UInt8 = 0
    var ifFalse: UInt8 = 0
    var constant: UInt32 = 0

    /// The instruction as a number, in the layout of the kernel's structure.
    var bits: UInt64 {
      UInt64(code.rawValue) | UInt64(ifTrue) << 16 | UInt64(ifFalse) << 24
        | UInt64(constant) << 32
    }
  }

  /// The most processes that a program can compare with: its jumps are short.
  static let processLimit = 100

  /// The program. Beyond the limit it passes the forks and execs of all processes.
  let instructions: [Instruction]

  /// Creates the program for a set of processes.
  init(processes: some Collection<Int32>) {
    let comparesProcesses = processes.count <= Self.processLimit
    let numbers = comparesProcesses ? processes.map { Self.constant(UInt32(bitPattern: $0)) } : []
    // The layout: 4 instructions on the kind, 4 on the child, one for each process, 1 for the
    // parent, one for each process, then the two ends.
    let parentStart = 8 + numbers.count
    let dropped = parentStart + 1 + numbers.count
    let passed = dropped + 1
    var program: [Instruction] = []
    /// Compares with a constant and jumps to instructions, where those are not the next one.
    func compare(_ constant: UInt32, equal: Int? = nil, other: Int? = nil) {
      let next = program.count + 1
      program.append(
        Instruction(
          code: .jumpIfConstant,
          ifTrue: UInt8(equal.map { $0 - next } ?? 0),
          ifFalse: UInt8(other.map { $0 - next } ?? 0),
          constant: constant
        )
      )
    }
    let processStart = comparesProcesses ? parentStart : passed
    program.append(Self.load(ConnectorMessage.Offset.event))
    compare(Self.constant(ConnectorMessage.Kind.acknowledgement), equal: passed)
    compare(Self.constant(ConnectorMessage.Kind.exec), equal: processStart)
    compare(Self.constant(ConnectorMessage.Kind.fork), other: dropped)
    // A thread is no child.
    program.append(Self.load(ConnectorMessage.Offset.childThread))
    program.append(Instruction(code: .transfer))
    program.append(Self.load(ConnectorMessage.Offset.child))
    program.append(
      Instruction(
        code: .jumpIfTransferred,
        ifTrue: comparesProcesses ? 0 : UInt8(passed - program.count - 1),
        ifFalse: UInt8(dropped - program.count - 1)
      )
    )
    for number in numbers { compare(number, equal: passed) }
    program.append(Self.load(ConnectorMessage.Offset.process))
    for number in numbers { compare(number, equal: passed) }
    program.append(Instruction(code: .end))
    program.append(Instruction(code: .end, constant: .max))
    instructions = program
  }

  private static func load(_ offset: Int) -> Instruction {
    Instruction(code: .load, constant: UInt32(offset))
  }

  /// Returns a number of a message as it appears once it is loaded.
  private static func constant(_ number: UInt32) -> UInt32 { number.bigEndian }
}
