// Sockets of UDP on the loopback address.

#ifndef CTESTSUPPORT_DATAGRAMS_H
#define CTESTSUPPORT_DATAGRAMS_H

/// Returns a socket whose peer does not exist, -1 on failure.
int ct_datagrams_to_nobody(void);

/// Returns a socket at the address of another one's peer, connected to it; -1 on failure.
int ct_datagram_peer(int fd);

/// Lets the kernel put a message with the time into the socket's error queue for each packet that
/// is sent; not 0 on failure.
int ct_record_send_times(int fd);

/// Lets the kernel put a message into the socket's error queue for each datagram that is refused;
/// not 0 on failure.
int ct_record_refusals(int fd);

/// Takes all messages of a socket's error queue and returns their number.
int ct_take_error_messages(int fd);

#endif
