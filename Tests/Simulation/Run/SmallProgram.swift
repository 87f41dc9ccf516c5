import IOChannels
import IOChannelsEngine

/// A few calls on one channel, small enough that all that may happen to them can be tried.
struct SmallProgram {
  /// What the user calls.
  enum Call: Int, CaseIterable {
    case read, write, barrier, stop
  }

  /// What the channel is made of: how it goes through a file, and the place of that.
  static let channels: [(kind: IOChannel.StreamType, file: Int)] = [
    (.random, 0), (.stream, 0), (.stream, 4),
  ]

  /// The bytes of a transfer. A read that comes first asks for two of them and finds the end in
  /// place of one, others ask for one.
  static let step = 16
  static let fileSize = step

  let channel: Int
  let calls: [Call]

  /// Reads a program as numbers: of the channel, and of the calls.
  init?(_ numbers: [Int]) {
    let calls = numbers.dropFirst().compactMap { Call(rawValue: $0) }
    guard let channel = numbers.first, Self.channels.indices.contains(channel),
      calls.count == numbers.count - 1
    else { return nil }
    self.channel = channel
    self.calls = calls
  }

  /// All programs of some calls, as numbers.
  static func all(calls count: Int) -> [[Int]] {
    var programs = channels.indices.map { [$0] }
    for _ in 0..<count {
      programs = programs.flatMap { program in Call.allCases.map { program + [$0.rawValue] } }
    }
    return programs
  }
}

extension Profile {
  /// Everything may happen to a program, each step as well as the others.
  init(of program: SmallProgram) {
    self.init(StepGenerator(seed: 0, step: 0))
    self.program = program
    faults = Faults.all.subtracting([.badRange, .quota, .noSpace])
    // Any number will do: a fault is unlikely, and happens as often as a run has of those.
    faultPercent = 10
    // A stream's second step waits for the handler of its first, those of the other run at once.
    let window = program.channel == 0 ? 2 * SmallProgram.step : SmallProgram.step
    sizes = TransferSizes(step: SmallProgram.step, window: window, atOnce: 0, peerAtOnce: 0)
    limits = RequestScheduler.Limits(
      requests: 4,
      pollable: 2,
      perDevice: 2,
      workersPerDevice: 2,
      piece: SmallProgram.step / 2
    )
    budget = 1 << 20
    latency = 1
    calls = program.calls.count
    callsFromHandlers = 0
    isCrowded = false
    (userWeight, ringWeight, kernelWeight, jobWeight, idleWeight) = (1, 1, 1, 1, 0)
  }
}

extension Simulation {
  /// No run of a small program has more steps.
  private static let stepLimit = 1000

  /// Runs a program as a list decides, which begins with the program.
  ///
  /// - Returns: What it met; `nil` when the list begins with no program.
  package static func run(
    _ program: [Int],
    _ choices: ChoiceList,
    in surroundings: Surroundings
  ) -> Outcome? {
    guard let program = SmallProgram(program) else { return nil }
    let simulation = Simulation(
      Profile(of: program),
      choices,
      files: StepGenerator(seed: 0, step: -1),
      in: surroundings
    )
    return simulation.outcome { $0.run(program) }
  }

  private func run(_ program: SmallProgram) {
    let (kind, file) = SmallProgram.channels[program.channel]
    let number = surroundings.files[file].numbers[0]
    makeChannel(kind, files[file], number: number, nil)
    var step = 0
    while calls < profile.calls || !isStuck() {
      guard step < Self.stepLimit else {
        return report.expect(false, "I16: the program does not come to rest")
      }
      if !takeStep(step) { return }
      step += 1
    }
    finish()
  }

  /// Makes one call of a small program.
  func call(_ call: SmallProgram.Call) {
    // Not the queue of the cleanup, which would come after the handlers by itself.
    let (record, queue) = (channels[0], surroundings.queues[1])
    switch call {
    case .read:
      let length = calls == 1 ? 2 * SmallProgram.step : SmallProgram.step
      read(record, offset: 0, length: length, on: queue)
    case .write:
      let data = DataBuffer(Pattern.bytes[..<SmallProgram.step])
      write(record, offset: 0, data, from: 0, on: queue)
    case .barrier: addBarrier(record)
    case .stop: stop(record)
    }
  }
}
