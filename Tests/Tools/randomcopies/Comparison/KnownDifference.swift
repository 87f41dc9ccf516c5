/// A difference from cp that is intended, or that only older versions of cp have.
struct KnownDifference: Sendable {
  /// The reason, as in `Documentation/DIFFERENCES.md` if it is intended.
  let reason: String
  /// The parts of what can be seen that may differ.
  let parts: Set<Observation.Part>
  /// The first version of cp without the difference; nil for an intended one.
  private let until: [Int]?
  private let matches: @Sendable (CopyCase, Observation, Observation) -> Bool

  private init(
    _ reason: String,
    _ parts: Set<Observation.Part>,
    until: [Int]? = nil,
    when matches: @escaping @Sendable (CopyCase, Observation, Observation) -> Bool
  ) {
    self.reason = reason
    self.parts = parts
    self.until = until
    self.matches = matches
  }

  /// Whether the difference explains what can be seen of a case.
  func applies(
    to copy: CopyCase,
    _ reference: Observation,
    _ tested: Observation,
    _ version: [Int]
  ) -> Bool {
    if let until, !version.lexicographicallyPrecedes(until) { return false }
    return matches(copy, reference, tested)
  }

  /// The known differences.
  static let all = intended + ofOldVersions

  private static let intended = [
    KnownDifference(
      "the files of a directory that is copied into itself are copied in no fixed order",
      [.errors, .output, .tree]
    ) { _, reference, tested in
      // cp meets such a directory later or somewhere else, or follows a link in it without end.
      tested.reports("into itself")
        && [
          "into itself", "cannot overwrite non-directory", "will not create hard link",
          "File name too long",
        ].contains { reference.reports($0) }
    },
    KnownDifference(
      "a file that the copy overwrites under a further name is copied before or after that",
      [.tree]
    ) { copy, reference, tested in
      copy.mayOverwriteSources && reference.differsOnlyInFiles(from: tested)
    },
    KnownDifference(
      "a followed link to a directory that contains it is refused when it is first met",
      [.errors, .output, .tree]
    ) { _, _, tested in
      tested.reports("cannot copy cyclic symbolic link")
    },
    KnownDifference(
      "with --parents, cp takes existing directories for new ones after it has created another one",
      [.status, .errors, .output, .tree]
    ) { copy, reference, _ in
      copy.options.contains("--parents") && copy.sources.count > 1
        && ["File exists", "cannot create directory"].contains { reference.reports($0) }
    },
    KnownDifference(
      "with --parents, a link in the place of a directory on the path is not followed",
      [.status, .errors, .output, .tree]
    ) { copy, reference, tested in
      copy.options.contains("--parents") && tested.reports("exists but is not a directory")
        && !reference.reports("exists but is not a directory")
    },
    KnownDifference(
      "a symbolic link inside the target of a recursive copy is not written through",
      [.status, .errors, .output, .tree]
    ) { _, reference, tested in
      tested.reports("not writing through") && !reference.reports("not writing through")
    },
    KnownDifference(
      "a link that cannot replace a name cannot be created, instead of the name removed",
      [.errors]
    ) { _, reference, tested in
      tested.reports("cannot create symbolic link") && reference.reports("cannot remove")
    },
    KnownDifference(
      "--keep-directory-symlink follows every link to a directory",
      [.status, .errors, .output, .tree]
    ) { copy, reference, _ in
      copy.options.contains("--keep-directory-symlink")
        && (reference.reports("cannot overwrite non-directory") || copy.backsUp)
    },
    KnownDifference(
      "with backups, a directory that a file would replace is named as without them",
      [.errors, .output]
    ) { copy, reference, tested in
      // cp announces the file before it fails.
      copy.backsUp && tested.reports("cannot overwrite directory")
        && tested[.output].allSatisfy { reference[.output].contains($0) }
    },
    KnownDifference(
      "--strip-trailing-slashes applies to every source",
      [.status, .errors, .output, .tree]
    ) { copy, _, _ in
      copy.options.contains("--strip-trailing-slashes")
        && copy.sources.contains { $0.hasSuffix("/") }
    },
    KnownDifference(
      "an existing file that cannot become a clone keeps its contents",
      [.tree]
    ) { copy, reference, tested in
      copy.options.contains("--reflink=always") && tested.reports("failed to clone")
        && reference.emptyFileCount > tested.emptyFileCount
    },
    KnownDifference(
      "a file that could not be cloned leaves no empty one, so that a directory gets the name",
      [.errors, .output, .tree]
    ) { copy, reference, tested in
      copy.options.contains("--reflink=always") && tested.reports("failed to clone")
        && reference.reports("cannot overwrite non-directory")
        && !tested.reports("cannot overwrite non-directory")
    },
    KnownDifference(
      "with -u, names that are links to one file already stay as they are",
      [.output, .tree]
    ) { copy, reference, tested in
      copy.updates && copy.keepsLinks && reference.differsOnlyInDirectories(from: tested)
        && tested[.output].allSatisfy { reference[.output].contains($0) }
    },
    KnownDifference(
      "an owner may copy into an existing directory that has no right to be changed",
      [.status, .errors, .output, .tree]
    ) { copy, reference, tested in
      copy.user == .nobody && reference.reports("Permission denied")
        && reference[.output].allSatisfy { tested[.output].contains($0) }
        && !tested.reports("Permission denied")
        && copy.tree.entries.contains { $0.kind == .directory && $0.mode & 0o300 != 0o300 }
    },
    KnownDifference(
      "a name that was linked to an earlier copy is not replaced by a later operand",
      [.status, .errors, .output, .tree]
    ) { copy, reference, tested in
      copy.keepsLinks && tested.reports("will not overwrite just-created")
        && !reference.reports("will not overwrite just-created")
    },
  ]

  private static let ofOldVersions = [
    KnownDifference(
      "before 9.2, the answer no was a success",
      [.status],
      until: [9, 2]
    ) { copy, reference, _ in
      !copy.agrees && reference[.errors].contains { $0.hasSuffix("?") }
    },
    KnownDifference(
      "before 9.2, simple backups were in the working directory",
      [.status, .errors, .output, .tree],
      until: [9, 2]
    ) { copy, _, _ in
      copy.backsUp
    },
    KnownDifference(
      "before 9.2, a new file that could not become a clone was left empty",
      [.tree],
      until: [9, 2]
    ) { copy, _, tested in
      copy.options.contains("--reflink=always") && tested.reports("failed to clone")
    },
    KnownDifference(
      "before 9.5, a directory did not replace a file that becomes a backup",
      [.status, .errors, .output, .tree],
      until: [9, 5]
    ) { copy, reference, _ in
      copy.backsUp && reference.reports("cannot overwrite non-directory")
    },
    KnownDifference(
      "before 9.5, the file that would replace a directory was not named",
      [.errors],
      until: [9, 5]
    ) { _, _, tested in
      tested.reports("cannot overwrite directory")
    },
    KnownDifference(
      "before 9.10, -v did not quote the directories of --parents",
      [.output],
      until: [9, 10]
    ) { copy, _, _ in
      copy.options.contains("--parents")
    },
    KnownDifference(
      "before 9.10, the special bits of existing files stayed",
      [.tree],
      until: [9, 10]
    ) { _, reference, tested in
      reference.differsOnlyInSpecialBits(from: tested)
    },
    KnownDifference(
      "before 9.11, backups without replacement had another message",
      [.errors],
      until: [9, 11]
    ) { _, _, tested in
      tested.reports("--backup is mutually exclusive")
    },
    KnownDifference(
      "before 9.11, --attributes-only removed existing files",
      [.errors, .output, .tree],
      until: [9, 11]
    ) { copy, _, _ in
      copy.options.contains("--attributes-only")
    },
    KnownDifference(
      "before 9.11, --no-preserve=mode changed the mode of existing files",
      [.tree],
      until: [9, 11]
    ) { copy, _, _ in
      copy.options.contains { $0.hasPrefix("--no-preserve=") }
    },
    KnownDifference(
      "before 9.11, -f did not remove a cycle of links",
      [.status, .errors, .output, .tree],
      until: [9, 11]
    ) { copy, reference, _ in
      copy.options.contains("-f") && reference.reports("Too many levels of symbolic links")
    },
  ]
}
