// Writes and reads base 64 part by part; the results are those of one call for all parts.

import DataRegions

let parts = ["any car", "nal ple", "asure"].map { DataBuffer($0.utf8) }

var encoder = BaseEncoder(.base64)
var encoded = DataBuffer()
for part in parts { encoded.append(encoder.encode(part)) }
encoded.append(encoder.finish())
print(String(repairing: encoded))

var decoder = BaseDecoder(.base64)
var decoded = DataBuffer()
do throws(DataFormatError) {
  for part in [encoded.subdata(in: 0..<9), encoded.subdata(in: 9..<encoded.count)] {
    decoded.append(try decoder.decode(part))
  }
  decoded.append(try decoder.finish())
  print(decoded == DataBuffer(concatenating: parts))
} catch {
  print("not base 64: \(error)")
}

// snippet.hide
// YW55IGNhcm5hbCBwbGVhc3VyZQ==
// true
