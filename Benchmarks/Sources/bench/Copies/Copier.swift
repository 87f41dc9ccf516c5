/// A program that copies, with its options.
enum Copier {
  case fastcp([String])
  /// The copier of another build, from its directory.
  case built(String, [String])
  case cp([String])
  case rsync
  /// A program beside this one that does nothing but copy, with its options.
  case bare(String, [String])
  /// `FileManager`, in a process of its own.
  case copyItem

  /// The loop over trees, on two threads.
  static let loop = bare("treeloop", [])

  /// The command that makes `copy` of `source`.
  func command(from source: String, to copy: String, programs: String) -> [String] {
    switch self {
    case .fastcp(let options): ["\(programs)/fastcp"] + options + [source, copy]
    case .built(let directory, let options): ["\(directory)/fastcp"] + options + [source, copy]
    case .cp(let options): ["cp"] + options + [source, copy]
    // With the slash it copies what is in a directory, not the directory.
    case .rsync: ["rsync", "-a", source + "/", copy]
    case .bare(let name, let options): [programBeside(name)] + options + [source, copy]
    case .copyItem: [programBeside("bench"), "copyitem", source, copy]
    }
  }
}
