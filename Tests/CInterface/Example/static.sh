gcc -O2 sizes.c -o sizes $(pkg-config --cflags iochannels-gcd) \
  "$SWIFT/$(uname -m)/swiftrt.o" "$(pkg-config --variable=libdir iochannels-gcd)/libgcd.a" \
  -L "$SWIFT" -Wl,--start-group -lswiftSynchronization -lswift_Concurrency \
  -lswift_StringProcessing -lswift_RegexParser -lswiftGlibc -lswiftCore -ldispatch \
  -lBlocksRuntime -Wl,--end-group -luring -lstdc++ -lm -lpthread -ldl
