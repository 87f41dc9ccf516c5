internal import CIOChannelsSystem

/// The control group of this process in one hierarchy: a line of `/proc/self/cgroup`.
package struct ControlGroup: Equatable {
  /// Whether the line belongs to the unified hierarchy of version 2.
  package var isUnified: Bool
  /// The path below the mount point, which starts with a slash.
  package var path: String

  /// Finds the group in the hierarchy of version 1 that has `controller`, or else in version 2.
  ///
  /// Without a controller only version 2 is searched.
  package init?(ruling controller: String?, in text: String) {
    var unified: ControlGroup?
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let path = String(fields[2])
      if let controller, fields[1].split(separator: ",").contains(controller[...]) {
        self.init(isUnified: false, path: path)
        return
      }
      if fields[0] == "0" && fields[1].isEmpty {
        unified = ControlGroup(isUnified: true, path: path)
      }
    }
    guard let unified else { return nil }
    self = unified
  }

  init(isUnified: Bool, path: String) {
    self.isUnified = isUnified
    self.path = path
  }

  /// Returns the group of this process that has `controller`.
  static func ofThisProcess(ruling controller: String) -> ControlGroup? {
    contents(of: "/proc/self/cgroup").flatMap { ControlGroup(ruling: controller, in: $0) }
  }

  /// Returns the first 16 KiB of a file in `/proc` or `/sys`, nil if it cannot be read.
  package static func contents(of path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let result = unsafe csys_control_file(path, &bytes, bytes.count)
    guard let count = try? result.get() else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// The path of the group and those of its ancestors, up to the root.
  var ancestors: [String] {
    var names = path.split(separator: "/")
    var found: [String] = []
    while !names.isEmpty {
      found.append("/" + names.joined(separator: "/"))
      names.removeLast()
    }
    return found + [""]
  }
}
