import Testing

/// Each file beside this one imports one product and names what stands in its signatures; that
/// they compile is most of the test.
@Suite("Products")
struct ProductTests {
  @Test("A program that imports one product gets what its signatures need")
  func oneImport() {
    #expect(useDataRegions() == 3)
    #expect(useDataRegionsFoundation() == [1, 2, 3])
    #expect(useDispatchInterop() == 3)
    #expect(useQueueRuntime())
    #expect(useEventSources())
    #expect(useIOChannels(-1) == 1)
    #expect(useFileCopy() == "/nowhere: No such file or directory")
  }
}
