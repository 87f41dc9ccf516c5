import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// Another process that changes the names of links and special files in the middle of a copy.
@Suite("Contested special files")
struct ContestedSpecialTests {
  /// A kind of file that is created anew, and the start of a command that creates one.
  enum Kind: String {
    case symbolicLink = "ln -s x"
    case fifo = "mkfifo -m 640"
    case socket
    case characterDevice = "mknod -m 640"
    case blockDevice = "mknod -m 600"

    /// The last arguments of the command.
    var numbers: String {
      switch self {
      case .symbolicLink, .fifo, .socket: ""
      case .characterDevice: "c 1 3"
      case .blockDevice: "b 7 0"
      }
    }
  }

  /// The step of another process between the creation of a file and its description.
  enum Step: String {
    case remove = "rm"
    /// Replaces the file by another one, of another time.
    case replace = "cp -aT ../../s/k .new; touch -h .new; mv .new"
  }

  /// Creates a source with two names of one file, which has an old time.
  private func place(_ kind: Kind, exists: Bool) throws -> CopyPlace {
    let place = try CopyPlace()
    try place.shell("mkdir s to")
    if kind == .socket {
      _ = try listen(at: place.directory("s/k"))
    } else {
      try place.shell("\(kind.rawValue) s/k \(kind.numbers)")
    }
    try place.shell(
      """
      touch -h -d @77 s/k; ln s/k s/l
      if \(exists); then cp -a s to; touch -h to/s/k; fi
      """
    )
    return place
  }

  /// Expects that the copy has both names, which are names of one file like the source.
  private func expectWhole(_ place: CopyPlace, _ report: CopyReport) throws {
    #expect(place.texts(report) == [])
    #expect(try place.shell("ls -A to/s") == "k\nl\n")
    #expect(try place.stat("to/s/k", "%i") == place.stat("to/s/l", "%i"))
    let format = "%F %a %Y %h %t %T"
    #expect(try place.stat("to/s/k", format) == place.stat("s/k", format))
  }

  private func copy(_ kind: Kind, _ step: Step, exists: Bool) throws {
    let place = try place(kind, exists: exists)
    let report = place.contestedCopy { event in
      guard case .copied(let record) = event else { return false }
      return record.kind == (kind == .symbolicLink ? .symbolicLink : .special)
    } _: { name in
      "\(step.rawValue) \(name)"
    }
    try expectWhole(place, report)
  }

  @Test(
    "A link or special file that is removed before it is described is created again (T33)",
    arguments: [Kind.symbolicLink, .fifo, .socket],
    [(Step.remove, false), (.remove, true), (.replace, false), (.replace, true)]
  )
  func undescribed(kind: Kind, change: (step: Step, exists: Bool)) throws {
    try copy(kind, change.step, exists: change.exists)
  }

  @Test(
    "A device that is removed before it is described is created again (T33)",
    .needs(.root),
    arguments: [Kind.characterDevice, .blockDevice],
    [(Step.remove, false), (.remove, true), (.replace, false), (.replace, true)]
  )
  func undescribedDevice(kind: Kind, change: (step: Step, exists: Bool)) throws {
    try copy(kind, change.step, exists: change.exists)
  }

  /// A copy removes a foreign file as often as it tries, and does not leave the name without one.
  private func contest(_ kind: Kind, times: Int) throws {
    let place = try place(kind, exists: false)
    let report = place.contestedCopy(times: times) { event in
      switch event {
      case .copied(let record): record.kind == .directory
      case .removed: true
      default: false
      }
    } _: { name in
      name == "s" ? "echo 1 >k; echo 1 >l" : "echo 1 >\(name)"
    }
    try expectWhole(place, report)
  }

  @Test(
    "A link or special file whose name is taken again and again exists afterwards (T33)",
    arguments: [Kind.symbolicLink, .fifo, .socket],
    [ContestedNames.attempts, ContestedNames.attempts + 1]
  )
  func taken(kind: Kind, times: Int) throws {
    try contest(kind, times: times)
  }

  @Test(
    "A device whose name is taken again and again exists afterwards (T33)",
    .needs(.root),
    arguments: [Kind.characterDevice, .blockDevice],
    [ContestedNames.attempts, ContestedNames.attempts + 1]
  )
  func takenDevice(kind: Kind, times: Int) throws {
    try contest(kind, times: times)
  }
}
