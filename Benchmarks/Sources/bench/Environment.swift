import Foundation

extension Options {
  /// Returns the environment of results that are measured now.
  func environment() throws -> [String: String] {
    func firstLine(_ text: String) -> String {
      text.split(separator: "\n").first.map(String.init) ?? ""
    }
    return [
      // Without the distributor's suffix.
      "kernel": String(firstLine(try output("uname", "-r")).prefix { $0 != "-" }),
      "processor": try processor(),
      "processors": firstLine(try output("nproc")),
      "machine": try machine(),
      "cp": firstLine(try output("cp", "--version")),
      "rsync": firstLine((try? output("rsync", "--version")) ?? "not installed"),
      "fio": firstLine((try? output("fio", "--version")) ?? "not installed"),
      "date": firstLine(try output("date", "-u", "+%Y-%m-%d")),
      "revision": (try? revision()) ?? "unknown",
      "disk": "\(disk), \(try fileSystem(of: disk))",
      "file systems": "ext4 (no clones), xfs and btrfs (clones), images in memory; for what is "
        + "cold, images on the disk, without a cache below them",
      "load at the start": try loadOfMachine(),
      "swift": firstLine(try output("swift", "--version")),
      "size": size.rawValue,
      "seed": "\(seed)",
    ]
  }
}

/// Returns the commit, and whether something other than results differs from it.
private func revision() throws -> String {
  let commit = try output("git", "describe", "--always").trimmingCharacters(in: .newlines)
  let others = [":!Benchmarks/Results", ":!README.md"]
  let status = ["git", "status", "--porcelain", "--untracked-files=no", "--", "."] + others
  return try output(status).isEmpty ? commit : "\(commit)-dirty"
}

/// Returns the name of the first processor, with family and model, because one name may stand for
/// several kinds.
private func processor() throws -> String {
  let text = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
  let parts = [("model name", ""), ("cpu family", "family "), ("model", "model ")]
  return parts.compactMap { name, title in
    let line = text.split(separator: "\n").first { $0.prefix { $0 != "\t" } == name }
    return line?.split(separator: ":").last.map { "\(title)\($0.drop { $0 == " " })" }
  }.joined(separator: ", ")
}

/// Returns the amount of memory, and whether the machine is virtual.
private func machine() throws -> String {
  let text = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
  let gibibytes = Double(ProcessInfo.processInfo.physicalMemory) / Double(1 << 30)
  return "\(text.contains(" hypervisor ") ? "virtual" : "not virtual"), "
    + "\(Int(gibibytes.rounded())) GiB of memory"
}

/// Returns the type of the file system of a directory.
func fileSystem(of directory: String) throws -> String {
  try output("findmnt", "-n", "-o", "FSTYPE", "-T", directory)
    .trimmingCharacters(in: .newlines)
}

/// Returns the load average of the last minute.
func loadOfMachine() throws -> String {
  try String(contentsOfFile: "/proc/loadavg", encoding: .utf8).split(separator: " ").prefix(1)
    .joined()
}

extension [String: String] {
  /// Returns the same environment with the revision of another run added, which must be of the same
  /// machine and size.
  func joined(by other: Self) throws -> Self {
    for name in ["kernel", "processor", "processors", "size", "seed"]
    where self[name] != other[name] {
      throw CommandFailure(description: "the earlier results are of another \(name)")
    }
    var joined = self
    let mark = ", then "
    let before = self["revision"]?.components(separatedBy: mark) ?? []
    if let now = other["revision"], before.last != now {
      joined["revision"] = (before + [now]).joined(separator: mark)
    }
    return joined
  }
}
