public import DataRegions

extension IOChannel {
  /// The lines of the file as bytes, without the bytes that end them.
  ///
  /// Each use creates a ``ChannelReader`` with its default options. It begins at offset 0 of a
  /// random channel, and at the file position of a stream. The bytes that it has read ahead are
  /// dropped with the loop, so a stream that is read further needs a reader that the program keeps
  /// (<doc:Rules#S239>).
  public var lines: ChannelReader.Elements<DataBuffer> { ChannelReader(self).lines }

  /// The lines of the file as strings, without the bytes that end them.
  ///
  /// Bytes that are not valid UTF-8 are replaced by U+FFFD (�). All other properties are those of
  /// ``lines``.
  public var stringLines: ChannelReader.Elements<String> { ChannelReader(self).stringLines }
}
