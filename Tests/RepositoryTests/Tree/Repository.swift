import Foundation
import Testing

/// The files of the repository that this test was built from.
struct Repository: Sendable {
  static let current = Repository()

  private let root: String
  let swiftFiles: [SourceFile]
  /// Sources and headers in C.
  let cFiles: [SourceFile]
  let documents: [SourceFile]
  /// The pages of the modules' catalogues.
  let pages: [SourceFile]

  private init() {
    var place = URL(filePath: #filePath)
    for _ in 0..<4 { place.deleteLastPathComponent() }
    let root = place.path
    self.root = root
    let areas = ["Sources", "Tests", "Benchmarks/Sources", "Snippets"]
    let paths = areas.flatMap { Repository.files(below: $0, of: root) }
    swiftFiles = Repository.read(paths.filter { $0.hasSuffix(".swift") }, of: root)
    cFiles = Repository.read(
      paths.filter { $0.hasSuffix(".c") || $0.hasSuffix(".h") },
      of: root
    )
    pages = Repository.read(
      paths.filter { $0.hasSuffix(".md") && $0.contains(".docc/") },
      of: root
    )
    let top = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
    documents = Repository.read(
      top + Repository.files(below: "Documentation", of: root).filter { $0.hasSuffix(".md") },
      of: root
    )
  }

  func files(in areas: String...) -> [SourceFile] {
    swiftFiles.filter { areas.contains($0.area) }
  }

  /// One file by its path from the root.
  func file(_ path: String) throws -> SourceFile {
    try #require(Repository.read([path], of: root).first, "no file \(path)")
  }

  func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(root)/\(path)")
  }

  func isExecutable(_ path: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "\(root)/\(path)")
  }

  private static func files(below area: String, of root: String) -> [String] {
    let found = FileManager.default.enumerator(atPath: "\(root)/\(area)")?.compactMap {
      $0 as? String
    }
    return (found ?? []).map { "\(area)/\($0)" }.sorted()
  }

  private static func read(_ paths: [String], of root: String) -> [SourceFile] {
    paths.compactMap { path in
      guard let data = FileManager.default.contents(atPath: "\(root)/\(path)") else { return nil }
      return SourceFile(path: path, text: String(decoding: data, as: UTF8.self))
    }
  }
}
