import Testing

@testable import FileCopy

/// The part of a copy that is complete.
@Suite("Fractions of a copy")
struct CopyProgressTests {
  private func progress(
    files: Int = 0,
    bytes: Int64 = 0,
    of expectedFiles: Int = 0,
    _ expectedBytes: Int64 = 0
  ) -> CopyProgress {
    var progress = CopyProgress()
    progress.fileCount = files
    progress.byteCount = bytes
    progress.expectedFileCount = expectedFiles
    progress.expectedByteCount = expectedBytes
    progress.isCounted = true
    return progress
  }

  @Test("Until the count is complete there is no fraction")
  func uncounted() {
    var progress = progress(files: 1, bytes: 10, of: 4, 40)
    progress.isCounted = false
    #expect(progress.fractionCompleted == nil)
    progress.isFinished = true
    #expect(progress.fractionCompleted == nil)
    #expect(CopyProgress().fractionCompleted == nil)
  }

  @Test("Bytes are counted, or files if there are no bytes")
  func counted() {
    #expect(progress(files: 3, bytes: 10, of: 4, 40).fractionCompleted == 0.25)
    #expect(progress(of: 4, 40).fractionCompleted == 0)
    #expect(progress(files: 3, of: 4).fractionCompleted == 0.75)
    #expect(progress(files: 4, bytes: 40, of: 4, 40).fractionCompleted == 1)
    // There was nothing to copy.
    #expect(progress().fractionCompleted == 1)
  }

  @Test("A fraction is at most 1, whatever was copied")
  func bounds() {
    #expect(progress(files: 9, bytes: 90, of: 4, 40).fractionCompleted == 1)
    #expect(progress(files: 9, of: 4).fractionCompleted == 1)
    #expect(progress(bytes: .max, of: 1, 1).fractionCompleted == 1)
  }
}
