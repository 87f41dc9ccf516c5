import Synchronization
import Testing

@testable import FileCopy

/// What a program can find out about a problem without reading its text.
@Suite("Problems of copies")
struct CopyErrorTests {
  @Test("A failed call has an operation and the error of the system")
  func failedCalls() {
    let rows: [(CopyProblem, CopyError.Operation)] = [
      (.status, .readStatus), (.parentStatus, .readStatus), (.readDirectory, .readDirectory),
      (.tooManyOpenFiles(limit: 9), .open), (.open, .open), (.read, .read),
      (.readSymbolicLink, .read), (.write, .write),
      (.setSize, .write), (.close, .write), (.clone, .transfer), (.copyBytes, .transfer),
      (.createFile, .create), (.createDirectory, .create), (.createParent, .create),
      (.createFIFO, .create),
      (.createSymbolicLink, .create), (.createSpecialFile, .create), (.createHardLink, .link),
      (.linkToSource, .link), (.rename, .rename), (.remove, .remove), (.backUp, .backUp),
      (.listAttributes, .readMetadata), (.readAttribute, .readMetadata),
      (.readPermissions, .readMetadata), (.setOwnership, .setMetadata),
      (.setPermissions, .setMetadata), (.setTimes, .setMetadata), (.setAttribute, .setMetadata),
      (.setAttributes, .setMetadata), (.synchronize, .synchronize), (.target, .prepare),
      (.targetDirectory, .prepare), (.earlierCopy, .prepare), (.manifest, .write),
      (.partReport, .write),
    ]
    for (problem, operation) in rows {
      let error = CopyError(problem, "a", other: "b", .noSpace)
      #expect(error.operation == operation, "\(problem)")
      #expect(error.reason == .system(.noSpace), "\(problem)")
      #expect(error.severity == .failure, "\(problem)")
      #expect(error.path == "a" && error.otherPath == "b")
    }
  }

  @Test("A finding has a reason of its own")
  func findings() {
    let rows: [(CopyProblem, CopyError.Operation, CopyError.Reason)] = [
      (.sameFile, .prepare, .sameFile), (.omittedDirectory, .prepare, .notRecursive),
      (.intoItself, .prepare, .intoItself), (.cycle, .prepare, .cycle),
      (.unknownKind, .prepare, .unknownFileType),
      (.parentsNeedDirectory, .prepare, .needsDirectory),
      (.notReplacing, .prepare, .existingFile),
      (.existingDirectory, .prepare, .existingDirectory),
      (.existingNonDirectory, .prepare, .existingNonDirectory),
      (.noParentDirectory, .prepare, .existingNonDirectory),
      (.danglingLink, .prepare, .existingLink), (.existingLink, .prepare, .existingLink),
      (.justCreated, .prepare, .justCreated), (.throughJustCreatedLink, .prepare, .justCreated),
      (.relativeLink, .link, .relativeLink), (.backupIsSource, .backUp, .backupIsSource),
      (.linkToDirectory, .link, .repeatedSource),
      (.replaced, .open, .changed), (.changed, .read, .changed), (.tooLong, .read, .changed),
      (.verification, .compare, .verificationFailed),
      (.deletionNeedsDirectory, .prepare, .needsDirectory),
      (.sourceInDestination, .prepare, .sourceInDestination),
      (.emptySource, .prepare, .emptySource), (.mergedSources, .prepare, .sharedDestination),
      (.mixedNames, .remove, .sharedDestination),
      (.removalLimit(3, count: 4, before: 1), .remove, .removalLimit(3)),
      (.repeatedDestination, .prepare, .overlappingDestinations),
      (.nestedDestination, .prepare, .overlappingDestinations),
      (.destinationInSource, .prepare, .overlappingDestinations),
      (.noParts, .prepare, .missingParts), (.mixedParts(2, 3), .prepare, .missingParts),
      (.missingPart(1, of: 2), .prepare, .missingParts), (.missingCopy, .compare, .missingCopy),
      (.differentCopy, .compare, .missingCopy),
    ]
    for (problem, operation, reason) in rows {
      let error = CopyError(problem, "a")
      #expect(error.operation == operation, "\(problem)")
      #expect(error.reason == reason, "\(problem)")
      #expect(error.severity == .failure, "\(problem)")
    }
  }

  @Test("Problems that never make a copy fail are warnings")
  func warnings() {
    let rows: [(CopyProblem, CopyError.Operation, CopyError.Reason)] = [
      (.repeatedFile, .prepare, .repeatedSource), (.repeatedDirectory, .prepare, .repeatedSource),
      (.littleSpace(needed: 2, free: 1), .prepare, .littleSpace(needed: 2, free: 1)),
      (.tooManyLinks, .link, .tooManyLinks),
      (.nothingRemoved, .remove, .incompleteListing),
    ]
    for (problem, operation, reason) in rows {
      let error = CopyError(problem, "a")
      #expect(error.operation == operation, "\(problem)")
      #expect(error.reason == reason, "\(problem)")
      #expect(error.severity == .warning, "\(problem)")
    }
    let changed = CopyError(.changed, "a")
    #expect(changed.asWarning.severity == .warning)
    #expect(changed.asWarning.text() == changed.text())
  }

  @Test("The observer receives warnings with their severity, and the copy is complete")
  func reportedWarning() throws {
    let place = try CopyPlace()
    try place.shell("echo x > f; mkdir to")
    let received = Mutex<[CopyError]>([])
    var options = CopyOptions()
    options.observer = CopyObserver { event in
      if case .warning(let warning) = event { received.withLock { $0.append(warning) } }
    }
    let source = place.path("f")
    let report = try FileCopier(options).copyAndWait(from: [source, source], to: place.path("to"))
    #expect(report.isComplete)
    let warnings = received.withLock { $0 }
    #expect(warnings.map(\.reason) == [.repeatedSource])
    #expect(warnings.map(\.severity) == [.warning])
    #expect(warnings.map(\.path) == [source])
  }

  @Test("Equal problems are one in a set, and others differ")
  func equality() {
    let error = CopyError(.open, "a", .permissionDenied)
    let others = [
      CopyError(.open, "b", .permissionDenied), CopyError(.open, "a", .noSpace),
      CopyError(.read, "a", .permissionDenied), error.asWarning,
      CopyError(.open, "a", other: "b", .permissionDenied),
    ]
    #expect(error == CopyError(.open, "a", .permissionDenied))
    #expect(!others.contains(error))
    #expect(Set(others + [error, CopyError(.open, "a", .permissionDenied)]).count == 6)
  }

  @Test("Problems that differ only in their words are equal, but one does not repeat the other")
  func words() {
    let (existing, dangling) = (CopyError(.existingLink, "a"), CopyError(.danglingLink, "a"))
    #expect(existing.text() != dangling.text())
    #expect(existing == dangling && Set([existing, dangling]).count == 1)
    #expect(existing.repeats(existing) && !existing.repeats(dangling))
    #expect(!existing.repeats(existing.asWarning))
  }
}
