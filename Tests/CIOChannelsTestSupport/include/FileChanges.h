// Changes of files for which the C library's Swift module has no calls.

#ifndef CTESTSUPPORT_FILECHANGES_H
#define CTESTSUPPORT_FILECHANGES_H

/// Exchanges two names; 0, or -1 on failure.
int ct_exchange_names(const char *first, const char *second);

/// Appends a byte to a file by splice; 0, or -1 on failure.
int ct_splice_byte(const char *path);

/// Changes the first byte of a file through a mapping and syncs it; 0, or -1 on failure.
int ct_write_through_mapping(const char *path);

/// Sets the attribute "no dump" of a file; 0, or -1 on failure.
int ct_set_no_dump(const char *path);

#endif
