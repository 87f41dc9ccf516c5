import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// The owner of a request to the engine about a descriptor, on behalf of a channel.
private final class DescriptorInquiry: ChannelRequestOwner {
  private let channel: ChannelCore?
  private let answer: @Sendable (Request, TransferResult) -> Void

  init(
    _ channel: ChannelCore?,
    answer: @escaping @Sendable (Request, TransferResult) -> Void
  ) {
    self.channel = channel
    self.answer = answer
  }

  var channelIdentity: ObjectIdentifier { ObjectIdentifier(channel ?? self as AnyObject) }

  func requestEnded(_ request: Request, with result: TransferResult) {
    answer(request, result)
  }
}

extension DescriptorEntry {
  /// Examines the descriptor or path for a channel.
  func examine(for channel: Int, _ kind: IOChannel.StreamType) {
    if let examined {
      return change { state, actions in state.examined(.success(.init(examined)), &actions) }
    }
    switch source {
    case .number(let descriptor):
      ask(.status(nil, following: true), of: descriptor, for: channel) { [self] request, result in
        let found = Result<Examination, SystemError> { () throws(SystemError) in
          _ = try result.get()
          return try Examination(of: descriptor, request.status)
        }
        change { state, actions in state.examined(found, &actions) }
      }
    case .path(let path):
      if let leader = takeLeader() { return leader.lead(self) }
      look(at: path.path, following: path.followsLinks, of: path, for: channel, kind)
    }
  }

  /// Continues the creation of the path's channel, or fails it.
  func resumeCreation(_ error: SystemError?) {
    change { state, actions in
      if let error {
        state.examined(.failure(error), &actions)
      } else if let kind = state.channels[0]?.kind {
        actions.append(.examine(channel: 0, kind))
      }
    }
  }

  /// Examines a path, or the directory in which it is to be created.
  private func look(
    at name: BytePath,
    following: Bool,
    of path: OpeningPath,
    for channel: Int,
    _ kind: IOChannel.StreamType
  ) {
    ask(.status(name, following: following), for: channel) { [self] request, result in
      if case .failure = result, name == path.path, let parent = path.parentOfNewFile {
        return look(at: parent, following: true, of: path, for: channel, kind)
      }
      let found = Result<Examination, SystemError> { () throws(SystemError) in
        _ = try result.get()
        guard let status = request.status else { throw .ioError }
        return try Examination(ofPath: name == path.path ? status.kind : .regular, for: kind)
      }
      change { state, actions in state.examined(found, &actions) }
      if case .failure(let error) = found { notifyFollowers(error) } else { notifyFollowers(nil) }
    }
  }

  /// Opens the path.
  func open() {
    guard case .path(let path) = source else { return }
    ask(.open(path.path, path.flags(isRegular: isRegular), permissions: path.mode)) {
      [self] _, result in
      let opened = result.flatMap { OpeningPath.file(OwnedDescriptor(owning: Int32($0))) }
      change { state, actions in state.opened(opened, &actions) }
    }
  }

  /// Closes a descriptor that was opened here.
  func close(_ descriptor: BorrowedDescriptor) {
    ask(.close, of: descriptor) { [self] _, result in
      if result == .failure(.canceled) || result == .failure(.ownerDied) {
        // The engine has not closed it.
        _ = OwnedDescriptor(owning: descriptor.rawValue)
      }
      change { state, actions in state.fileClosed(&actions) }
    }
  }

  /// Whether the path named a regular file, or no file, when it was examined.
  var isRegular: Bool { change { state, _ in state.hasPosition } }

  /// Submits a request for a channel; a path has only one, the first.
  private func ask(
    _ operation: Request.Operation,
    of descriptor: BorrowedDescriptor = .workingDirectory,
    for channel: Int = 0,
    answer: @escaping @Sendable (Request, TransferResult) -> Void
  ) {
    let inquiry = DescriptorInquiry(core(of: channel), answer: answer)
    engine.submit(Request(operation, descriptor: descriptor, tag: 0, owner: inquiry))
  }
}

extension Examination {
  /// Creates the result for a descriptor of the caller.
  fileprivate init(
    of descriptor: BorrowedDescriptor,
    _ status: FileStatus?
  ) throws(SystemError) {
    guard let status else { throw .ioError }
    let traits = try DescriptorTraits(of: descriptor, status)
    let size = traits.kind == .seekable ? Int(status.size) : 0
    self.init(OpenFile(descriptor: descriptor, traits: traits, size: size))
  }

  /// Creates the result for a descriptor that was examined.
  fileprivate init(_ file: OpenFile) {
    self.file = file
    hasPosition = file.traits.kind == .seekable
  }

  /// Creates the result for a path.
  fileprivate init(ofPath found: FileKind, for kind: IOChannel.StreamType) throws(SystemError) {
    if found == .directory { throw .isDirectory }
    if kind == .random, found == .fifo || found == .socket { throw .illegalSeek }
    file = nil
    hasPosition = found == .regular
  }
}
