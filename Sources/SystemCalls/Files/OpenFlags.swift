internal import CSystem

/// How a name is opened. Every opening closes on `exec`.
package struct OpenFlags: OptionSet, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// For reading, the default when nothing else is said.
  package static let readOnly = OpenFlags([])
  /// For writing.
  package static let writeOnly = OpenFlags(rawValue: 0o1)
  /// For reading and writing.
  package static let readWrite = OpenFlags(rawValue: 0o2)
  /// Makes the file when there is none.
  package static let create = OpenFlags(rawValue: 0o100)
  /// With `create`: fails when there is one, even a dangling link.
  package static let exclusive = OpenFlags(rawValue: 0o200)
  /// A terminal does not become the process's own.
  package static let noTerminal = OpenFlags(rawValue: 0o400)
  /// Cuts the file to length 0.
  package static let truncate = OpenFlags(rawValue: 0o1000)
  /// Does not wait for the other end of a FIFO or for a device.
  package static let nonBlocking = OpenFlags(rawValue: 0o4000)
  /// Fails when the name is not a directory.
  package static let directory = OpenFlags(rawValue: csys_o_directory)
  /// Fails when the last component is a symbolic link.
  package static let noFollow = OpenFlags(rawValue: csys_o_nofollow)
  /// Only a handle for names below and for metadata; needs no permission on the file.
  package static let path = OpenFlags(rawValue: csys_o_path)
  /// Makes a file without a name in the directory that is opened.
  package static let unnamed = OpenFlags(rawValue: csys_o_tmpfile)
}

extension BorrowedDescriptor {
  /// Stands for the working directory where a directory is asked for.
  package static let workingDirectory = BorrowedDescriptor(rawValue: -100)
}
