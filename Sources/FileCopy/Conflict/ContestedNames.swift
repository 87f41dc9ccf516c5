import Glibc
import IOChannelsSystem

/// Rules for names that another process creates, replaces or removes while a copy creates them.
///
/// The copy examines such a name again, as if it had been so from the beginning. After two copies
/// of one tree into one place, each name has a file of one of them, and the names of a file with
/// hard links are names of one file.
enum ContestedNames {
  /// The number of times that a name is examined again.
  static let attempts = 16
  /// The number of times that the names of a file are linked again, with longer and longer pauses,
  /// in all two seconds.
  static let linkAttempts = 64

  /// Sleeps for a random time of at most `limit` microseconds.
  ///
  /// Without pauses, two copies that change the same names in step would never end.
  static func pause(_ limit: Int) {
    _ = usleep(.random(in: 0...UInt32(clamping: limit)))
  }

  /// Whether a directory that this copy created has an entry that the copy did not create.
  ///
  /// The names of a source differ. An entry with exactly this name belongs to another process; an
  /// entry that only matches it, because case does not count, belongs to this copy.
  static func isForeign(_ name: BytePath, in directory: BorrowedDescriptor) -> Bool {
    guard let listing = try? directory.open(".", [.readOnly, .directory]) else { return false }
    var reader = DirectoryReader()
    while true {
      var entries: [DirectoryEntry] = []
      let next = (try? reader.read(listing.borrowed, into: &entries)) ?? nil
      if entries.contains(where: { $0.name == name }) { return true }
      if next == nil { return false }
    }
  }

  /// Whether a failure shows that the destination's name changed during the copy.
  static func explain(_ failure: CopyError, of item: CopyItem) -> Bool {
    // With other options, a file that appears is kept.
    let options = item.context.options
    guard failure.problem == .createFile, failure.path == item.destinationPath,
      options.existing.rule == .always, !options.existing.updatesOnly,
      options.existing.backup == nil
    else { return false }
    switch failure.error {
    case .fileExists, .noSuchFileOrDirectory, .staleFileHandle: return true
    default: return false
    }
  }
}
