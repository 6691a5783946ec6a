#include "tools/conformance/file_run.h"

#include <fmt/format.h>
#include <nettle/sha2.h>
#include <sluice/parquet/reader.h>
#include <sluice/text.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace sluice::tools {
namespace {

constexpr int64_t kUnexpectedRows = 4'000'000;
constexpr size_t kShownCharacters = 120;

/// Takes the canonical text bit by bit.
class TextCheck {
 public:
  explicit TextCheck(const Expected* expected) : expected_(expected) { sha256_init(&hash_); }

  void Take(std::string_view text) {
    sha256_update(&hash_, text.size(), reinterpret_cast<const uint8_t*>(text.data()));
    if (expected_ != nullptr && mismatch_.empty()) Compare(text);
    taken_ += text.size();
  }

  bool has_mismatch() const { return !mismatch_.empty(); }

  /// To be called once, at the end of the file.
  void Finish(bool is_whole, RunOutcome& outcome) {
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(&hash_, sizeof(digest), digest);
    for (const uint8_t byte : digest) outcome.sha256 += fmt::format("{:02x}", byte);
    if (expected_ != nullptr && is_whole && mismatch_.empty()) {
      if (taken_ < expected_->text.size()) {
        mismatch_ = fmt::format("rows are missing after row {}", outcome.rows);
      } else if (expected_->sha256.has_value() && *expected_->sha256 != outcome.sha256) {
        mismatch_ = "the first rows are right, a later one is not";
      }
    }
    outcome.mismatch = mismatch_;
  }

 private:
  void Compare(std::string_view text) {
    const std::string_view whole = expected_->text;
    const std::string_view rest = whole.substr(std::min(taken_, whole.size()));
    const size_t common = std::min(rest.size(), text.size());
    const auto [at, other] = std::mismatch(
        text.begin(), text.begin() + static_cast<std::ptrdiff_t>(common), rest.begin());
    const size_t place = static_cast<size_t>(at - text.begin());
    if (place == common && (text.size() <= rest.size() || expected_->sha256.has_value())) return;
    const size_t line_begin = LineBegin(whole, taken_ + place);
    const auto row =
        std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(line_begin), '\n');
    // From shortly before the place: rows can be long.
    const size_t lead = std::min<size_t>(place, 40);
    mismatch_ = fmt::format("row {}: got {} expected {}", row, Shown(text.substr(place - lead)),
                            Shown(whole.substr(std::min(taken_ + place - lead, whole.size()))));
  }

  static size_t LineBegin(std::string_view text, size_t place) {
    const size_t before = text.substr(0, place).rfind('\n');
    return before == std::string_view::npos ? 0 : before + 1;
  }
  static std::string_view Shown(std::string_view text) {
    return text.substr(0, std::min(text.find('\n', 1), kShownCharacters));
  }

  const Expected* expected_;
  sha256_ctx hash_;
  size_t taken_ = 0;
  std::string mismatch_;
};

/// Reads until the end, an error or a mismatch; returns whether the end was reached.
Result<bool> ReadRows(const CorpusEntry& entry, const RunOptions& options, TextCheck& check,
                      int64_t& rows) {
  auto file = OpenLocalFile(entry.path);
  if (!file) return file.error();
  parquet::ReadOptions read;
  read.batch_rows = options.batch_rows;
  read.verify_checksums = options.verify_checksums;
  read.pool = BufferPool::Make(options.memory_bytes);
  const auto reader = parquet::FileReader::Open(*file, read);
  if (!reader) return reader.error();
  const parquet::Projection projection = parquet::Projection::All((*reader)->tree());
  TextWriter writer(projection.schema(), TextFormat::kCanonical);
  std::string text;
  for (int32_t group = 0; group < (*reader)->num_row_groups(); ++group) {
    auto cursor = (*reader)->RowGroup(group, projection);
    if (!cursor) return cursor.error();
    while (true) {
      const auto batch = (*cursor)->Next();
      if (!batch) return batch.error();
      if (!batch->has_value()) break;
      text.clear();
      writer.AppendRows((*batch)->batch, 0, (*batch)->batch.num_rows, text);
      check.Take(text);
      rows += (*batch)->batch.num_rows;
      if (check.has_mismatch()) return false;
      if (!entry.expected.has_value() && rows >= kUnexpectedRows) return false;
    }
  }
  return true;
}

bool IsTyped(StatusCode code) {
  return code != StatusCode::kInternal && code != StatusCode::kIoError &&
         code != StatusCode::kInvalidArgument && code != StatusCode::kCancelled;
}

}  // namespace

RunOutcome RunFile(const CorpusEntry& entry, const RunOptions& options) {
  RunOutcome outcome;
  TextCheck check(entry.expected.has_value() ? &*entry.expected : nullptr);
  const Result<bool> read = ReadRows(entry, options, check, outcome.rows);
  outcome.status = read.status();
  check.Finish(read.has_value() && *read, outcome);
  return outcome;
}

std::string Judge(const CorpusEntry& entry, const RunOutcome& outcome) {
  const StatusCode code = outcome.status.code();
  if (!outcome.mismatch.empty()) return outcome.mismatch;
  if (code != StatusCode::kOk && !IsTyped(code)) return "the error is not of the file";
  switch (entry.category) {
    case Category::kOk:
      if (!entry.expected.has_value()) return "the corpus has no expected rows";
      return code == StatusCode::kOk ? "" : "an error instead of rows";
    case Category::kMustError:
      return code == StatusCode::kOk ? "rows instead of an error" : "";
    case Category::kEncrypted:
      return code == StatusCode::kEncrypted ? "" : "the error must say that it is encrypted";
    case Category::kUnsupportedOk:
    case Category::kAnyCleanEnd:
      break;
  }
  return "";
}

}  // namespace sluice::tools
