// Sockets of UDP on the loopback address.

#ifndef CTESTSUPPORT_DATAGRAMS_H
#define CTESTSUPPORT_DATAGRAMS_H

/// Returns a socket whose peer does not exist, -1 on failure.
int ct_datagrams_to_nobody(void);

/// Returns a socket at the address of another one's peer, connected to it; -1 on failure.
int ct_datagram_peer(int fd);

#endif
