#include "engine/scan/row_group_decision.h"

#include <sluice/bitmap.h>
#include <sluice/parquet/bloom_filter.h>
#include <sluice/parquet/page_index.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/scan/scan_plan.h"
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

/// The filters that a tree holds of a column.
bool AnyAsksForValues(const FilterNode& node, int32_t column) {
  if (node.kind == FilterNode::Kind::kColumn) {
    return node.column == column && AsksForValues(node.filter);
  }
  return std::any_of(node.children.begin(), node.children.end(),
                     [&](const FilterNode& child) { return AnyAsksForValues(child, column); });
}

}  // namespace

bool AsksForValues(const ColumnFilter& filter) {
  if (filter.kind == ColumnFilter::Kind::kSet) return !filter.negated;
  return filter.kind == ColumnFilter::Kind::kRanges &&
         std::any_of(filter.ranges.begin(), filter.ranges.end(), [](const ValueRange& range) {
           return range.lower && range.upper && range.lower->value == range.upper->value;
         });
}

Evidence EvidenceOfPart(Evidence whole) {
  whole.row_count.reset();
  whole.nulls = OfPart(whole.nulls);
  whole.nans = OfPart(whole.nans);
  for (auto* bound : {&whole.lower, &whole.upper}) {
    if (*bound) (*bound)->exactness = EvidenceBound::Exactness::kUnknown;
  }
  return whole;
}

Evidence EvidenceOfRange(DataType type, int64_t first, int64_t last) {
  Evidence evidence;
  evidence.source = EvidenceSource::kConstant;
  evidence.nulls = evidence.nans = Occurrence::None();
  const auto bound = [&](int64_t value) {
    const auto width = static_cast<size_t>(type.byte_width);
    return EvidenceBound{std::string(reinterpret_cast<const char*>(&value), width),
                         EvidenceBound::Exactness::kExact};
  };
  evidence.lower = bound(first);
  evidence.upper = bound(last);
  evidence.type = std::make_shared<const DataType>(std::move(type));
  return evidence;
}

const parquet::ColumnChunk* RowGroupJudge::ChunkOf(size_t source) const {
  const int32_t leaf = predicate_.sources[source].leaf;
  const auto& columns = group().columns;
  if (leaf < 0 || leaf >= std::ssize(columns)) return nullptr;
  const parquet::ColumnChunk& chunk = columns[static_cast<size_t>(leaf)];
  const bool is_readable = chunk.is_present && !chunk.is_encrypted && chunk.file_path.empty();
  return is_readable ? &chunk : nullptr;
}

Result<BufferRef> RowGroupJudge::Read(ByteRange range) {
  auto bytes = reader_.file().Read(range, *reader_.options().pool);
  if (bytes) metadata_bytes_ += range.length;
  if (!bytes && bytes.error().code() == StatusCode::kResourceExhausted) return BufferRef();
  return bytes;
}

Evidence RowGroupJudge::StatisticsOf(size_t source) const {
  const int64_t rows = group().num_rows;
  switch (predicate_.sources[source].kind) {
    case Source::Kind::kRowNumber:
      if (!options_.use_statistics) break;
      return EvidenceOfRange(VirtualColumnType(VirtualColumn::kRowNumber), first_row_,
                             first_row_ + std::max<int64_t>(rows, 1) - 1);
    case Source::Kind::kRowGroup:
      if (!options_.use_statistics) break;
      return EvidenceOfRange(VirtualColumnType(VirtualColumn::kRowGroup), row_group_, row_group_);
    case Source::Kind::kLeaf:
      if (!options_.use_statistics || ChunkOf(source) == nullptr) break;
      return parquet::LeafEvidence(*reader_.metadata(), *reader_.tree(),
                                   predicate_.sources[source].leaf)
          .OfChunk(group());
    case Source::Kind::kNoEvidence:
      break;
  }
  return Evidence::Missing(EvidenceSource::kNone, Reason::kNoEvidence);
}

Result<RowGroupDecision> RowGroupJudge::Judge(int32_t row_group, int64_t first_row) {
  row_group_ = row_group;
  first_row_ = first_row;
  RowGroupDecision decision;
  decision.selection = RowSelection::All(group().num_rows);
  evidence_.clear();
  indexed_columns_.clear();
  for (size_t i = 0; i < predicate_.sources.size(); ++i) {
    evidence_.push_back(StatisticsOf(i));
    evidence_.back().row_count = group().num_rows;
  }
  decision.verdict = Evaluate(predicate_.tree, evidence_);
  for (size_t i = 0; i < predicate_.sources.size() && options_.use_bloom_filters; ++i) {
    if (decision.verdict.outcome != Outcome::kSome) break;
    if (!AnyAsksForValues(predicate_.tree, static_cast<int32_t>(i))) continue;
    SLUICE_RETURN_IF_ERROR(AddBloomFilter(i, evidence_[i]));
    decision.verdict = Evaluate(predicate_.tree, evidence_);
  }
  if (decision.verdict.outcome != Outcome::kSome) {
    if (decision.verdict.outcome == Outcome::kNone) decision.selection = RowSelection();
    return decision;
  }
  for (size_t i = 0; i < predicate_.residual.size(); ++i) {
    if (!IsProven(i, evidence_)) decision.residual.push_back(i);
  }
  for (const FilePredicate::Filter& filter : predicate_.filters) {
    parquet::LeafFilter asked{filter.leaf, filter.filter, std::nullopt};
    if (!IsProven(asked, evidence_)) decision.filters.push_back(std::move(asked));
  }
  SLUICE_RETURN_IF_ERROR(JudgePages(decision));
  return decision;
}

bool RowGroupJudge::IsProven(const parquet::LeafFilter& filter,
                             const std::vector<Evidence>& evidence) const {
  const auto source =
      std::find_if(predicate_.sources.begin(), predicate_.sources.end(), [&](const Source& one) {
        return one.kind == Source::Kind::kLeaf && one.leaf == filter.leaf;
      });
  if (source == predicate_.sources.end()) return false;
  const auto ordinal = static_cast<size_t>(source - predicate_.sources.begin());
  return Evaluate(filter.filter, evidence[ordinal]).outcome == Outcome::kAll;
}

bool RowGroupJudge::IsProven(size_t conjunct, const std::vector<Evidence>& evidence) const {
  return Evaluate(predicate_.residual[conjunct].tree, evidence).outcome == Outcome::kAll;
}

Status RowGroupJudge::AddBloomFilter(size_t source, Evidence& evidence) {
  using parquet::BloomFilter;
  const parquet::ColumnChunk* chunk = ChunkOf(source);
  if (chunk == nullptr || !chunk->bloom_filter_offset) return Status::Ok();
  const int64_t offset = *chunk->bloom_filter_offset;
  const int64_t most = reader_.metadata()->footer_offset - offset;
  if (offset <= 0 || most <= 0) return Status::Ok();
  const int64_t claimed = chunk->bloom_filter_length.value_or(0);
  int64_t length = std::min(claimed > 0 ? claimed : kBloomFilterBytes, most);
  if (length > kMaxBloomFilterBytes) return Status::Ok();
  SLUICE_TRY(BufferRef bytes, Read({offset, length}));
  if (!bytes) return Status::Ok();
  const auto header = BloomFilter::ParseHeader(bytes->span());
  if (!header || !*header) return Status::Ok();
  const int64_t end = int64_t{(*header)->header_size} + (*header)->num_bytes;
  if (end > most || end > kMaxBloomFilterBytes) return Status::Ok();
  if (end > length) {
    SLUICE_TRY(bytes, Read({offset, end}));
    if (!bytes) return Status::Ok();
  }
  auto filter =
      BloomFilter::FromBitset(SliceBuffer(bytes, (*header)->header_size, (*header)->num_bytes));
  if (!filter) return Status::Ok();
  const parquet::LeafEvidence leaf(*reader_.metadata(), *reader_.tree(),
                                   predicate_.sources[source].leaf);
  MergeEvidence(evidence, leaf.OfBloomFilter(*std::move(filter)));
  return Status::Ok();
}

Result<RowGroupJudge::IndexedColumn> RowGroupJudge::ReadPageIndex(size_t source) {
  IndexedColumn indexed;
  // Rows of pages are not taken from an index there.
  if (options_.read.read_everything) return indexed;
  const parquet::ColumnChunk* chunk = ChunkOf(source);
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
  if (!offset_bytes) return indexed;
  const auto offsets = parquet::ParseOffsetIndex(offset_bytes->span(), pool);
  if (!offsets || !parquet::CheckOffsetIndex(*offsets, group().num_rows, *chunk_range).ok()) {
    return indexed;
  }
  SLUICE_TRY(BufferRef column_bytes, Read(*chunk->column_index));
  if (!column_bytes) return indexed;
  const auto index = parquet::ParseColumnIndex(std::move(column_bytes), pool);
  const parquet::LeafEvidence leaf(*reader_.metadata(), *reader_.tree(),
                                   predicate_.sources[source].leaf);
  if (!index || !leaf.IsConsistent(*index, *offsets, group())) return indexed;
  const auto& pages = offsets->page_locations;
  for (size_t page = 0; page < pages.size(); ++page) {
    const int64_t begin = pages[page].first_row_index;
    const int64_t end =
        page + 1 < pages.size() ? pages[page + 1].first_row_index : group().num_rows;
    indexed.first_rows.push_back(begin);
    indexed.pages.push_back(EvidenceOfPart(leaf.OfIndexedPage(*index, page, end - begin)));
  }
  return indexed;
}

void RowGroupJudge::AddRowNumberBounds(const FilterNode& node, std::vector<int64_t>& bounds) const {
  for (const FilterNode& child : node.children) AddRowNumberBounds(child, bounds);
  const bool is_row_number =
      node.kind == FilterNode::Kind::kColumn &&
      predicate_.sources[static_cast<size_t>(node.column)].kind == Source::Kind::kRowNumber;
  if (!is_row_number) return;
  const auto add = [&](const std::string& value, bool is_behind) {
    int64_t row = 0;
    std::memcpy(&row, value.data(), sizeof(row));
    if (row < first_row_ || row - first_row_ >= group().num_rows) return;
    bounds.push_back(row - first_row_ + (is_behind ? 1 : 0));
  };
  for (const ValueRange& range : node.filter.ranges) {
    if (range.lower) add(range.lower->value, !range.lower->inclusive);
    if (range.upper) add(range.upper->value, range.upper->inclusive);
  }
  for (size_t i = 0; node.filter.set && i < node.filter.set->size(); ++i) {
    add((*node.filter.set)[i], false);
    add((*node.filter.set)[i], true);
  }
}

Result<std::vector<int64_t>> RowGroupJudge::ReadStretches() {
  std::vector<int64_t> bounds;
  AddRowNumberBounds(predicate_.tree, bounds);
  indexed_columns_.resize(predicate_.sources.size());
  for (size_t i = 0; i < indexed_columns_.size(); ++i) {
    SLUICE_TRY(indexed_columns_[i], ReadPageIndex(i));
    const std::vector<int64_t>& first_rows = indexed_columns_[i].first_rows;
    bounds.insert(bounds.end(), first_rows.begin(), first_rows.end());
  }
  if (bounds.empty()) return bounds;
  bounds.insert(bounds.end(), {0, group().num_rows});
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  return bounds;
}

void RowGroupJudge::AdvanceTo(RowRange rows, std::vector<size_t>& next_page,
                              std::vector<Evidence>& evidence) const {
  for (size_t i = 0; i < indexed_columns_.size(); ++i) {
    const IndexedColumn& column = indexed_columns_[i];
    for (size_t& page = next_page[i];
         page < column.pages.size() && column.first_rows[page] <= rows.begin; ++page) {
      evidence[i] = column.pages[page];
    }
    if (predicate_.sources[i].kind == Source::Kind::kRowNumber) {
      evidence[i] = EvidenceOfRange(VirtualColumnType(VirtualColumn::kRowNumber),
                                    first_row_ + rows.begin, first_row_ + rows.end - 1);
    }
    evidence[i].row_count = rows.size();
  }
}

/// Rows between two neighbouring page bounds, of whichever column, fare alike: each such stretch is
/// judged by the evidence of the pages that it lies in.
Status RowGroupJudge::JudgePages(RowGroupDecision& decision) {
  if (!options_.use_page_index || group().num_rows == 0) return Status::Ok();
  SLUICE_TRY(const std::vector<int64_t> bounds, ReadStretches());
  if (bounds.empty()) return Status::Ok();
  std::vector<RowRange> wanted;
  std::vector<std::vector<RowRange>> undecided(decision.filters.size());
  std::vector<RowRange> residual_rows;
  std::vector<bool> is_left(predicate_.residual.size());
  std::vector<size_t> next_page(predicate_.sources.size(), 0);
  std::vector<Evidence> evidence;
  for (const Evidence& whole : evidence_) evidence.push_back(EvidenceOfPart(whole));
  for (size_t stretch = 0; stretch + 1 < bounds.size(); ++stretch) {
    const RowRange rows{bounds[stretch], bounds[stretch + 1]};
    AdvanceTo(rows, next_page, evidence);
    if (Evaluate(predicate_.tree, evidence).outcome == Outcome::kNone) continue;
    wanted.push_back(rows);
    for (size_t i = 0; i < decision.filters.size(); ++i) {
      if (!IsProven(decision.filters[i], evidence)) undecided[i].push_back(rows);
    }
    bool is_undecided = false;
    for (const size_t conjunct : decision.residual) {
      if (IsProven(conjunct, evidence)) continue;
      is_undecided = is_left[conjunct] = true;
    }
    if (is_undecided) residual_rows.push_back(rows);
  }
  SLUICE_TRY(decision.selection, RowSelection::FromRanges(std::move(wanted)));
  for (size_t i = 0; i < decision.filters.size(); ++i) {
    SLUICE_TRY(decision.filters[i].undecided, RowSelection::FromRanges(std::move(undecided[i])));
  }
  std::erase_if(decision.residual, [&](size_t conjunct) { return !is_left[conjunct]; });
  SLUICE_TRY(decision.residual_rows, RowSelection::FromRanges(std::move(residual_rows)));
  return Status::Ok();
}

}  // namespace sluice::inline v0::engine
