// What files claim of their column chunks and pages, held against the values that are in them: for
// every real file, and for files of the library's own writer with values that break things.

#include <gtest/gtest.h>
#include <sluice/parquet/page_index.h>
#include <sluice/parquet/page_walk.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "format/model/evaluate.h"
#include "format/parquet/leaf_evidence.h"
#include "tests/format/model/filters.h"
#include "tests/support/corpus.h"
#include "tests/support/file_reading.h"
#include "tests/support/leaf_rows.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/random_tables.h"

namespace sluice::support {
namespace {

using parquet::FileReader;
using parquet::LeafEvidence;
using Outcome = Verdict::Outcome;
using Share = Occurrence::Share;

/// How much was there to check, so that a test of nothing does not pass.
struct Checked {
  int64_t chunks = 0;
  int64_t pages = 0;
  int64_t header_pages = 0;
  int64_t bounds = 0;
  int64_t null_counts = 0;
  int64_t nan_counts = 0;
  int64_t dictionaries = 0;
  int64_t bloom_filters = 0;
  int64_t proofs = 0;
};

/// The rows that evidence is of.
using Rows = std::span<const Value>;

void CheckOccurrence(const Occurrence& claimed, int64_t count, int64_t total) {
  EXPECT_EQ(claimed.count.value_or(count), count);
  switch (claimed.share) {
    case Share::kUnknown:
      break;
    case Share::kNone:
      EXPECT_EQ(count, 0);
      break;
    case Share::kSome:
      EXPECT_GT(count, 0);
      break;
    case Share::kAll:
      EXPECT_EQ(count, total);
      break;
  }
}

/// Whether `values`, neither null nor NaN, lie on the right side of the bound, and have it where it
/// is exact.
void CheckBound(const DataType& type, const EvidenceBound& bound, int direction,
                const std::vector<std::string>& values) {
  bool occurs = false;
  for (const std::string& value : values) {
    const int order = CompareValues(type, value, bound.value) * direction;
    ASSERT_GE(order, 0) << Value{type, value}.ToString() << " is outside of the bound "
                        << Value{type, bound.value}.ToString();
    occurs |= order == 0;
  }
  EXPECT_TRUE(occurs || bound.exactness != EvidenceBound::Exactness::kExact);
}

bool Contains(const Column& distinct, const std::string& value) {
  for (int64_t i = 0; i < distinct.length; ++i) {
    if (ValueAt(distinct, i).bytes == value) return true;
  }
  return false;
}

void CheckEvidence(const Evidence& evidence, Rows rows, Checked& checked) {
  std::vector<std::string> values;
  int64_t nulls = 0;
  int64_t nans = 0;
  for (const Value& row : rows) {
    if (row.is_null()) {
      ++nulls;
    } else if (IsNan(row.type, *row.bytes)) {
      ++nans;
    } else {
      values.push_back(*row.bytes);
    }
    if (evidence.distinct && !row.is_null()) {
      EXPECT_TRUE(Contains(*evidence.distinct, *row.bytes));
    }
    if (evidence.membership && !row.is_null()) {
      EXPECT_TRUE(evidence.membership->MayContain(*row.bytes)) << row.ToString();
    }
  }
  const auto count = static_cast<int64_t>(rows.size());
  EXPECT_EQ(evidence.row_count.value_or(count), count);
  CheckOccurrence(evidence.nulls, nulls, count);
  CheckOccurrence(evidence.nans, nans, count - nulls);
  if (evidence.lower) CheckBound(*evidence.type, *evidence.lower, 1, values);
  if (evidence.upper) CheckBound(*evidence.type, *evidence.upper, -1, values);
  checked.bounds += evidence.lower.has_value() + evidence.upper.has_value();
  checked.null_counts += evidence.nulls.share != Share::kUnknown;
  checked.nan_counts +=
      evidence.type && IsFloating(*evidence.type) && evidence.nans.share != Share::kUnknown;
}

/// Filters around some values of the rows, and around others.
std::vector<ColumnFilter> FiltersFor(const DataType& type, Rows rows, std::mt19937_64& random) {
  std::vector<ColumnFilter> filters = {IsNull(), IsNotNull()};
  if (!IsOrdered(type) || rows.empty()) return filters;
  std::vector<std::string> values;
  for (int i = 0; i < 3; ++i) {
    const Value& row = rows[random() % rows.size()];
    if (row.is_null()) continue;
    values.push_back(*row.bytes);
    // Near it: one bit away, and for text longer or shorter.
    std::string near = *row.bytes;
    if (!near.empty() && type.id != TypeId::kBoolean) {
      near[random() % near.size()] ^= static_cast<char>(1 << random() % 8);
    }
    values.push_back(near);
    if (type.is_view()) {
      values.push_back(near + "a");
      values.push_back(near.substr(0, near.size() / 2));
    }
  }
  for (const std::string& value : values) {
    for (const auto make : {&Equal, &NotEqual, &Less, &LessOrEqual, &Greater, &GreaterOrEqual}) {
      filters.push_back(make(type, value));
      filters.push_back(OrNull(make(type, value)));
    }
    filters.push_back(SetOf(type, {value}, true));
    if (type.is_view()) {
      filters.push_back(PatternOf(type, ColumnFilter::Kind::kPrefix, value));
      filters.push_back(PatternOf(type, ColumnFilter::Kind::kPrefix, value, true));
    }
  }
  return filters;
}

void CheckVerdicts(const Evidence& evidence, Rows rows, std::mt19937_64& random, Checked& checked) {
  if (rows.empty()) return;
  for (const ColumnFilter& filter : FiltersFor(rows[0].type, rows, random)) {
    const Verdict verdict = Evaluate(filter, evidence);
    if (verdict.outcome == Outcome::kSome) continue;
    ++checked.proofs;
    for (const Value& row : rows) {
      const bool passes = row.is_null() ? filter.null_passes : filter.Passes(*row.bytes);
      ASSERT_EQ(passes, verdict.outcome == Outcome::kAll)
          << filter.ToString() << " by " << ReasonName(verdict.reason) << ": " << row.ToString();
    }
  }
}

/// Checks one leaf of one row group, by everything that the file says of it.
class LeafCheck {
 public:
  LeafCheck(std::string_view bytes, const FileReader& reader, int32_t row_group, int32_t leaf,
            Checked& checked)
      : bytes_(bytes),
        reader_(reader),
        row_group_(row_group),
        leaf_(leaf),
        evidence_(*reader.metadata(), *reader.tree(), leaf),
        checked_(checked) {}

  void Run(std::mt19937_64& random) {
    const auto rows = LeafRows(reader_, row_group_, leaf_);
    if (!rows) return;
    rows_ = *rows;
    ++checked_.chunks;
    Check(evidence_.OfChunk(RowGroup()), rows_, random);
    CheckIndex(random);
    CheckHeaders(random);
    CheckBloomFilter(random);
    CheckDictionary(random);
  }

 private:
  const parquet::RowGroup& RowGroup() const {
    return reader_.metadata()->row_groups[static_cast<size_t>(row_group_)];
  }
  const parquet::ColumnChunk& Chunk() const {
    return RowGroup().columns[static_cast<size_t>(leaf_)];
  }
  BufferRef Part(ByteRange range) const {
    return PaddedBuffer(std::string_view(bytes_).substr(static_cast<size_t>(range.offset),
                                                        static_cast<size_t>(range.length)));
  }

  void Check(const Evidence& evidence, Rows rows, std::mt19937_64& random) {
    CheckEvidence(evidence, rows, checked_);
    CheckVerdicts(evidence, rows, random, checked_);
  }

  void CheckIndex(std::mt19937_64& random) {
    if (!Chunk().column_index || !Chunk().offset_index) return;
    const auto index = parquet::ParseColumnIndex(Part(*Chunk().column_index));
    const auto offsets = parquet::ParseOffsetIndex(Part(*Chunk().offset_index)->span());
    if (!index || !offsets || !evidence_.IsConsistent(*index, *offsets, RowGroup())) return;
    const auto& pages = offsets->page_locations;
    for (size_t page = 0; page < pages.size(); ++page) {
      const int64_t begin = pages[page].first_row_index;
      const int64_t end =
          page + 1 < pages.size() ? pages[page + 1].first_row_index : RowGroup().num_rows;
      const Rows rows = RowsOf(begin, end);
      SCOPED_TRACE("page " + std::to_string(page) + " of the column index");
      const Evidence evidence = evidence_.OfIndexedPage(*index, page, end - begin);
      Check(evidence, rows, random);
      ++checked_.pages;
    }
  }

  void CheckHeaders(std::mt19937_64& random) {
    auto cursor = parquet::PageCursor::Open(reader_, row_group_, leaf_);
    ASSERT_TRUE(cursor.has_value()) << cursor.error().ToString();
    int64_t row = 0;
    while (true) {
      const auto page = cursor->Next();
      ASSERT_TRUE(page.has_value()) << page.error().ToString();
      if (!*page) return;
      const bool is_data = (*page)->type == parquet::PageType::kDataPage ||
                           (*page)->type == parquet::PageType::kDataPageV2;
      if (!is_data) continue;
      const int64_t end = row + (*page)->num_values;
      SCOPED_TRACE("rows from " + std::to_string(row) + " by the page header");
      Check(evidence_.OfPage((*page)->statistics, end - row), RowsOf(row, end), random);
      checked_.header_pages += (*page)->statistics.has_value();
      row = end;
    }
  }

  void CheckBloomFilter(std::mt19937_64& random) {
    if (!Chunk().bloom_filter_offset) return;
    const auto offset = static_cast<size_t>(*Chunk().bloom_filter_offset);
    const std::string_view from = bytes_.substr(offset);
    const auto header = parquet::BloomFilter::ParseHeader(
        {reinterpret_cast<const uint8_t*>(from.data()), from.size()});
    if (!header || !*header) return;
    const std::string_view bitset = from.substr(static_cast<size_t>((*header)->header_size),
                                                static_cast<size_t>((*header)->num_bytes));
    auto filter = parquet::BloomFilter::FromBitset(PaddedBuffer(bitset));
    ASSERT_TRUE(filter.has_value());
    SCOPED_TRACE("bloom filter");
    const Evidence evidence = evidence_.OfBloomFilter(*std::move(filter));
    checked_.bloom_filters += evidence.membership != nullptr;
    Check(evidence, rows_, random);
  }

  /// A top-level column delivered as dictionary and codes, all of it in one dictionary.
  void CheckDictionary(std::mt19937_64& random) {
    if (!parquet::IsAllDictionary(Chunk())) return;
    parquet::ReadOptions options = reader_.options();
    options.deliver_dictionaries = true;
    options.batch_rows = INT32_MAX;
    const auto reader = OpenBytes(bytes_, options);
    ASSERT_TRUE(reader.has_value());
    const auto& leaf = reader_.tree()->leaves()[static_cast<size_t>(leaf_)];
    const auto& node = reader_.tree()->nodes()[static_cast<size_t>(leaf.node)];
    if (node.parent != 0) return;
    const auto projection = parquet::Projection::Of((*reader)->tree(), {{std::string(node.name)}});
    auto cursor = (*reader)->RowGroup(row_group_, *projection);
    const auto batch = (*cursor)->Next();
    if (!batch.has_value() || !*batch) return;
    const Column& column = (*batch)->batch.columns[0];
    if (column.form != ColumnForm::kDictionary) return;
    SCOPED_TRACE("dictionary");
    Check(evidence_.OfDictionary(column.dictionary), rows_, random);
    ++checked_.dictionaries;
  }

  Rows RowsOf(int64_t begin, int64_t end) const {
    return Rows(rows_).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  }

  std::string_view bytes_;
  const FileReader& reader_;
  int32_t row_group_;
  int32_t leaf_;
  LeafEvidence evidence_;
  Checked& checked_;
  std::vector<Value> rows_;
};

void CheckFile(std::string_view bytes, std::mt19937_64& random, Checked& checked) {
  const auto reader = OpenBytes(bytes);
  ASSERT_TRUE(reader.has_value()) << reader.error().ToString();
  const auto num_leaves = static_cast<int32_t>((*reader)->tree()->leaves().size());
  for (int32_t group = 0; group < (*reader)->num_row_groups(); ++group) {
    for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
      SCOPED_TRACE("row group " + std::to_string(group) + ", column " +
                   (*reader)->tree()->LeafPath(leaf));
      LeafCheck(bytes, **reader, group, leaf, checked).Run(random);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

void Print(const Checked& checked) {
  std::printf(
      "checked %lld chunks, %lld pages by index, %lld by header, %lld bounds, %lld null counts, "
      "%lld NaN counts, %lld dictionaries, %lld bloom filters, %lld proofs\n",
      static_cast<long long>(checked.chunks), static_cast<long long>(checked.pages),
      static_cast<long long>(checked.header_pages), static_cast<long long>(checked.bounds),
      static_cast<long long>(checked.null_counts), static_cast<long long>(checked.nan_counts),
      static_cast<long long>(checked.dictionaries), static_cast<long long>(checked.bloom_filters),
      static_cast<long long>(checked.proofs));
}

TEST(Evidence, HoldsForEveryRealFile) {
  constexpr int64_t kLargestFile = 1 << 20;
  Checked checked;
  std::mt19937_64 random(1);
  for (const CorpusFile& file : CorpusFiles()) {
    if (file.category != "ok" || file.size >= kLargestFile) continue;
    SCOPED_TRACE(file.name);
    CheckFile(ReadWholeFile(file.path), random, checked);
  }
  if (checked.chunks == 0) GTEST_SKIP() << "NO CORPUS: set SLUICE_CORPUS to its directory";
  Print(checked);
  EXPECT_GT(checked.bounds, 1000);
  EXPECT_GT(checked.pages, 100);
  EXPECT_GT(checked.header_pages, 100);
}

class WrittenEvidence : public testing::TestWithParam<uint64_t> {};

TEST_P(WrittenEvidence, HoldsForWhatTheWriterWrites) {
  Checked checked;
  for (uint64_t seed = GetParam(); seed < GetParam() + 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomColumns random(seed);
    const Table table =
        RandomTable(random, 1 + random.Below(400), 1 + static_cast<int>(random.Below(2)));
    parquet::WriterOptions options = RandomOptions(random, table.schema);
    for (auto& [path, column] : options.overrides) {
      column.bloom_filter = random.Chance(0.5);
      column.max_bound_bytes = static_cast<int32_t>(1 + random.Below(20));
    }
    const Result<std::string> bytes = Write(table, options, random);
    ASSERT_TRUE(bytes.has_value()) << bytes.status().ToString();
    std::mt19937_64 choices(seed);
    CheckFile(*bytes, choices, checked);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(checked.proofs, 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, WrittenEvidence, testing::Range<uint64_t>(0, 300, 10));

}  // namespace
}  // namespace sluice::support
