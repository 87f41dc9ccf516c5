import DataRegionsFoundation
import Dispatch
import EventSources
import FileCopy
import Foundation
import IOChannels
import IOChannelsStandIns
import Testing

/// The public types beside those of packages that programs often import too.
///
/// The compiler refuses a bare name that two imported modules declare.
@Suite("Names beside other packages")
struct ForeignNameTests {
  private static let own: [any ~Copyable.Type] = [
    AttributeLoss.self,
    BackupNaming.self,
    BaseCoding.self,
    BaseDecoder.self,
    BaseEncoder.self,
    BorrowedDescriptor.self,
    BufferedWriter.self,
    BytePath.self,
    (any BytePathConvertible).self,
    ChannelReader.self,
    ChecksumAlgorithm.self,
    ClockInterval.self,
    CloneRule.self,
    CopyCheck.self,
    CopyError.self,
    CopyEvent.self,
    CopyFailure.self,
    CopyFilter.self,
    CopyFilterError.self,
    CopyManifest.self,
    CopyMethod.self,
    CopyMonitor.self,
    CopyObserver.self,
    CopyOptions.self,
    CopyPlacement.self,
    CopyProduct.self,
    CopyProgress.self,
    CopyQuestion.self,
    CopyRecord.self,
    CopyReport.self,
    CopyShard.self,
    CopyUpdates.self,
    CountingSemaphore.self,
    DataBuffer.self,
    DataFormat.self,
    DataFormatError.self,
    DataSource.self,
    Deadline.self,
    DirectRule.self,
    DurabilityRule.self,
    DestinationReport.self,
    DurableFile.self,
    EarlierCopy.self,
    EventPort.self,
    EventSource.self,
    FileAdvice.self,
    FileCopier.self,
    FileIdentity.self,
    FileKind.self,
    FileStatus.self,
    FileSystemSource.self,
    HoleRule.self,
    IOChannel.self,
    IOChannelError.self,
    IOEngine.self,
    ManifestChecker.self,
    ManifestError.self,
    ManifestFinding.self,
    ManifestReport.self,
    MemoryPressureSource.self,
    Once.self,
    OpenFlags.self,
    OverwriteRule.self,
    OwnedDescriptor.self,
    PortSource.self,
    PreservedAttributes.self,
    ProcessSource.self,
    ProcessStatus.self,
    QueueCondition.self,
    QueueKey<Int>.self,
    ReadSource.self,
    RelayError.self,
    ShellQuoting.self,
    SignalSource.self,
    SourceEvents<Int, Never>.self,
    StatusFlags.self,
    (any SuspendableObject).self,
    SystemError.self,
    TextEncoding.self,
    TextTranscoder.self,
    TimerSource.self,
    WaitResult.self,
    WallDeadline.self,
    WorkGroup.self,
    WorkItem.self,
    WorkQueue.self,
    WorkerPool.self,
    WriteSource.self,
  ]

  private static let foreign: [Any.Type] = [
    Data.self, DispatchData.self, DispatchQueue.self, Errno.self, FileDescriptor.self,
    FileManager.self, FilePath.self, IOError.self, URL.self, URLResourceKey.self,
  ]

  @Test("No bare name is ambiguous")
  func names() {
    #expect(!Self.own.isEmpty && !Self.foreign.isEmpty)
  }

  /// A path as another package declares it.
  private struct ForeignPath: BytePathConvertible {
    let string: String
    var bytePath: BytePath { BytePath(string) }
  }

  @Test("A path of another package is accepted where a path is")
  func foreignPath() async throws {
    let path = ForeignPath(string: "/dev/zero")
    let bytes = try await IOChannel.withOpen(path) { channel in
      try await channel.read(length: 3, at: 0)
    }
    #expect(bytes.count == 3)
  }
}
