/// The scripts around those of traps.
enum TrapScript {
  /// Lays the scene, lets the player play, prints what was said and what was found, and clears up.
  ///
  /// The arguments are the scripts of the superuser and of the player.
  static let stage = #"""
    umask 022
    place=$BASE/trap$$ far=$OTHER/trap$$; export OUT=$PROGRAMS/out$$; mkdir "$place" "$far" "$OUT"
    clear_up() {
      cd /
      if [ -e "$OUT/mounted" ]; then
        : >"$OUT/none"; mv "$OUT/none" "$OUT/rules"
        umount "$OUT/mounted" || umount -l "$OUT/mounted"
      fi
      rm -rf "$place" "$far" "$OUT" ${NARROW:+"$NARROW/trap$$"}
    } 2>/dev/null
    trap clear_up EXIT
    cd "$place"; ln -s "$far" far; theirs=("$place" "$far" "$OUT")
    if [ "$NARROW" ]; then
      chmod 755 "$NARROW" "${NARROW%/*}"; mkdir "$NARROW/trap$$"; ln -s "$NARROW/trap$$" narrow; 
      theirs+=("$NARROW/trap$$")
      # What a file system says of its free space is not what files get.
      if [ ! -e "$NARROW/ballast" ]; then
        head -c 4M /dev/zero >"$NARROW/gap"; sync -f "$NARROW"
        cat /dev/zero >"$NARROW/ballast" 2>/dev/null
        sync -f "$NARROW"; rm "$NARROW/gap"; sync -f "$NARROW"
      fi
    fi
    if [ "$FAULTS" ]; then
      mkdir behind "$OUT/mounted"; theirs+=(behind); ln -s "$OUT/mounted" faulty
      faultfs ${FAULTS#plain} behind "$OUT/mounted" "$OUT/rules"
    fi
    as=(setpriv --groups=0,12)
    if [ "$PLAYER" = nobody ]; then
      as=(setpriv --reuid=65534 --regid=65534 --groups=12); chown 65534:65534 "${theirs[@]}"
    fi
    # What the player gets is his from the beginning.
    give() { chown -h --reference="$OUT" "$@"; }
    set -e; eval "$1"; set +e
    timeout -s KILL 40 "${as[@]}" bash -c "$2" >"$OUT/found" 2>"$OUT/errors" </dev/null
    printf '\1' >"$OUT/mark"; cat "$OUT/told" "$OUT/mark" "$OUT/found" "$OUT/mark" "$OUT/errors"
    """#

  /// What scripts of players use. The copier is `cp` by name, whoever it is, so that messages are
  /// alike; `status` is its last status, and what it said counts with the copier's own messages.
  static let tools = #"""
    umask 022
    export LC_ALL=C TZ=UTC
    wrap=()
    # Runs the copier; one that hangs or dies is told of among what is found.
    copy() {
      status=0
      PATH=$COPIER:$PATH timeout -s KILL "$PATIENCE" "${wrap[@]}" cp "$@" \
        >"$OUT/said" 2>&1 <"${input:-/dev/null}" || status=$?
      echo "status $status" >"$OUT/status"
      [ ! -s "$OUT/said" ] || sort "$OUT/said" >>"$OUT/told"
      echo "status $status" >>"$OUT/told"
      ((status < 124)) || echo "ended with $status"
    }
    # Runs the copier as an argument of another program: behind WORD... : ARGUMENT...
    behind() {
      wrap=()
      while [ "$1" != : ]; do wrap+=("$1"); shift; done
      shift
      copy "$@"
      wrap=()
    }
    said() { cat "$OUT/said" "$OUT/status"; }
    # Runs it beside the script; `finish` waits for its end.
    start() { copy "$@" & worker=$!; }
    finish() { wait $worker; }
    # Waits until a copy of what begins with an x has begun, or has ended.
    begun() {
      for i in {1..2000}; do
        first=; { read -r -N 1 first <"$1"; } 2>/dev/null; [ "$first" != x ] || return 0
        kill -0 $worker 2>/dev/null || return 0
        sleep 0.005
      done
    }
    # Lists all but times.
    shape() {
      find "$@" -type d -printf '%p %y %m %U %G\n' -o -printf '%p %y %m %U %G %s %n %l\n' | sort
      find "$@" -type f -exec cksum {} + | sort
    }
    # Lists everything but the space that is taken.
    details() { treelist --xattrs "$1" | cut -f 1-8,10-; }
    same() { diff <(details "$1") <(details "$2") && echo same; }
    rules() {
      rm -f "$OUT/rules.log"; printf '%s\n' "$@" >"$OUT/rules.new"
      mv "$OUT/rules.new" "$OUT/rules"
    }
    # Waits until a rule was used.
    used() { for i in {1..4000}; do [ ! -s "$OUT/rules.log" ] || return 0; sleep 0.005; done; }
    socket() {
      perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un(shift))' "$1"
    }

    """#

  #if arch(x86_64)
    private static let (range, control, setter) = (326, 16, 190)
  #else
    private static let (range, control, setter) = (285, 29, 7)
  #endif

  /// The numbers of system calls that traps deny: those of `copy_file_range`, `ioctl`, `fsetxattr`.
  static let calls: [String: String?] = [
    "RANGE": "\(range)", "IOCTL": "\(control)", "SETXATTR": "\(setter)",
  ]
}
