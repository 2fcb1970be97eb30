#include "io/atomic_file.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace talus {
namespace {

TEST(AtomicFile, WhatIsCommittedIsThereWhole) {
  const TempFolder folder;
  std::string expected;
  {
    AtomicFile file(folder.file("a.txt"), FileKind::Text);
    for (int i = 0; i < 50000; ++i) {
      const std::string line = "line " + std::to_string(i) + "\n";
      file.write(line);
      expected += line;
    }
    EXPECT_EQ(file.size(), expected.size());
    EXPECT_FALSE(std::filesystem::exists(folder.file("a.txt")));
    file.commit();
  }
  EXPECT_EQ(read_text(folder.file("a.txt")), expected);
  EXPECT_EQ(folder.count(), 1);
}

TEST(AtomicFile, WithoutCommitTheOldFileStaysAndNothingElse) {
  const TempFolder folder;
  write_text(folder.file("a.txt"), "old");
  {
    AtomicFile file(folder.file("a.txt"), FileKind::Text);
    file.write("new");
  }
  EXPECT_EQ(read_text(folder.file("a.txt")), "old");
  EXPECT_EQ(folder.count(), 1);
}

TEST(AtomicFile, OnlyTemporariesOfTheDeadAreStale) {
  const TempFolder folder;
  const AtomicFile alive(folder.file("b.txt"), FileKind::Text);
  for (const char* name : {".talus-1-0.tmp", ".talus-1-0.txt", "talus-1-0.tmp"}) {
    write_text(folder.file(name), "half");
  }
  {
    AtomicFile file(folder.file("a.txt"), FileKind::Text);
    file.write("whole");
    remove_stale_temporaries(folder.path());
    file.commit();
  }
  EXPECT_EQ(read_text(folder.file("a.txt")), "whole");
  EXPECT_FALSE(std::filesystem::exists(folder.file(".talus-1-0.tmp")));
  EXPECT_EQ(folder.count(), 4);  // b.txt's temporary, too
  remove_stale_temporaries(folder.file("nowhere"));
}

TEST(AtomicFile, AFullDiskIsAnOutputErrorThatNamesTheFile) {
  try {
    AtomicFile file("/dev/full", FileKind::Any);
    file.write("some bytes");
    file.commit();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.trouble(), Trouble::Output);
    EXPECT_NE(std::string(error.what()).find("/dev/full: No space left"), std::string::npos)
        << error.what();
  }
}

TEST(AtomicFile, FoldersThatCannotBeWrittenAreNamed) {
  const auto open = [](const std::string& path) {
    return error_of([&] { AtomicFile(path, FileKind::Any); });
  };
  const TempFolder folder;
  EXPECT_NE(open(folder.file("no/a.glb")).find(folder.file("no") + "; create it first"),
            std::string::npos);
  EXPECT_NE(open("/proc/a.glb").find("folder /proc ("), std::string::npos);
  EXPECT_NE(open(folder.path()).find("it is a folder"), std::string::npos);
  EXPECT_NE(open(""), "");
}

TEST(AtomicFile, OnlyAFileOfTheSameKindIsWrittenOver) {
  const TempFolder folder;
  const std::string path = folder.file("a");
  const auto allowed = [&](FileKind kind, const std::string& old) {
    write_text(path, old);
    return error_of([&] { AtomicFile(path, kind); }).empty();
  };
  const std::string binary("a\0b", 3);
  EXPECT_TRUE(allowed(FileKind::Glb, "glTF and more"));
  EXPECT_TRUE(allowed(FileKind::Glb, ""));
  EXPECT_FALSE(allowed(FileKind::Glb, "a diary"));
  EXPECT_TRUE(allowed(FileKind::Json, "\xEF\xBB\xBF \n{}"));
  EXPECT_FALSE(allowed(FileKind::Json, "a diary"));
  EXPECT_TRUE(allowed(FileKind::Text, "a diary"));
  EXPECT_FALSE(allowed(FileKind::Text, binary));
  EXPECT_FALSE(allowed(FileKind::Png, "a diary"));
  EXPECT_TRUE(allowed(FileKind::Any, binary));
}

TEST(AtomicFile, ALinkStaysALink) {
  const TempFolder folder;
  write_text(folder.file("real.txt"), "old");
  std::filesystem::create_symlink("real.txt", folder.file("link.txt"));
  AtomicFile file(folder.file("link.txt"), FileKind::Text);
  file.write("new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link.txt")));
  EXPECT_EQ(read_text(folder.file("real.txt")), "new");
}

}  // namespace
}  // namespace talus
