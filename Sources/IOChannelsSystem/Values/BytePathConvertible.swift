/// A type whose values are paths, such as strings and the paths of other packages.
///
/// Functions that take a path accept every conforming type. A path of another package conforms by
/// one property:
///
/// ```swift
/// extension SystemPackage.FilePath: @retroactive BytePathConvertible {
///   public var bytePath: BytePath {
///     // All bytes up to the zero byte. The property `string` would replace invalid UTF-8.
///     withPlatformString { text in
///       BytePath(bytes: (0...).lazy.map { UInt8(truncatingIfNeeded: text[$0]) })
///     }
///   }
/// }
/// ```
public protocol BytePathConvertible {
  /// The bytes of the path, as the kernel receives them.
  var bytePath: BytePath { get }
}

extension BytePath: BytePathConvertible {
  /// The path itself.
  public var bytePath: BytePath { self }
}

extension String: BytePathConvertible {
  /// The path of the string's UTF-8 bytes.
  public var bytePath: BytePath { BytePath(self) }
}

extension Substring: BytePathConvertible {
  /// The path of the substring's UTF-8 bytes.
  public var bytePath: BytePath { BytePath(bytes: utf8) }
}
