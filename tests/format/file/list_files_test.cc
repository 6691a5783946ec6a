#include <gtest/gtest.h>
#include <sluice/list_files.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sluice {
namespace {

class ListFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "sluice_list_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    for (const char* file :
         {"b.parquet", "a.parquet", "notes.txt", ".hidden.parquet", "year=2/c.parquet",
          "_temporary/d.parquet", "year=1/deep/e.parquet", "[x].parquet"}) {
      std::filesystem::create_directories(std::filesystem::path(Path(file)).parent_path());
      std::ofstream(Path(file)) << "bytes";
    }
    std::filesystem::create_directories(Path("empty"));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  std::vector<std::string> Paths(std::vector<std::string> names) const {
    for (std::string& name : names) name = Path(name);
    return names;
  }

  std::string folder_;
};

TEST_F(ListFiles, AFileIsItself) {
  EXPECT_EQ(*ListParquetFiles(Path("notes.txt")), Paths({"notes.txt"}));
  EXPECT_EQ(*ListParquetFiles(Path("[x].parquet")), Paths({"[x].parquet"}));
}

TEST_F(ListFiles, ADirectoryIsWhatWritersFinishedBelowIt) {
  EXPECT_EQ(*ListParquetFiles(folder_), Paths({"[x].parquet", "a.parquet", "b.parquet",
                                               "year=1/deep/e.parquet", "year=2/c.parquet"}));
}

// It is an error to open it; to leave it out would be to lose its rows.
TEST_F(ListFiles, ALinkThatLeadsNowhereIsAFile) {
  std::filesystem::create_symlink("absent.parquet", Path("empty/broken.parquet"));
  EXPECT_EQ(*ListParquetFiles(Path("empty")), Paths({"empty/broken.parquet"}));
}

TEST_F(ListFiles, APatternIsWhatItMatches) {
  EXPECT_EQ(*ListParquetFiles(Path("?.parquet")), Paths({"a.parquet", "b.parquet"}));
  EXPECT_EQ(*ListParquetFiles(Path("year=[12]")),
            Paths({"year=1/deep/e.parquet", "year=2/c.parquet"}));
}

TEST_F(ListFiles, NothingIsAnError) {
  for (const char* name : {"absent", "no*match", "empty", "notes.txt/below"}) {
    const auto files = ListParquetFiles(Path(name));
    ASSERT_FALSE(files.has_value()) << name;
    EXPECT_EQ(files.error().code(), StatusCode::kNotFound) << name;
    EXPECT_NE(files.error().message().find(name), std::string::npos);
  }
  EXPECT_EQ(ListParquetFiles("").status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sluice
