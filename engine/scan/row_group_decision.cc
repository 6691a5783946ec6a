#include "engine/scan/row_group_decision.h"

#include <sluice/bitmap.h>
#include <sluice/parquet/bloom_filter.h>
#include <sluice/parquet/page_index.h>

#include <algorithm>
#include <utility>

#include "format/model/evaluate.h"
#include "format/model/try.h"
#include "format/parquet/leaf_evidence.h"

namespace sluice::inline v0::engine {

namespace {

using Outcome = Verdict::Outcome;

/// How much of a bloom filter is read where the footer does not say how long it is: its header,
/// and the bitset of most that writers make.
constexpr int64_t kBloomFilterBytes = 64 << 10;
/// A bitset that is larger is not worth reading for one row group.
constexpr int64_t kMaxBloomFilterBytes = 16 << 20;
/// Nor is an index that is larger.
constexpr int64_t kMaxIndexBytes = 16 << 20;

Occurrence OfPart(const Occurrence& whole) {
  using Share = Occurrence::Share;
  if (whole.share == Share::kSome) return Occurrence::Unknown(Reason::kNoEvidence);
  Occurrence part = whole;
  if (part.share != Share::kNone) part.count.reset();
  return part;
}

/// Whether a filter asks for values that can be looked up one by one.
bool AsksForValues(const ColumnFilter& filter) {
  if (filter.kind == ColumnFilter::Kind::kSet) return !filter.negated;
  return filter.kind == ColumnFilter::Kind::kRanges &&
         std::any_of(filter.ranges.begin(), filter.ranges.end(), [](const ValueRange& range) {
           return range.lower && range.upper && range.lower->value == range.upper->value;
         });
}

/// The filters that a tree holds of a column.
bool AnyAsksForValues(const FilterNode& node, int32_t column) {
  if (node.kind == FilterNode::Kind::kColumn) {
    return node.column == column && AsksForValues(node.filter);
  }
  return std::any_of(node.children.begin(), node.children.end(),
                     [&](const FilterNode& child) { return AnyAsksForValues(child, column); });
}

}  // namespace

Evidence EvidenceOfPart(Evidence whole, int64_t rows) {
  whole.row_count = rows;
  whole.nulls = OfPart(whole.nulls);
  whole.nans = OfPart(whole.nans);
  for (auto* bound : {&whole.lower, &whole.upper}) {
    if (*bound) (*bound)->exactness = EvidenceBound::Exactness::kUnknown;
  }
  return whole;
}

const parquet::ColumnChunk* RowGroupJudge::ChunkOf(size_t column) const {
  const int32_t leaf = plan_.leaves[column];
  const auto& columns = reader_.metadata()->row_groups[static_cast<size_t>(row_group_)].columns;
  if (leaf < 0 || leaf >= std::ssize(columns)) return nullptr;
  const parquet::ColumnChunk& chunk = columns[static_cast<size_t>(leaf)];
  const bool is_readable = chunk.is_present && !chunk.is_encrypted && chunk.file_path.empty();
  return is_readable ? &chunk : nullptr;
}

Result<BufferRef> RowGroupJudge::Read(ByteRange range) {
  metadata_bytes_ += range.length;
  return reader_.file().Read(range, *reader_.options().pool);
}

Result<RowGroupDecision> RowGroupJudge::Judge(int32_t row_group) {
  row_group_ = row_group;
  const parquet::RowGroup& group = reader_.metadata()->row_groups[static_cast<size_t>(row_group)];
  RowGroupDecision decision;
  decision.selection = RowSelection::All(group.num_rows);
  evidence_.clear();
  for (size_t i = 0; i < plan_.leaves.size(); ++i) {
    Evidence evidence = Evidence::Missing(EvidenceSource::kNone, Reason::kNoEvidence);
    if (options_.use_statistics && ChunkOf(i) != nullptr) {
      evidence = parquet::LeafEvidence(*reader_.metadata(), *reader_.tree(), plan_.leaves[i])
                     .OfChunk(group);
    }
    evidence.row_count = group.num_rows;
    evidence_.push_back(std::move(evidence));
  }
  decision.verdict = Evaluate(plan_.tree, evidence_);
  for (size_t i = 0; i < plan_.leaves.size() && options_.use_bloom_filters; ++i) {
    if (decision.verdict.outcome != Outcome::kSome) break;
    if (!AnyAsksForValues(plan_.tree, static_cast<int32_t>(i))) continue;
    SLUICE_RETURN_IF_ERROR(AddBloomFilter(i, evidence_[i]));
    decision.verdict = Evaluate(plan_.tree, evidence_);
  }
  if (decision.verdict.outcome != Outcome::kSome) {
    if (decision.verdict.outcome == Outcome::kNone) decision.selection = RowSelection();
    return decision;
  }
  decision.has_residual = plan_.residual != nullptr;
  for (size_t i = 0; i < plan_.filters.size(); ++i) {
    if (JudgeFilter(i, evidence_).outcome == Outcome::kAll) continue;
    parquet::LeafFilter filter;
    filter.leaf = plan_.filters[i].leaf;
    filter.filter = plan_.filters[i].filter;
    decision.filters.push_back(std::move(filter));
  }
  if (options_.use_page_index) SLUICE_RETURN_IF_ERROR(JudgePages(decision));
  return decision;
}

Verdict RowGroupJudge::JudgeFilter(size_t filter, const std::vector<Evidence>& evidence) const {
  const auto leaf = std::find(plan_.leaves.begin(), plan_.leaves.end(), plan_.filters[filter].leaf);
  if (leaf == plan_.leaves.end()) return {};
  return Evaluate(plan_.filters[filter].filter,
                  evidence[static_cast<size_t>(leaf - plan_.leaves.begin())]);
}

Status RowGroupJudge::AddBloomFilter(size_t column, Evidence& evidence) {
  using parquet::BloomFilter;
  const parquet::ColumnChunk* chunk = ChunkOf(column);
  if (chunk == nullptr || !chunk->bloom_filter_offset) return Status::Ok();
  const int64_t offset = *chunk->bloom_filter_offset;
  const int64_t most = reader_.metadata()->footer_offset - offset;
  if (offset <= 0 || most <= 0) return Status::Ok();
  const int64_t claimed = chunk->bloom_filter_length.value_or(0);
  int64_t length = std::min(claimed > 0 ? claimed : kBloomFilterBytes, most);
  if (length > kMaxBloomFilterBytes) return Status::Ok();
  SLUICE_TRY(BufferRef bytes, Read({offset, length}));
  const auto header = BloomFilter::ParseHeader(bytes->span());
  if (!header || !*header) return Status::Ok();
  const int64_t end = int64_t{(*header)->header_size} + (*header)->num_bytes;
  if (end > most || end > kMaxBloomFilterBytes) return Status::Ok();
  if (end > length) {
    SLUICE_TRY(bytes, Read({offset, end}));
  }
  auto filter =
      BloomFilter::FromBitset(SliceBuffer(bytes, (*header)->header_size, (*header)->num_bytes));
  if (!filter) return Status::Ok();
  const parquet::LeafEvidence leaf(*reader_.metadata(), *reader_.tree(), plan_.leaves[column]);
  MergeEvidence(evidence, leaf.OfBloomFilter(*std::move(filter)));
  return Status::Ok();
}

Result<RowGroupJudge::IndexedColumn> RowGroupJudge::ReadPageIndex(size_t column) {
  IndexedColumn indexed;
  const parquet::ColumnChunk* chunk = ChunkOf(column);
  const parquet::RowGroup& group = reader_.metadata()->row_groups[static_cast<size_t>(row_group_)];
  if (chunk == nullptr || !chunk->offset_index || !chunk->column_index) return indexed;
  const int64_t footer = reader_.metadata()->footer_offset;
  for (const ByteRange& range : {*chunk->offset_index, *chunk->column_index}) {
    if (range.offset < 0 || range.length > footer - range.offset) return indexed;
    if (range.length > kMaxIndexBytes) return indexed;
  }
  const auto chunk_range = parquet::ChunkByteRange(*reader_.metadata(), *chunk);
  if (!chunk_range) return indexed;
  BufferPool* pool = reader_.options().pool.get();
  SLUICE_TRY(const BufferRef offset_bytes, Read(*chunk->offset_index));
  const auto offsets = parquet::ParseOffsetIndex(offset_bytes->span(), pool);
  if (!offsets || !parquet::CheckOffsetIndex(*offsets, group.num_rows, *chunk_range).ok()) {
    return indexed;
  }
  SLUICE_TRY(BufferRef column_bytes, Read(*chunk->column_index));
  const auto index = parquet::ParseColumnIndex(std::move(column_bytes), pool);
  const parquet::LeafEvidence leaf(*reader_.metadata(), *reader_.tree(), plan_.leaves[column]);
  if (!index || !leaf.IsConsistent(*index, *offsets, group)) return indexed;
  const auto& pages = offsets->page_locations;
  for (size_t page = 0; page < pages.size(); ++page) {
    const int64_t begin = pages[page].first_row_index;
    const int64_t end = page + 1 < pages.size() ? pages[page + 1].first_row_index : group.num_rows;
    indexed.first_rows.push_back(begin);
    indexed.pages.push_back(leaf.OfIndexedPage(*index, page, end - begin));
  }
  return indexed;
}

/// Rows between two neighbouring page bounds, of whichever column, fare alike: each such stretch is
/// judged by the evidence of the pages that it lies in.
Status RowGroupJudge::JudgePages(RowGroupDecision& decision) {
  const int64_t num_rows = reader_.metadata()->row_groups[static_cast<size_t>(row_group_)].num_rows;
  std::vector<IndexedColumn> columns;
  std::vector<int64_t> bounds{0, num_rows};
  bool is_indexed = false;
  for (size_t i = 0; i < plan_.leaves.size(); ++i) {
    SLUICE_TRY(IndexedColumn column, ReadPageIndex(i));
    is_indexed |= !column.pages.empty();
    bounds.insert(bounds.end(), column.first_rows.begin(), column.first_rows.end());
    columns.push_back(std::move(column));
  }
  if (!is_indexed || num_rows == 0) return Status::Ok();
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  std::vector<RowRange> wanted;
  std::vector<std::vector<RowRange>> undecided(decision.filters.size());
  std::vector<size_t> page(columns.size(), 0);
  for (size_t stretch = 0; stretch + 1 < bounds.size(); ++stretch) {
    const RowRange rows{bounds[stretch], bounds[stretch + 1]};
    std::vector<Evidence> evidence;
    for (size_t i = 0; i < columns.size(); ++i) {
      const IndexedColumn& column = columns[i];
      while (page[i] + 1 < column.first_rows.size() &&
             column.first_rows[page[i] + 1] <= rows.begin) {
        ++page[i];
      }
      evidence.push_back(
          EvidenceOfPart(column.pages.empty() ? evidence_[i] : column.pages[page[i]], rows.size()));
    }
    const Verdict verdict = Evaluate(plan_.tree, evidence);
    if (verdict.outcome == Outcome::kNone) continue;
    wanted.push_back(rows);
    for (size_t i = 0; i < decision.filters.size(); ++i) {
      const auto leaf =
          std::find(plan_.leaves.begin(), plan_.leaves.end(), decision.filters[i].leaf);
      const bool passes = leaf != plan_.leaves.end() &&
                          Evaluate(decision.filters[i].filter,
                                   evidence[static_cast<size_t>(leaf - plan_.leaves.begin())])
                                  .outcome == Outcome::kAll;
      if (!passes) undecided[i].push_back(rows);
    }
  }
  SLUICE_TRY(decision.selection, RowSelection::FromRanges(std::move(wanted)));
  for (size_t i = 0; i < decision.filters.size(); ++i) {
    SLUICE_TRY(decision.filters[i].undecided, RowSelection::FromRanges(std::move(undecided[i])));
  }
  return Status::Ok();
}

}  // namespace sluice::inline v0::engine
