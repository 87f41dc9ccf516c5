import Foundation
import IOChannelsTestSupport
import Testing

/// The files from which a release is built.
@Suite("Release")
struct ReleaseTests {
  private let repository = Repository.current

  @Test("Programs contain the libraries of C that the package uses, and find none at run time")
  func linkedLibraries() throws {
    let isShared = ProcessInfo.processInfo.environment["IOCHANNELS_SHARED_LIBRARIES"] != nil
    let libraries = try runSuccessfully(["ldd", BuiltProgram.fastcp.path])
    #expect(libraries.contains("libc.so"))
    for name in ["liburing", "libxxhash", "libcrypto", "libb2"] {
      #expect(libraries.contains("\(name).so") == isShared, "\(name)")
    }
  }

  @Test("Each closure that the compiler checks for an escape has a path without the directory")
  func sourcePaths() {
    for file in repository.files(in: "Sources") {
      let checks = file.code.filter { contains(word: "withoutActuallyEscaping", in: $0) }
      let paths = file.lines.filter { $0.trimmed.hasPrefix("#sourceLocation(file:") }
      #expect(checks.count == paths.count, "\(file.path)")
    }
  }

  @Test("The index of packages shows the pages of each catalogue")
  func documentationTargets() throws {
    let index = try repository.file(".spi.yml").lines
    let modules = Set(repository.pages.map(\.module))
    #expect(modules.count == 6)
    for module in modules.sorted() {
      #expect(index.contains { $0.trimmed == "- \(module)" }, "\(module)")
    }
  }

  @Test("Each package has its control file, and the manual has the version of the change log")
  func packages() throws {
    for package in ["fastcp", "libgcd1", "libgcd-dev"] {
      let control = try repository.file("Packaging/debian/\(package)/control")
      #expect(control.lines.first == "Package: \(package)")
      #expect(control.lines.contains("Version: @VERSION@"))
    }
    let top = try #require(VersionRule.top(of: try repository.file("CHANGELOG.md")))
    let manual = try repository.file("Packaging/man/fastcp.1").lines
    #expect(manual.contains { $0.hasPrefix(".TH FASTCP 1 ") && $0.contains("fastcp \(top)\"") })
  }

  @Test("The scripts of a release can be run")
  func scripts() {
    for name in [
      "bill-of-materials", "build-in-chroot", "build-packages", "check-site", "release",
      "reproduce", "try-kernels", "try-packages",
    ] {
      #expect(repository.isExecutable("scripts/\(name)"), "\(name)")
    }
  }
}
