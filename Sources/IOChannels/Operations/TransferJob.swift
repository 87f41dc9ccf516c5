import DataRegions

/// The bytes that a read or write is to transfer, and its deliveries.
enum TransferJob: Sendable {
  case read(length: Int, DeliveryLimits, ReadExtent)
  case write(DataBuffer, DeliveryLimits)

  /// Returns the same job with other limits.
  func limited(by limits: DeliveryLimits) -> TransferJob {
    switch self {
    case .read(let length, _, let extent): .read(length: length, limits, extent)
    case .write(let data, _): .write(data, limits)
    }
  }
}

/// The condition that ends a read before the end of the file.
enum ReadExtent: Sendable {
  /// All requested bytes were read.
  case whole
  /// Some bytes were read.
  case available
  /// Some bytes were read and no more are available; for a file as `whole`.
  case untilEmpty
}
