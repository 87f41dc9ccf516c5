// The errors and descriptors of mappings come with the buffers.
@_exported public import IOChannelsSystem
