import DataRegions
import Glibc

/// The transforms of `dispatch_data`, found by name in the library that is loaded anyway.
enum DispatchTransform {
  private typealias Object = UnsafeMutableRawPointer
  private typealias Create =
    @convention(c) (UnsafeRawPointer?, Int, Object?, Object?) -> Object?
  private typealias Combine = @convention(c) (Object?, Object?) -> Object?
  private typealias Transform = @convention(c) (Object?, Object?, Object?) -> Object?
  private typealias Map =
    @convention(c) (
      Object?, UnsafeMutablePointer<UnsafeRawPointer?>, UnsafeMutablePointer<Int>
    ) -> Object?
  private typealias Size = @convention(c) (Object?) -> Int

  /// Whether this process has the transforms.
  static var isReachable: Bool {
    unsafe symbol("dispatch_data_create_with_transform") != nil
  }

  /// Transforms data with a region for each array; `nil` when the library refuses.
  ///
  /// The few objects of a call are not released.
  static func apply(_ regions: [[UInt8]], _ from: DataFormat, _ to: DataFormat) -> [UInt8]? {
    guard
      let create = unsafe symbol("dispatch_data_create"),
      let combine = unsafe symbol("dispatch_data_create_concat"),
      let transform = unsafe symbol("dispatch_data_create_with_transform"),
      let map = unsafe symbol("dispatch_data_create_map"),
      let size = unsafe symbol("dispatch_data_get_size")
    else { return nil }
    var data = unsafe unsafeBitCast(create, to: Create.self)(nil, 0, nil, nil)
    for region in regions {
      let part = unsafe region.withUnsafeBytes {
        unsafe unsafeBitCast(create, to: Create.self)($0.baseAddress, $0.count, nil, nil)
      }
      unsafe data = unsafeBitCast(combine, to: Combine.self)(data, part)
    }
    let function = unsafe unsafeBitCast(transform, to: Transform.self)
    guard let result = unsafe function(data, format(from), format(to)) else { return nil }
    // A faulty result claims nearly all of memory.
    guard unsafe unsafeBitCast(size, to: Size.self)(result) < 1 << 40 else { return nil }
    var (start, count): (UnsafeRawPointer?, Int) = (nil, 0)
    _ = unsafe unsafeBitCast(map, to: Map.self)(result, &start, &count)
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private static func symbol(_ name: String) -> Object? { unsafe dlsym(nil, name) }

  private static func format(_ format: DataFormat) -> Object? {
    let name =
      switch format {
      case .none: "none"
      case .base64: "base64"
      case .base32: "base32"
      case .base32hex: "base32hex"
      case .utf8: "utf8"
      case .utf16LittleEndian: "utf16le"
      case .utf16BigEndian: "utf16be"
      case .anyUTF: "utf_any"
      }
    return unsafe symbol("_dispatch_data_format_type_\(name)")
  }
}
