/// What the fuzzer calls with every input that it makes up.
@c(LLVMFuzzerTestOneInput)
func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var program = BufferProgram(Script(UnsafeBufferPointer(start: start, count: count)))
  program.run()
  return 0
}

/// Ends the program, which the fuzzer reports together with the input.
func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  if !condition { fatalError(sentence()) }
}
