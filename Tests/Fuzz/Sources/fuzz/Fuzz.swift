/// What the fuzzer calls with every input that it makes up.
@c(LLVMFuzzerTestOneInput)
func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  var program = BufferProgram(Script(input))
  program.run()
  ReportParsers.check(Array(input))
  return 0
}

/// Ends the program, which the fuzzer reports together with the input.
func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  if !condition { fatalError(sentence()) }
}
