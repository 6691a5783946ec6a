#include "engine/scan/row_group_decision.h"

#include <sluice/bitmap.h>
#include <sluice/parquet/page_index.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/scan/scan_plan.h"
#include "format/model/evaluate.h"
#include "format/model/try.h"
#include "format/model/widen.h"

namespace sluice::inline v0::engine {

namespace {

using Outcome = Verdict::Outcome;

Occurrence OfPart(const Occurrence& whole) {
  using Share = Occurrence::Share;
  if (whole.share == Share::kSome) return Occurrence::Unknown(Reason::kNoEvidence);
  Occurrence part = whole;
  if (part.share != Share::kNone) part.count.reset();
  return part;
}

}  // namespace

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

parquet::LeafEvidence RowGroupJudge::LeafOf(size_t source) const {
  return {*reader_.metadata(), *reader_.tree(), predicate_.sources[source].leaf};
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
      return WithMisfits(source, LeafOf(source).OfChunk(group()));
    case Source::Kind::kNoEvidence:
      break;
  }
  return Evidence::Missing(EvidenceSource::kNone, Reason::kNoEvidence);
}

bool RowGroupJudge::Fits(size_t source, const Evidence& evidence) const {
  const auto& widened = predicate_.sources[source].widened;
  return widened == nullptr || ProvesWidening(evidence, *widened);
}

Evidence RowGroupJudge::WithMisfits(size_t source, Evidence evidence) const {
  if (!Fits(source, evidence)) AllowMisfits(evidence, Reason::kCastNotProvable);
  return evidence;
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
  if (decision.verdict.outcome == Outcome::kSome && options_.use_bloom_filters) {
    SLUICE_RETURN_IF_ERROR(AddBloomFilters());
    decision.verdict = Evaluate(predicate_.tree, evidence_);
  }
  if (decision.verdict.outcome != Outcome::kSome) {
    if (decision.verdict.outcome == Outcome::kNone) decision.selection = RowSelection();
    return decision;
  }
  std::vector<bool> is_filtered(predicate_.residual.size());
  for (size_t i = 0; i < predicate_.residual.size(); ++i) {
    if (IsProven(i, evidence_)) continue;
    is_filtered[i] = IsSaidByFilters(i);
    if (!is_filtered[i]) decision.residual.push_back(i);
  }
  for (const FilePredicate::Filter& filter : predicate_.filters) {
    if (filter.conjunct && !is_filtered[*filter.conjunct]) continue;
    parquet::LeafFilter asked{filter.leaf, filter.filter, std::nullopt};
    if (!IsProven(asked, evidence_)) decision.filters.push_back(std::move(asked));
  }
  SLUICE_RETURN_IF_ERROR(JudgePages(decision));
  return decision;
}

std::optional<size_t> RowGroupJudge::SourceOf(int32_t leaf) const {
  for (size_t i = 0; i < predicate_.sources.size(); ++i) {
    const Source& source = predicate_.sources[i];
    if (source.kind == Source::Kind::kLeaf && source.leaf == leaf) return i;
  }
  return std::nullopt;
}

bool RowGroupJudge::IsProven(const parquet::LeafFilter& filter,
                             const std::vector<Evidence>& evidence) const {
  const std::optional<size_t> source = SourceOf(filter.leaf);
  return source && Evaluate(filter.filter, evidence[*source]).outcome == Outcome::kAll;
}

bool RowGroupJudge::IsOpen(const FilterNode& node, size_t source, bool by_values) const {
  if (node.kind == FilterNode::Kind::kColumn) {
    return static_cast<size_t>(node.column) == source &&
           (!by_values || AsksForValues(node.filter)) &&
           Evaluate(node.filter, evidence_[source]).outcome == Outcome::kSome;
  }
  return std::any_of(node.children.begin(), node.children.end(),
                     [&](const FilterNode& child) { return IsOpen(child, source, by_values); });
}

bool RowGroupJudge::IsSaidByFilters(size_t conjunct) const {
  for (const FilePredicate::Filter& filter : predicate_.filters) {
    if (filter.conjunct != conjunct) continue;
    const std::optional<size_t> source = SourceOf(filter.leaf);
    return source && Fits(*source, evidence_[*source]);
  }
  return false;
}

bool RowGroupJudge::IsProven(size_t conjunct, const std::vector<Evidence>& evidence) const {
  return Evaluate(predicate_.residual[conjunct].tree, evidence).outcome == Outcome::kAll;
}

Status RowGroupJudge::AddBloomFilters() {
  std::vector<size_t> sources;
  std::vector<const parquet::ColumnChunk*> chunks;
  for (size_t i = 0; i < predicate_.sources.size(); ++i) {
    const parquet::ColumnChunk* chunk = ChunkOf(i);
    const bool has_filter = chunk != nullptr && chunk->bloom_filter_offset.has_value();
    // It says nothing of rows that are errors.
    if (!has_filter || !Fits(i, evidence_[i]) || !IsOpen(predicate_.tree, i, true)) continue;
    sources.push_back(i);
    chunks.push_back(chunk);
  }
  SLUICE_TRY(auto filters, indexes_.ReadBloomFilters(chunks));
  for (size_t i = 0; i < sources.size(); ++i) {
    if (!filters[i]) continue;
    MergeEvidence(evidence_[sources[i]], LeafOf(sources[i]).OfBloomFilter(*std::move(filters[i])));
  }
  return Status::Ok();
}

Status RowGroupJudge::ReadPageIndexes() {
  indexed_columns_.resize(predicate_.sources.size());
  // Rows of pages are not taken from an index there.
  if (options_.read.read_everything) return Status::Ok();
  std::vector<size_t> sources;
  std::vector<ByteRange> ranges;
  for (size_t i = 0; i < predicate_.sources.size(); ++i) {
    const parquet::ColumnChunk* chunk = ChunkOf(i);
    const bool has_index = chunk != nullptr && chunk->offset_index && chunk->column_index;
    if (!has_index || !IsOpen(predicate_.tree, i, false)) continue;
    sources.push_back(i);
    ranges.push_back(*chunk->offset_index);
    ranges.push_back(*chunk->column_index);
  }
  SLUICE_TRY(const std::vector<BufferRef> parts, indexes_.Read(ranges));
  for (size_t i = 0; i < sources.size(); ++i) {
    indexed_columns_[sources[i]] = PagesOf(sources[i], parts[2 * i], parts[2 * i + 1]);
  }
  return Status::Ok();
}

RowGroupJudge::IndexedColumn RowGroupJudge::PagesOf(size_t source, const BufferRef& offset_index,
                                                    const BufferRef& column_index) const {
  IndexedColumn indexed;
  if (!offset_index || !column_index) return indexed;
  BufferPool* pool = reader_.options().pool.get();
  const auto chunk_range = parquet::ChunkByteRange(*reader_.metadata(), *ChunkOf(source));
  const auto offsets = parquet::ParseOffsetIndex(offset_index->span(), pool);
  if (!chunk_range || !offsets) return indexed;
  if (!parquet::CheckOffsetIndex(*offsets, group().num_rows, *chunk_range).ok()) return indexed;
  const auto index = parquet::ParseColumnIndex(column_index, pool);
  const parquet::LeafEvidence leaf = LeafOf(source);
  if (!index || !leaf.IsConsistent(*index, *offsets, group())) return indexed;
  const auto& pages = offsets->page_locations;
  constexpr int64_t kPageBytes = sizeof(Evidence) + sizeof(int64_t);
  // Bounds are copied, those of a page beside those of the other pages.
  auto memory = pool->Reserve(std::ssize(pages) * kPageBytes + 2 * column_index->size());
  if (!memory) return indexed;
  indexed.memory = *std::move(memory);
  indexed.first_rows.reserve(pages.size());
  indexed.pages.reserve(pages.size());
  const bool fits = Fits(source, evidence_[source]);
  for (size_t page = 0; page < pages.size(); ++page) {
    const int64_t begin = pages[page].first_row_index;
    const int64_t end =
        page + 1 < pages.size() ? pages[page + 1].first_row_index : group().num_rows;
    Evidence whole = leaf.OfIndexedPage(*index, page, end - begin);
    if (!fits) whole = WithMisfits(source, std::move(whole));
    indexed.first_rows.push_back(begin);
    indexed.pages.push_back(EvidenceOfPart(std::move(whole)));
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
  SLUICE_RETURN_IF_ERROR(ReadPageIndexes());
  for (const IndexedColumn& column : indexed_columns_) {
    bounds.insert(bounds.end(), column.first_rows.begin(), column.first_rows.end());
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
  const auto lists = static_cast<int64_t>(decision.filters.size()) + 2;
  const auto memory = reader_.options().pool->Reserve(std::ssize(bounds) * lists *
                                                      static_cast<int64_t>(sizeof(RowRange)));
  if (!memory) return Status::Ok();
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
