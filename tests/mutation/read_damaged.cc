// Reads damaged copies of the corpus: each must give rows or one typed error, within its time and
// memory, and never a crash. A program of its own, since a sanitizer's report ends it:
//
//   read_damaged [MUTATIONS A FILE] [FILE [MUTATION]]
//
// 50 a file by default, 500 where SLUICE_LONG is set. The last two repeat what a failure names.

#include <fmt/format.h>
#include <sluice/parquet/reader.h>
#include <sluice/text.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>

#include "format/model/try.h"
#include "tests/mutation/mutation.h"
#include "tests/support/corpus.h"
#include "tests/support/file_reading.h"

// GCC defines the macro, clang has the feature.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLUICE_HAS_ADDRESS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(SLUICE_HAS_ADDRESS_SANITIZER)
extern "C" const char* __asan_default_options();
// The pool's budget, the file, and what the sanitizer keeps for itself.
extern "C" const char* __asan_default_options() { return "hard_rss_limit_mb=2560"; }
#endif

namespace sluice::support {
namespace {

constexpr int64_t kLargestFile = 100'000;
constexpr int64_t kBudget = int64_t{1} << 30;
constexpr int64_t kSecondsEach = 5;
/// A damaged count may claim rows without end; that so many came is enough.
constexpr int64_t kMostRows = 1'000'000;

/// Ends the program, naming the case, when one takes too long.
class Watchdog {
 public:
  Watchdog() : thread_([this] { Run(); }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      is_done_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  void Begin(std::string name) {
    const std::lock_guard lock(mutex_);
    name_ = std::move(name);
    begin_ = std::chrono::steady_clock::now();
  }

 private:
  void Run() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(200), [&] { return is_done_; })) {
      if (std::chrono::steady_clock::now() - begin_ > std::chrono::seconds(kSecondsEach)) {
        std::fprintf(stderr, "TOO SLOW: %s\n", name_.c_str());
        std::abort();
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::string name_ = "start";
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::thread thread_;
};

Status ReadRowGroup(const parquet::FileReader& reader, int32_t row_group, uint64_t seed,
                    int64_t& rows) {
  const int64_t num_rows = reader.metadata()->row_groups[static_cast<size_t>(row_group)].num_rows;
  std::optional<RowSelection> selection;
  if (seed % 3 == 0 && num_rows < kMostRows) {
    std::vector<int64_t> positions;
    selection = RandomSelection(seed, 40, 20, 0, num_rows, positions);
  }
  SLUICE_TRY(const auto cursor,
             reader.RowGroup(row_group, parquet::Projection::All(reader.tree()), selection));
  while (rows < kMostRows) {
    SLUICE_TRY(const auto batch, cursor->Next());
    if (!batch) break;
    rows += batch->batch.num_rows;
    std::string text;
    for (const Column& column : batch->batch.columns) {
      SLUICE_RETURN_IF_ERROR(ValidateColumn(column));
      for (int64_t row = 0; row < std::min<int64_t>(column.length, 50); ++row) {
        AppendCanonical(column, row, text);
      }
    }
  }
  return Status::Ok();
}

Status ReadEverything(const std::string& bytes, uint64_t seed) {
  parquet::ReadOptions options;
  options.pool = BufferPool::Make(kBudget);
  options.batch_rows = seed % 2 == 0 ? 16384 : 97;
  options.deliver_dictionaries = seed / 2 % 2 == 0;
  options.verify_checksums = seed / 4 % 4 == 0;
  options.select_encoded = seed / 16 % 2 == 0;
  options.stream_pages = seed / 32 % 2 == 0;
  options.use_offset_index = seed / 64 % 4 != 0;
  SLUICE_TRY(const auto reader,
             parquet::FileReader::Open(MakeMemoryFile(std::string(kFileName), PaddedBuffer(bytes)),
                                       options));
  int64_t rows = 0;
  for (int32_t i = 0; i < reader->num_row_groups() && rows < kMostRows; ++i) {
    SLUICE_RETURN_IF_ERROR(ReadRowGroup(*reader, i, seed, rows));
  }
  return Status::Ok();
}

int Run(int64_t per_file, const std::string& only_file, int64_t only_mutation) {
  Watchdog watchdog;
  std::map<StatusCode, int64_t> outcomes;
  bool failed = false;
  int64_t files = 0;
  for (const CorpusFile& file : CorpusFiles()) {
    if (file.size >= kLargestFile || (!only_file.empty() && file.name != only_file)) continue;
    const std::string bytes = ReadWholeFile(file.path);
    ++files;
    for (int64_t i = 0; i < per_file; ++i) {
      if (only_mutation >= 0 && i != only_mutation) continue;
      const std::string name = fmt::format("{} {}", file.name, i);
      watchdog.Begin(name);
      const auto seed = static_cast<uint64_t>(i) * 1'000'003 + static_cast<uint64_t>(file.size);
      const Status status = ReadEverything(Mutate(bytes, seed), seed);
      ++outcomes[status.code()];
      if (status.code() == StatusCode::kInternal || status.code() == StatusCode::kInvalidArgument ||
          only_mutation >= 0) {
        failed = failed || status.code() == StatusCode::kInternal ||
                 status.code() == StatusCode::kInvalidArgument;
        std::fprintf(stderr, "%s: %s\n", name.c_str(), status.ToString().c_str());
      }
    }
  }
  for (const auto& [code, count] : outcomes) {
    std::printf("%8lld %s\n", static_cast<long long>(count),
                std::string(StatusCodeName(code)).c_str());
  }
  if (files == 0) {
    std::printf("SKIPPED: NO CORPUS. Set SLUICE_CORPUS to its directory.\n");
    return 77;
  }
  return failed ? 1 : 0;
}

}  // namespace
}  // namespace sluice::support

int main(int argc, char** argv) {
  const int64_t usual = std::getenv("SLUICE_LONG") != nullptr ? 500 : 50;
  const int64_t per_file = argc > 1 ? std::atoll(argv[1]) : usual;
  const std::string only_file = argc > 2 ? argv[2] : "";
  const int64_t only_mutation = argc > 3 ? std::atoll(argv[3]) : -1;
  return sluice::support::Run(per_file, only_file, only_mutation);
}
