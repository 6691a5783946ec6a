#include <gtest/gtest.h>
#include <sluice/output_file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace sluice {
namespace {

std::span<const uint8_t> Bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string Contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

class OutputFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "sluice_outputs_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  size_t FileCount() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::string folder_;
};

TEST_F(OutputFiles, AppearsWhenFinished) {
  auto file = CreateLocalFile(Path("out")).value();
  EXPECT_EQ(file->name(), Path("out"));
  ASSERT_TRUE(file->Append(Bytes("first ")).ok());
  ASSERT_TRUE(file->Append({}).ok());
  ASSERT_TRUE(file->Append(Bytes("second")).ok());
  EXPECT_FALSE(std::filesystem::exists(Path("out")));
  ASSERT_TRUE(file->Finish().ok());
  EXPECT_EQ(Contents(Path("out")), "first second");
  EXPECT_EQ(FileCount(), 1u);

  EXPECT_EQ(file->Append(Bytes("more")).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(file->Finish().code(), StatusCode::kInvalidArgument);
  file.reset();
  EXPECT_EQ(Contents(Path("out")), "first second");
}

TEST_F(OutputFiles, NothingRemainsWhenAbandoned) {
  {
    auto file = CreateLocalFile(Path("out")).value();
    ASSERT_TRUE(file->Append(Bytes("half")).ok());
    EXPECT_EQ(FileCount(), 1u);
  }
  EXPECT_EQ(FileCount(), 0u);
}

TEST_F(OutputFiles, ReplacesAtTheEndOnly) {
  std::ofstream(Path("out")) << "old";
  { ASSERT_TRUE(CreateLocalFile(Path("out")).value()->Append(Bytes("new")).ok()); }
  EXPECT_EQ(Contents(Path("out")), "old");
  auto file = CreateLocalFile(Path("out")).value();
  ASSERT_TRUE(file->Append(Bytes("new")).ok());
  EXPECT_EQ(Contents(Path("out")), "old");
  ASSERT_TRUE(file->Finish().ok());
  EXPECT_EQ(Contents(Path("out")), "new");
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(OutputFiles, IsReadableAsOtherFilesAre) {
  ASSERT_TRUE(CreateLocalFile(Path("out")).value()->Finish().ok());
  std::ofstream(Path("other")) << "";
  struct stat out;
  struct stat other;
  ASSERT_EQ(::stat(Path("out").c_str(), &out), 0);
  ASSERT_EQ(::stat(Path("other").c_str(), &other), 0);
  EXPECT_EQ(out.st_mode, other.st_mode);
  EXPECT_EQ(out.st_size, 0);
}

TEST_F(OutputFiles, SurvivesAChangeOfTheWorkingDirectory) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  auto finished = CreateLocalFile("finished").value();
  auto abandoned = CreateLocalFile("abandoned").value();
  std::filesystem::current_path(before);
  ASSERT_TRUE(finished->Finish().ok());
  abandoned.reset();
  EXPECT_TRUE(std::filesystem::exists(Path("finished")));
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(OutputFiles, TwoWritersOfOneNameDoNotMix) {
  auto one = CreateLocalFile(Path("out")).value();
  auto two = CreateLocalFile(Path("out")).value();
  ASSERT_TRUE(one->Append(Bytes("one")).ok());
  ASSERT_TRUE(two->Append(Bytes("two")).ok());
  ASSERT_TRUE(two->Finish().ok());
  EXPECT_EQ(Contents(Path("out")), "two");
  ASSERT_TRUE(one->Finish().ok());
  EXPECT_EQ(Contents(Path("out")), "one");
}

TEST_F(OutputFiles, TakesNamesAsLongAsThereAre) {
  const std::string name(255, 'n');
  ASSERT_TRUE(CreateLocalFile(Path(name)).value()->Finish().ok());
  EXPECT_TRUE(std::filesystem::exists(Path(name)));
  EXPECT_EQ(CreateLocalFile(Path(name + "n")).has_value() &&
                CreateLocalFile(Path(name + "n")).value()->Finish().ok(),
            false);
}

TEST_F(OutputFiles, FailedFinishLeavesNothing) {
  auto file = CreateLocalFile(Path("out")).value();
  ASSERT_TRUE(file->Append(Bytes("x")).ok());
  // A folder with something in it cannot be renamed over.
  std::filesystem::create_directories(Path("out") + "/inside");
  EXPECT_EQ(file->Finish().code(), StatusCode::kIoError);
  EXPECT_EQ(file->Append(Bytes("y")).code(), StatusCode::kIoError);
  file.reset();
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(OutputFiles, RefusesWhatCannotBeAFile) {
  EXPECT_EQ(CreateLocalFile(Path("no/such/folder")).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(CreateLocalFile(folder_).status().code(), StatusCode::kIoError);
  EXPECT_EQ(CreateLocalFile("/dev/null").status().code(), StatusCode::kIoError);
  for (const std::string& path : {std::string(), folder_ + "/", Path("."), Path("..")}) {
    EXPECT_EQ(CreateLocalFile(path).has_value(), false) << path;
  }
  EXPECT_EQ(FileCount(), 0u);
}

TEST_F(OutputFiles, WriteErrorsStick) {
  // A file that may not grow any more.
  auto file = CreateLocalFile(Path("full")).value();
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit tight{10, before.rlim_max};
  const auto ignored = ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  const Status status = file->Append(Bytes("more than ten bytes"));
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, ignored);
  EXPECT_EQ(status.code(), StatusCode::kIoError);
  EXPECT_EQ(file->Append(Bytes("x")).ToString(), status.ToString());
  EXPECT_EQ(file->Finish().ToString(), status.ToString());
  file.reset();
  EXPECT_EQ(FileCount(), 0u);
}

TEST(MemoryOutput, AppendsOrRemainsAsItWas) {
  std::string bytes = "before,";
  {
    const auto file = MakeMemoryOutput("memory", &bytes);
    EXPECT_EQ(file->name(), "memory");
    ASSERT_TRUE(file->Append(Bytes("one,")).ok());
    ASSERT_TRUE(file->Append(Bytes("two")).ok());
    ASSERT_TRUE(file->Finish().ok());
    EXPECT_EQ(file->Append(Bytes("x")).code(), StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(bytes, "before,one,two");
  { ASSERT_TRUE(MakeMemoryOutput("memory", &bytes)->Append(Bytes("lost")).ok()); }
  EXPECT_EQ(bytes, "before,one,two");
}

}  // namespace
}  // namespace sluice
