import IOChannelsSystem

/// The journal of an ext4 file system.
enum Journal {
  /// Whether the kernel reports that the file system of an open file has a journal.
  ///
  /// The file system may also be ext2 or ext3, which `statfs` does not distinguish from ext4. The
  /// answer is false without `/sys`, too.
  static func isKnown(of file: BorrowedDescriptor) -> Bool {
    guard let device = try? file.status().identity.device, let name = name(ofDevice: device),
      let state = try? BorrowedDescriptor.workingDirectory.open(
        BytePath("/sys/fs/ext4/").appending(name).appending("journal_task"),
        .readOnly
      ),
      let number = try? state.borrowed.readToEnd(limit: 64)
    else { return false }
    return isNumber(number)
  }

  /// Whether a text is the number of the journal's thread; `<none>` is not.
  static func isNumber(_ text: [UInt8]) -> Bool {
    text.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
  }

  /// Returns the kernel's name of a block device; nil if there is none with the number.
  private static func name(ofDevice number: UInt64) -> BytePath? {
    // The number has both parts in the order of the C library.
    let major = (number >> 8) & 0xfff | (number >> 32) & 0xffff_f000
    let minor = number & 0xff | (number >> 12) & 0xffff_ff00
    let link = BytePath("/sys/dev/block/\(major):\(minor)")
    let target = try? BorrowedDescriptor.workingDirectory.target(ofLink: link, length: 128)
    return target.map { OperandNames.split($0).name }
  }
}
