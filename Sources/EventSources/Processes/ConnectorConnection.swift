internal import IOChannelsLocks

/// A use of the shared connector, which stays open as long as there is one.
final class ConnectorConnection: Sendable {
  private struct Shared {
    var connector: ProcessConnector?
    var uses = 0
  }

  private static let shared = BargingLock(Shared())

  let connector: ProcessConnector

  /// Opens the connector unless it is open.
  init() throws(SystemError) {
    let list = try SharedReadinessList.get()
    connector = try Self.shared.withLock { shared in
      Result { () throws(SystemError) in
        if let connector = shared.connector, connector.isOfThisProcess {
          shared.uses += 1
          return connector
        }
        let connector = try ProcessConnector(list: list)
        do throws(SystemError) {
          try connector.open()
        } catch {
          connector.close()
          throw error
        }
        shared = Shared(connector: connector, uses: 1)
        return connector
      }
    }.get()
  }

  deinit {
    let unused = Self.shared.withLock { shared -> ProcessConnector? in
      guard shared.connector === connector else { return nil }
      shared.uses -= 1
      return shared.uses == 0 ? shared.connector.take() : nil
    }
    unused?.close()
  }
}
