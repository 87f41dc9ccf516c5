import IOChannelsEngine
import IOChannelsSystem

extension Request {
  /// Whether it looks at, opens or closes a file.
  var isAboutFile: Bool {
    switch kind {
    case .status, .open, .close: true
    default: false
    }
  }
}

/// Looks at, opens and closes real files, unless the seed says that this fails.
extension SimulatedBackend {
  func changeFile(of request: Request) {
    guard let channel = log.channel(of: request) else {
      return report.expect(false, "I9: a request about a file that no channel asked for")
    }
    request.end(Result { () throws(SystemError) in try answer(request, for: channel) })
  }

  private func answer(_ request: Request, for channel: ChannelRecord) throws(SystemError) -> Int {
    switch request.operation {
    case .open(let path, let flags, let permissions):
      channel.opens(report)
      if let error = channel.path?.openingError {
        report.count(.pathNotOpened)
        throw error
      }
      let file = try request.descriptor.open(path, flags, permissions: permissions)
      report.count(.pathOpened)
      let number = file.release()
      channel.opened(number)
      return Int(number)
    case .close:
      channel.closes(request.descriptor, report)
      _ = OwnedDescriptor(owning: request.descriptor.rawValue)
      report.count(.pathClosed)
      if channel.path?.closingFails ?? false {
        report.count(.closingFailed)
        throw .ioError
      }
    case .status(let path, let following):
      log.examined(request)
      if channel.openingError == .ioError {
        report.count(.lookFailed)
        throw .ioError
      }
      request.status =
        if let path {
          try request.descriptor.status(of: path, following: following)
        } else {
          try request.descriptor.status()
        }
    default: report.expect(false, "a transfer is no change of a file")
    }
    return 0
  }
}
