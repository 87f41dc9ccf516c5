import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// Existing files that look complete, or that other copies left.
extension ResumeTests {
  @Test("A rerun sets a changed owner, mode or attribute, and copies no bytes (T51)")
  func changedMetadata() throws {
    let scene = try Scene(
      """
      mkdir s; for f in mode same list; do head -c 100000 /dev/urandom >s/$f; done
      touch -d 2001-01-01 s/*
      """
    )
    _ = try resume(scene, "-aT", "s", "copy")
    let before = try scene.shell("cd copy; stat -c '%n %i' *")
    try scene.shell("chmod 4750 s/mode; setfattr -n user.a -v 1 s/list || :")
    let again = try resume(scene, "-aT", "s", "copy")
    #expect(again.number("files") == 0)
    #expect(again.number("bytes") == 0)
    #expect(try scene.shell("cd copy; stat -c '%n %i' *") == before)
    #expect(try scene.shell("stat -c %a copy/mode") == "4750\n")
    #expect(try scene.differences("s", "copy") == [])
  }

  @Test(
    "A rerun sets a changed owner, also of a link and of a file with two names (T51)",
    .needs(.root)
  )
  func changedOwner() throws {
    let scene = try Scene(
      "mkdir s; echo 1 >s/f; echo 2 >s/g; ln s/g s/h; ln -s x s/l; touch -hd 2001-01-01 s/*"
    )
    _ = try resume(scene, "-aT", "s", "copy")
    try scene.shell("chown -h 12:34 s/f s/g s/l; ln copy/f other")
    _ = try resume(scene, "-aT", "s", "copy")
    #expect(try scene.differences("s", "copy") == [])
    // The file has two names only in the destination, and one of them is none of this copy.
    #expect(try scene.shell("stat -c '%u %h' other") == "0 1\n")
    #expect(try resume(scene, "-aT", "s", "copy").number("files") == 0)
  }

  @Test("A link with another target of the same length and time is created again (T51)")
  func otherTarget() throws {
    let scene = try Scene("mkdir s; ln -s one s/l; ln -s same s/k; touch -hd 2001-01-01 s/*")
    _ = try resume(scene, "-aT", "s", "copy")
    let before = try scene.shell("stat -c %i copy/k")
    try scene.shell("ln -sfn two s/l; touch -hd 2001-01-01 s/l")
    _ = try resume(scene, "-aT", "s", "copy")
    #expect(try scene.shell("readlink copy/l") == "two\n")
    #expect(try scene.shell("stat -c %i copy/k") == before)
  }

  @Test("A file system with whole seconds gets each change of a source (T51)", .needs(.loop))
  func coarseTimes() throws {
    let scene = try Scene(
      """
      mkdir s mounted; truncate -s 16M image; PATH=$PATH:/sbin:/usr/sbin
      mkfs.ext4 -qF -I 128 image; mount -o loop image mounted
      printf 1111 >s/f; touch -d '2001-01-01 00:00:10.25' s/f
      """
    )
    defer { _ = try? scene.shell("umount mounted") }
    _ = try resume(scene, "-aT", "s", "mounted/copy")
    #expect(try resume(scene, "-aT", "s", "mounted/copy").number("files") == 0)
    try scene.shell("printf 2222 >s/f; touch -d '2001-01-01 00:00:10.75' s/f")
    #expect(try resume(scene, "-aT", "s", "mounted/copy").number("files") == 1)
    try scene.shell("cmp s/f mounted/copy/f")
  }

  @Test("A newer file with the start of its source is completed with -u, and others stay (T51)")
  func newerPartialFile() throws {
    let scene = try Scene(
      """
      mkdir s copy; for f in torn empty mine; do head -c 300000 /dev/urandom >s/$f; done
      touch -d 2001-01-01 s/*; head -c 100000 s/torn >copy/torn; : >copy/empty; echo x >copy/mine
      """
    )
    _ = try resume(scene, "-aT", "-n", "s", "copy")
    #expect(try scene.shell("stat -c %s copy/torn copy/empty") == "100000\n0\n")
    _ = try resume(scene, "-aT", "-u", "s", "copy")
    try scene.shell("cmp s/torn copy/torn; cmp s/empty copy/empty; [ $(cat copy/mine) = x ]")
  }

  @Test("With --verify, kept files are compared with their sources (T51)")
  func verified() throws {
    let scene = try Scene(
      """
      mkdir s; for f in a b c; do head -c 200000 /dev/urandom >s/$f; done; ln s/c s/d
      touch -d 2001-01-01 s/*
      """
    )
    _ = try resume(scene, "-aT", "s", "copy")
    try scene.shell("echo flipped | dd of=copy/b conv=notrunc status=none; touch -r s/b copy/b")
    #expect(try resume(scene, "-aT", "s", "copy").number("files") == 0)
    #expect(try resume(scene, "-aT", "--verify", "s", "copy").number("files") == 1)
    #expect(try scene.differences("s", "copy") == [])
  }

  @Test("A hidden file of another boot stays if it changed since this boot (T52, F13)")
  func anotherBoot() throws {
    let scene = try Scene("mkdir s copy; head -c 5000000 /dev/urandom >s/f")
    var owner = try KillTests.owner()
    owner.host ^= 1
    let name = HiddenNames.name(PartialFile.number(of: "f"), of: owner)
    try scene.shell("cp s/f copy/\(name); chmod 600 copy/\(name)")
    #expect(try resume(scene, "-aT", "s", "copy").number("resumed_bytes") == 0)
    try scene.shell("cmp s/f copy/f; cmp s/f copy/\(name)")
  }
}
