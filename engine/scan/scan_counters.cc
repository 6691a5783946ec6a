#include <sluice/scan_counters.h>

namespace sluice::inline v0 {

namespace {

void Add(const ScanCounters::Verdicts& from, ScanCounters::Verdicts& to) {
  for (const auto& [verdict, count] : from) to[verdict] += count;
}

}  // namespace

PageCounters& PageCounters::operator+=(const PageCounters& other) {
  considered += other.considered;
  read += other.read;
  pruned_by_index += other.pruned_by_index;
  pruned_by_header += other.pruned_by_header;
  pruned_by_dictionary += other.pruned_by_dictionary;
  deleted += other.deleted;
  unwanted += other.unwanted;
  return *this;
}

ScanCounters& ScanCounters::operator+=(const ScanCounters& other) {
  for (const auto member :
       {&ScanCounters::files_considered,      &ScanCounters::files_pruned,
        &ScanCounters::row_groups_considered, &ScanCounters::row_groups_pruned,
        &ScanCounters::row_groups_proven,     &ScanCounters::row_groups_late,
        &ScanCounters::row_groups_at_once,    &ScanCounters::filter_reorders,
        &ScanCounters::rows_considered,       &ScanCounters::rows_pruned_by_row_group,
        &ScanCounters::rows_pruned_by_page,   &ScanCounters::rows_deleted,
        &ScanCounters::rows_filtered,         &ScanCounters::rows_rejected,
        &ScanCounters::rows_delivered,        &ScanCounters::rows_not_reached,
        &ScanCounters::metadata_bytes,        &ScanCounters::result_bytes,
        &ScanCounters::open_nanoseconds,      &ScanCounters::judge_nanoseconds,
        &ScanCounters::filter_nanoseconds,    &ScanCounters::residual_nanoseconds,
        &ScanCounters::read_nanoseconds}) {
    this->*member += other.*member;
  }
  Add(other.file_verdicts, file_verdicts);
  Add(other.row_group_verdicts, row_group_verdicts);
  pages += other.pages;
  data += other.data;
  return *this;
}

}  // namespace sluice::inline v0
