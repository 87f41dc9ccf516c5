import IOChannelsTestSupport
import Testing

/// An event of ext4 reports the size of each write.
@Suite("The pieces of written files (S178)", .needs(.root, .loop, .events))
struct WrittenPieceTests {
  /// Runs a command, in which `m` is an ext4, and gives the largest piece that was written there.
  private func largestPiece(_ command: String, backend: String = "auto") throws -> Int {
    let image = try LoopImage(.ext4, megabytes: 200)
    let script = """
      events=$(mktemp -d /sys/kernel/tracing/instances/iochannels-test.XXXXXXXX)
      trap 'echo 0 >$event/enable; rmdir $events' EXIT
      event=$events/events/ext4/ext4_da_write_begin
      device=$(($(stat -L -c '(%Hd << 20) + %Ld' m)))
      echo "dev == $device" >$event/filter; echo 1 >$event/enable
      \(command)
      echo 0 >$event/enable
      sed -n 's/.* ext4_da_write_begin: .* len //p' $events/trace | sort -n | tail -n 1
      """
    let place = try TemporaryDirectory(in: "/dev/shm")
    try runSuccessfully(["ln", "-s", image.path, place("m")])
    try place.write([UInt8](repeating: 7, count: 20_000_000), to: "f")
    let text = try runSuccessfully(
      [
        "bash", "-euc", script, BuiltProgram.fastcp.path, BuiltProgram.channeltool.path,
      ],
      environment: ["IOCHANNELS_BACKEND": backend],
      directory: place.path
    )
    return try #require(Int(text.split(separator: "\n").last ?? ""), "\(text)")
  }

  @Test("The event reports the pieces of a program that writes larger ones")
  func others() throws {
    #expect(try largestPiece("dd if=f of=m/f bs=1M status=none") > 1 << 18)
    #expect(try largestPiece("dd if=f of=m/f bs=64K status=none") == 1 << 16)
  }

  @Test(
    "Copies write at most 256 KiB at a time",
    arguments: ["auto", "threads"],
    ["f m/f", "m/f m/g", "--reflink=never m/f m/g", "--sparse=always f m/f", "--verify f m/f"]
  )
  func copies(backend: String, operands: String) throws {
    let prepare = "dd if=f of=m/f bs=64K status=none; rm -f m/g;"
    let largest = try largestPiece("\(prepare) \"$0\" \(operands)", backend: backend)
    #expect((1 << 16...1 << 18).contains(largest))
  }

  @Test(
    "Channels write at most 256 KiB at a time",
    arguments: ["auto", "threads"],
    ["stream f m/f", "region m/f", "writes m/f", "appends m/f"]
  )
  func channels(backend: String, way: String) throws {
    let largest = try largestPiece("\"$1\" transfer \(way) >/dev/null", backend: backend)
    #expect(largest == 1 << 18)
  }
}
