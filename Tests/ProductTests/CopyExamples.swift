import FileCopy

// The examples in the comments of FileCopy. RepositoryTests compares them with these lines.

private func copyTree() async throws {
  let copier = FileCopier(.archive)
  let report = try await copier.copy(from: "photos", to: "/backup/photos")
  print(report.fileCount, "files copied")
}

private func makeAtomicCopier() -> FileCopier {
  var options = CopyOptions.archive
  options.isAtomic = true
  options.contents.verifies = true
  let copier = FileCopier(options)
  return copier
}
