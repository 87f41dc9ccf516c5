/// A program that copies, with its options.
enum Copier {
  case fastcp([String])
  case cp([String])
  case rsync
  /// The bare loop over trees.
  case loop(threads: Int = 2)
  /// `FileManager`, in a process of its own.
  case copyItem

  /// Returns the command that copies `source` to `copy`.
  func command(from source: String, to copy: String, programs: String) -> [String] {
    switch self {
    case .fastcp(let options): ["\(programs)/fastcp"] + options + [source, copy]
    case .cp(let options): ["cp"] + options + [source, copy]
    // With the slash it copies what is in a directory, not the directory.
    case .rsync: ["rsync", "-a", source + "/", copy]
    case .loop(let threads): [programBeside("treeloop"), source, copy, "\(threads)"]
    case .copyItem: [programBeside("bench"), "copyitem", source, copy]
    }
  }
}
