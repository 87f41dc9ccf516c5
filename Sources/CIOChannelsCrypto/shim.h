// OpenSSL 3 deprecates these functions in favour of EVP, which links all of its algorithms.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
