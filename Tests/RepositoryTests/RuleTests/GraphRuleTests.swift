import Testing

/// The rules about modules, lists and references find what is wrong in a bad sample.
@Suite("Rules of lists")
struct GraphRuleTests {
  private let table = SourceFile(
    path: "Documentation/Internals/ARCHITECTURE.md",
    text: """
      | layer | module | what | imports |
      |---|---|---|---|
      | 0 | `C` | calls | |
      | 1 | `Low` | values | `C` |
      | 2 | `High` | channels | `C`, `Low` |
      """
  )

  private func source(_ text: String, _ path: String = "Sources/Low/A.swift") -> SourceFile {
    SourceFile(path: path, text: text)
  }

  @Test("The table of modules is read")
  func modules() {
    let modules = LayerRule.modules(in: table)
    #expect(modules.map(\.name) == ["C", "Low", "High"])
    #expect(modules.map(\.layer) == [0, 1, 2])
    #expect(modules.last?.imports == ["C", "Low"])
    #expect(LayerRule.violations(in: modules) == [])
  }

  @Test("An import that goes up, sideways or nowhere is found")
  func upward() {
    let modules = [
      LayerRule.Module(name: "A", layer: 1, imports: ["B"]),
      LayerRule.Module(name: "B", layer: 1, imports: ["Missing"]),
    ]
    #expect(LayerRule.violations(in: modules).count == 2)
  }

  @Test("A module may import an earlier row of its own layer, but not itself")
  func earlierRow() {
    let first = LayerRule.Module(name: "A", layer: 1, imports: [])
    let second = LayerRule.Module(name: "B", layer: 1, imports: ["A"])
    #expect(LayerRule.violations(in: [first, second]) == [])
    #expect(LayerRule.violations(in: [second, first]).count == 1)
    let circle = LayerRule.Module(name: "A", layer: 1, imports: ["A"])
    #expect(LayerRule.violations(in: [circle]).count == 1)
  }

  @Test(
    "A source's import that the table does not allow is found",
    arguments: [
      "import High", "public import Foundation", "@preconcurrency internal import Dispatch",
      "import struct Foundation.Data",
    ]
  )
  func imports(line: String) {
    let modules = LayerRule.modules(in: table)
    #expect(LayerRule.violations(in: source(line), modules: modules).count == 1)
    let allowed = "internal import C\nimport Synchronization\n// import High\n"
    #expect(LayerRule.violations(in: source(allowed), modules: modules) == [])
    #expect(
      LayerRule.violations(in: source("", "Sources/New/A.swift"), modules: modules).count == 1
    )
  }

  @Test("A bridge imports its own foreign module and no other")
  func bridges() {
    let modules = [
      LayerRule.Module(name: "DataRegionsFoundation", layer: 6, imports: []),
      LayerRule.Module(name: "DispatchInterop", layer: 6, imports: []),
    ]
    func violations(_ line: String, in module: String) -> Int {
      LayerRule.violations(in: source(line, "Sources/\(module)/A.swift"), modules: modules).count
    }
    let essentials = "@_exported public import FoundationEssentials"
    #expect(violations(essentials, in: "DataRegionsFoundation") == 0)
    #expect(violations("public import Dispatch", in: "DispatchInterop") == 0)
    #expect(violations(essentials, in: "DispatchInterop") == 1)
    #expect(violations("import Dispatch", in: "DataRegionsFoundation") == 1)
    #expect(violations("import Foundation", in: "DataRegionsFoundation") == 1)
  }

  @Test("The manifest's targets are read; those of tests are left out")
  func targets() {
    let manifest = SourceFile(
      path: "Package.swift",
      text: """
            .systemLibrary(
              name: "C",
              providers: [.apt(["x"])]
            ),
            .target(name: "Low", dependencies: ["C"], swiftSettings: settings),
            .target(
              name: "High",
              dependencies: ["C", "Low"]
            ),
            .target(name: "Support", path: "Tests/Support"),
            .testTarget(name: "HighTests", dependencies: ["High"]),
        """
    )
    #expect(LayerRule.targets(in: manifest) == ["C": [], "Low": ["C"], "High": ["C", "Low"]])
  }

  private let raw = "let x = unsafe f()\n"
  private let plain = String(repeating: "let y = 1\n", count: 20)

  private func unsafeViolations(_ files: [SourceFile], _ rows: (String, String)...) -> [String] {
    UnsafeRule.violations(
      in: files,
      listed: rows.map { UnsafeRule.Row(file: $0.0, reason: $0.1) }
    )
  }

  @Test("The list of unsafe files is held in both directions")
  func unsafeList() {
    let files = [
      source(raw, "Sources/Low/Raw.swift"),
      source(plain + "// unsafe\n", "Sources/Low/Plain.swift"),
    ]
    #expect(unsafeViolations(files, ("Sources/Low/Raw.swift", "takes pointers")) == [])
    #expect(unsafeViolations(files).count == 1)
    #expect(unsafeViolations(files, ("Sources/Low/Raw.swift", "")).count == 1)
    let both = unsafeViolations(
      files,
      ("Sources/Low/Raw.swift", "takes pointers"),
      ("Sources/Low/Plain.swift", "takes pointers")
    )
    #expect(both.contains("Sources/Low/Plain.swift: is listed and has no `unsafe`"))
  }

  @Test("Plain logic may not be listed, and listed files keep to their share")
  func unsafeShare() {
    let parser = [source(raw, "Sources/Low/OptionParser.swift"), source(plain)]
    let found = unsafeViolations(parser, ("Sources/Low/OptionParser.swift", "takes pointers"))
    #expect(found.count == 2)
    let many = [source(raw + raw + raw + raw, "Sources/Low/Raw.swift"), source(plain)]
    #expect(unsafeViolations(many, ("Sources/Low/Raw.swift", "takes pointers")).count == 1)
    let rows = UnsafeRule.rows(in: source("| file | reason |\n|---|---|\n| `a` | why |", "U.md"))
    #expect(rows == [UnsafeRule.Row(file: "a", reason: "why")])
  }

  @Test("Paths that a document names are found")
  func paths() {
    let document = SourceFile(
      path: "Documentation/A.md",
      text: """
        ```cpp
        [](void *context) {}
        ```
        Run `scripts/test --full`, see [B](B.md#part), [web](https://x.y), `Sources/<M>/x`.
        """
    )
    #expect(
      ReferenceRule.paths(in: document).map(\.path) == ["scripts/test", "Documentation/B.md"]
    )
  }

  @Test("Numbers are distinguished from words, in comments and strings only")
  func numbers() {
    let file = source(
      """
      // Holds T12, I3 and S105, not T0, X1, T1234 or UTF8.
      let B7 = "F10"
      """
    )
    #expect(ReferenceRule.quoted(in: file).map(\.number) == ["T12", "I3", "S105", "F10"])
    let document = SourceFile(
      path: "D.md",
      text: "| T1 | x |\n- **T2** y\nT3 is prose\n| # | T4 |\n"
    )
    #expect(ReferenceRule.defined(in: document) == ["T1", "T2"])
  }

  private let rules = SourceFile(
    path: "Documentation/A.md",
    text: """
      | # | rule | tests |
      |---|---|---|
      | I1 | holds | `FirstTests/holds`, `SecondTests/holds` |
      | S102 | holds | `FirstTests/misses`, `FirstTests/helps` |
      | I3 | holds | |
      | S4 | holds | - |
      | S5 | has no third column |

      ## Not held yet

      S4: nobody can see it.
      I1: it is held.
      S6: there is no such rule.

      ## Something else

      I3: this is prose.
      """
  )

  @Test("A rule without a test, or with one that is missing, is found")
  func namedTests() {
    let tests = SourceFile(
      path: "Tests/A/FirstTests.swift",
      text: """
        func helps() {
        }
        @Test("Holds", arguments: [1])
        func holds(_ number: Int) {
        }
        private func helps() {
        }
        """
    )
    let rows = NamedTestRule.rows(in: rules)
    #expect(rows.map(\.number) == ["I1", "S102", "I3", "S4"])
    #expect(NamedTestRule.unheld(in: rules) == ["S4", "I1", "S6"])
    #expect(
      NamedTestRule.violations(in: rules, tests: [tests]) == [
        "I1: there is no test SecondTests/holds", "S102: there is no test FirstTests/misses",
        "S102: there is no test FirstTests/helps", "I3: no test", "I1: not held, and has a test",
        "S6: not held, and no rule", "S5: no column for tests",
      ]
    )
  }

  @Test("Versions are read from the change log and the program")
  func versions() {
    let log = SourceFile(
      path: "CHANGELOG.md",
      text: "# Changes\n\n## 1.2.0 - unreleased\n## 1.1.0\n"
    )
    #expect(VersionRule.top(of: log) == "1.2.0")
    #expect(VersionRule.printed("fastcp (IOChannels) 1.2.0\nmore 9.9\n") == "1.2.0")
    #expect(VersionRule.printed("") == nil)
  }
}
