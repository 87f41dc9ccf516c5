// A client uses the members of the renamed types, and `Data` beside buffers.
@_exported public import IOChannels
@_exported public import EventSources
@_exported public import DataRegionsFoundation
