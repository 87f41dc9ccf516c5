// The signatures of this module use types of these modules. Foundation replaces other types of
// FoundationEssentials, whose names would be ambiguous beside it if all were exported.
@_exported public import DataRegions
@_exported public import protocol FoundationEssentials.ContiguousBytes
@_exported public import struct FoundationEssentials.Data
@_exported public import protocol FoundationEssentials.DataProtocol
