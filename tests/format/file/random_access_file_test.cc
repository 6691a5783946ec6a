#include <gtest/gtest.h>
#include <sluice/output_file.h>
#include <sluice/random_access_file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sluice {
namespace {

// A folder of its own for each test, gone afterwards.
class LocalFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "sluice_files_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }

  std::string folder_;
};

std::string Text(const BufferRef& buffer) {
  return std::string(reinterpret_cast<const char*>(buffer->data()),
                     static_cast<size_t>(buffer->size()));
}

std::string Digits(size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i) text += static_cast<char>('0' + i % 10);
  return text;
}

BufferRef Copy(const std::string& bytes, BufferPool& pool) {
  BufferRef buffer = pool.Allocate(static_cast<int64_t>(bytes.size())).value();
  std::memcpy(buffer->mutable_data(), bytes.data(), bytes.size());
  return buffer;
}

// Gives at most a few bytes a call, as a file on a network may.
class StingyFile : public RandomAccessFile {
 public:
  StingyFile(std::string bytes, int64_t claimed_size)
      : bytes_(std::move(bytes)), claimed_size_(claimed_size) {}

  const std::string& name() const override { return name_; }
  Result<int64_t> Size() const override { return claimed_size_; }
  Result<int64_t> ReadSome(int64_t offset, std::span<uint8_t> out) const override {
    if (offset == 13) return Status::IoError("unlucky");
    const int64_t left = std::max<int64_t>(0, static_cast<int64_t>(bytes_.size()) - offset);
    const int64_t some = std::min({left, static_cast<int64_t>(out.size()), int64_t{7}});
    std::memcpy(out.data(), bytes_.data() + offset, static_cast<size_t>(some));
    return some;
  }

 private:
  std::string name_ = "stingy";
  std::string bytes_;
  int64_t claimed_size_;
};

class LyingFile : public StingyFile {
 public:
  explicit LyingFile(int64_t answer) : StingyFile("", 100), answer_(answer) {}
  Result<int64_t> ReadSome(int64_t, std::span<uint8_t>) const override { return answer_; }

 private:
  int64_t answer_;
};

// fault X9: a source that returns at most 7 bytes a call.
TEST(RandomAccessFile, ReadIsFullOrAnError) {
  const auto pool = BufferPool::Make();
  const StingyFile file(Digits(100), 200);
  EXPECT_EQ(Text(file.Read({3, 50}, *pool).value()), Digits(100).substr(3, 50));
  EXPECT_EQ(Text(file.Read({0, 0}, *pool).value()), "");
  EXPECT_EQ(file.Read({6, 50}, *pool).status().message(), "unlucky");

  const Status early = file.Read({90, 30}, *pool).status();
  EXPECT_EQ(early.code(), StatusCode::kIoError);
  EXPECT_EQ(early.message(), "file 'stingy': ends early: offset 90, wanted 30 bytes, got 10");
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(RandomAccessFile, ImpossibleCountsAreRefused) {
  const auto pool = BufferPool::Make();
  EXPECT_EQ(LyingFile(11).Read({0, 10}, *pool).status().code(), StatusCode::kIoError);
  EXPECT_EQ(LyingFile(-1).Read({0, 10}, *pool).status().code(), StatusCode::kIoError);
}

TEST(RandomAccessFile, ReadKeepsTheBudget) {
  const auto pool = BufferPool::Make(1000);
  const StingyFile file(Digits(10), 10);
  EXPECT_EQ(file.Read({0, int64_t{1} << 40}, *pool).status().code(),
            StatusCode::kResourceExhausted);
}

// The same of every kind of file.
void ExpectFileOf(const RandomAccessFile& file, const std::string& bytes) {
  const auto pool = BufferPool::Make();
  const auto size = static_cast<int64_t>(bytes.size());
  EXPECT_EQ(file.Size().value(), size);
  EXPECT_EQ(Text(file.Read({0, size}, *pool).value()), bytes);
  EXPECT_EQ(Text(file.Read({size, 0}, *pool).value()), "");
  if (size > 10) {
    EXPECT_EQ(Text(file.Read({5, size - 10}, *pool).value()), bytes.substr(5, bytes.size() - 10));
  }

  std::vector<uint8_t> out(10);
  EXPECT_EQ(file.ReadSome(size, out).value(), 0);
  EXPECT_EQ(file.ReadSome(size + 1000, out).value(), 0);
  EXPECT_EQ(file.ReadSome(0, {}).value(), 0);
  if (size > 0) {
    EXPECT_EQ(file.ReadSome(size - 1, out).value(), 1);
    EXPECT_EQ(out[0], static_cast<uint8_t>(bytes.back()));
  }
  EXPECT_EQ(file.ReadSome(-1, out).status().code(), StatusCode::kInvalidArgument);

  EXPECT_EQ(file.Read({0, size + 1}, *pool).status().code(), StatusCode::kIoError);
  EXPECT_EQ(file.Read({size + 1, 1}, *pool).status().code(), StatusCode::kIoError);
  for (const ByteRange& range : {ByteRange{-1, 1}, ByteRange{0, -1}, ByteRange{INT64_MAX, 1},
                                 ByteRange{INT64_MIN, INT64_MAX}}) {
    const Status status = file.Read(range, *pool).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status.ToString();
  }

  // The padding after the end of the file is readable, and the buffer outlives the rest.
  const BufferRef tail =
      file.Read({size - std::min<int64_t>(size, 3), std::min<int64_t>(size, 3)}, *pool).value();
  std::vector<uint8_t> padding(static_cast<size_t>(kReadPadding));
  std::memcpy(padding.data(), tail->data() + tail->size(), padding.size());
}

TEST_F(LocalFiles, ReadByPositionAndMapped) {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  for (size_t size : {size_t{0}, size_t{1}, page - 1, page, page + 1, 3 * page, size_t{100'000}}) {
    SCOPED_TRACE(size);
    const std::string path = Write("file", Digits(size));
    ExpectFileOf(*OpenLocalFile(path).value(), Digits(size));
    ExpectFileOf(*OpenLocalFile(path, {.memory_map = true}).value(), Digits(size));
  }
}

TEST_F(LocalFiles, MappedBuffersOutliveTheFile) {
  const std::string path = Write("file", Digits(10'000));
  auto file = OpenLocalFile(path, {.memory_map = true}).value();
  const auto pool = BufferPool::Make();
  const BufferRef buffer = file->Read({1000, 5000}, *pool).value();
  EXPECT_EQ(pool->bytes_in_use(), 0);
  file.reset();
  EXPECT_EQ(Text(buffer), Digits(10'000).substr(1000, 5000));
}

TEST(MemoryFile, SharesItsBytes) {
  const auto pool = BufferPool::Make();
  const BufferRef bytes = Copy(Digits(1000), *pool);
  const auto file = MakeMemoryFile("memory", bytes);
  EXPECT_EQ(file->name(), "memory");
  ExpectFileOf(*file, Digits(1000));
  EXPECT_EQ(file->Read({10, 20}, *pool).value()->data(), bytes->data() + 10);
  ExpectFileOf(*MakeMemoryFile("empty", Copy("", *pool)), "");
}

TEST_F(LocalFiles, RefusesWhatIsNoFile) {
  for (bool memory_map : {false, true}) {
    const LocalFileOptions options{.memory_map = memory_map};
    EXPECT_EQ(OpenLocalFile(Path("nothing"), options).status().code(), StatusCode::kNotFound);
    EXPECT_EQ(OpenLocalFile(Write("file", "") + "/below", options).status().code(),
              StatusCode::kNotFound);
    const Status folder = OpenLocalFile(folder_, options).status();
    EXPECT_EQ(folder.code(), StatusCode::kIoError);
    EXPECT_NE(folder.message().find("directory"), std::string::npos);
    ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
    EXPECT_EQ(OpenLocalFile(Path("pipe"), options).status().code(), StatusCode::kIoError);
    ::unlink(Path("pipe").c_str());
  }
}

TEST_F(LocalFiles, UnreadableFileIsAnError) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const std::string path = Write("file", "x");
  ::chmod(path.c_str(), 0);
  EXPECT_EQ(OpenLocalFile(path).status().code(), StatusCode::kIoError);
}

TEST_F(LocalFiles, FileCutShortAfterOpeningIsAnError) {
  const auto pool = BufferPool::Make();
  const std::string path = Write("file", Digits(100));
  const auto file = OpenLocalFile(path).value();
  ASSERT_EQ(::truncate(path.c_str(), 50), 0);
  const Status status = file->Read({40, 20}, *pool).status();
  EXPECT_EQ(status.code(), StatusCode::kIoError);
  EXPECT_NE(status.message().find("wanted 20 bytes, got 10"), std::string::npos);
}

}  // namespace
}  // namespace sluice
