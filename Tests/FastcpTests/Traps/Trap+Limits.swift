extension Trap {
  /// Names, depths and what a process may have.
  static let limits: [Trap] = [
    Trap(
      37,
      "names are bytes, and messages have one line",
      #"""
      long=$(printf 'n%.0s' {1..255}); mkdir t; cd t
      for n in $'\xff\xfe' $'line\nbreak' -dash ' ' '*' $'\x1b[31m' "it's" "$long"; do
        printf %s "$n" >"./$n"
      done
      mkdir $'dir\n\xff'; ln -s $'\xe9' $'dir\n\xff/\xe8'; cd ..; copy -r t u
      (cd u; find . -print0 | sort -z | cksum; cat -- * 2>/dev/null | cksum)
      copy $'no\nsuch\x1b\xff' u; wc -l <"$OUT/said"
      LC_ALL=C.UTF-8 copy $'t/dir\n\xff' u; wc -l <"$OUT/said"; copy -- -dash u
      """#
    ),
    Trap(
      38,
      "a second name fits beside the longest",
      #"""
      n=$(printf 'n%.0s' {1..255}); mkdir to d; head -c 300000 $DATA >$n; echo old >to/$n
      copy --atomic $n to; cmp $n to/$n && echo whole; copy -a --atomic $n to
      copy --verify $n to; cmp $n to/$n && echo whole; ln -s x d/$n; rm to/$n
      copy -a d/$n to; copy -a d/$n to; readlink to/$n; ls -A to | wc -l; cat "$OUT/told"
      """#,
      .stated("whole\nwhole\nx\n1\n" + String(repeating: "status 0\n", count: 5)),
      naiveLoop: .holds(because: "it gives a file no second name")
    ),
    Trap(
      39,
      "a path may be longer than the longest",
      #"""
      n=$(printf 'n%.0s' {1..250}); mkdir t
      (
        cd t; for i in {1..20}; do echo $i >f; mkdir $n; cd -P ./$n; done; echo end >f; ln -s f l
      )
      copy -a t u; same t u; details u | wc -l
      """#,
      .stated("same\n43\n")
    ),
    Trap(
      40,
      "a deep tree needs few descriptors and little stack",
      #"""
      mkdir -p t/$(printf 'd/%.0s' {1..150})
      (cd t; for i in {1..150}; do cd -P d; echo $i >f; done)
      behind sandboxrun nofile=32 stack=262144 -- : -a t u; same t u; details u | wc -l
      """#,
      .stated("same\n301\n")
    ),
    Trap(
      41,
      "a limit fails a file or takes a slower way, and the rest goes on",
      #"""
      mkdir s; echo 1 >s/a; head -c 3000000 $DATA >s/large; echo 2 >s/z
      for to in t far/t; do
        behind sandboxrun fsize=8192 -- : -r s $to; grep -c 'large.: File too large' "$OUT/said"
        echo $status; ls $to
      done
      export IOCHANNELS_BACKEND=${IOCHANNELS_BACKEND/uring/auto}
      for limit in uring=1 uring=12 memlock=0; do
        behind sandboxrun $limit -- : s/large far/$limit; cmp s/large far/$limit && echo whole
      done
      behind sandboxrun nofile=10 -- : s/a far/o; cat far/o
      """#,
      .stated("1\n1\na\nz\n1\n1\na\nz\nwhole\nwhole\nwhole\n1\n")
    ),
  ]
}
