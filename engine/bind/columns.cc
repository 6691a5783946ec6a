// Names to places. fault F10: the exact name wins, and what is ambiguous is an error.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/bind/binder.h"
#include "engine/parse/lexer.h"
#include "format/model/try.h"
#include "format/model/widen.h"

namespace sluice::inline v0::engine {
namespace {

/// Longer names, and fields beyond so many, are not compared with a name that is not found.
constexpr size_t kLongestCompared = 64;
constexpr size_t kMostCompared = 10'000;
constexpr size_t kMostSuggested = 3;

/// The least number of characters to insert, remove or replace between two names.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row.back();
}

/// A name as it is to be written.
std::string Written(const std::string& name) { return Col(name).ToSql(); }

/// The names nearest to `name`, as far as they are near: one character or a third of them may
/// differ, but not all.
std::vector<std::string> NearNames(const std::vector<Field>& fields, std::string_view name) {
  std::vector<std::pair<size_t, std::string>> near;
  const std::string wanted = LowerAscii(name.substr(0, kLongestCompared));
  for (size_t i = 0; i < std::min(fields.size(), kMostCompared); ++i) {
    const std::string& field = fields[i].name;
    if (field.size() > kLongestCompared) continue;
    const size_t distance = EditDistance(wanted, LowerAscii(field));
    const bool is_near = distance <= std::max<size_t>(1, wanted.size() / 3);
    if (is_near && distance < wanted.size()) near.emplace_back(distance, field);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [distance, field] : near) {
    const std::string written = Written(field);
    if (names.size() < kMostSuggested &&
        std::find(names.begin(), names.end(), written) == names.end()) {
      names.push_back(written);
    }
  }
  return names;
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : " or ";
    text += names[i];
  }
  return text;
}

}  // namespace

Result<Operand> Binder::BindColumn(const Expression& expression) {
  ColumnPath path;
  const std::vector<Field>* fields = &schema_.fields;
  const DataType* type = nullptr;
  for (const std::string& name : expression.path) {
    if (type != nullptr && type->id != TypeId::kStruct) {
      return Fail(expression, fmt::format("{} has no field {}: it is of type {}",
                                          Written(expression.path[path.size() - 1]), Written(name),
                                          type->ToString()));
    }
    SLUICE_TRY(const int32_t ordinal, FindField(*fields, name, expression));
    path.push_back(ordinal);
    type = &(*fields)[static_cast<size_t>(ordinal)].type;
    fields = &type->children;
  }
  if (type == nullptr) return Fail(expression, "a column without a name");
  ++num_columns_;
  BoundExpression column = BoundExpression::Column(std::move(path), *type);
  column.can_misfit = options_.columns_can_misfit && HasPartialWidening(*type);
  return Operand{std::move(column), nullptr};
}

Result<int32_t> Binder::FindField(const std::vector<Field>& fields, std::string_view name,
                                  const Expression& at) const {
  std::vector<int32_t> exact;
  std::vector<int32_t> similar;
  const std::string lower = LowerAscii(name);
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto ordinal = static_cast<int32_t>(i);
    if (fields[i].name == name) {
      exact.push_back(ordinal);
    } else if (options_.ignore_case && LowerAscii(fields[i].name) == lower) {
      similar.push_back(ordinal);
    }
  }
  const std::vector<int32_t>& found = exact.empty() ? similar : exact;
  if (found.empty()) return UnknownName(fields, name, at);
  if (found.size() == 1) return found[0];
  std::vector<std::string> candidates;
  for (const int32_t ordinal : found) {
    const Field& field = fields[static_cast<size_t>(ordinal)];
    candidates.push_back(
        fmt::format("{} (number {}, {})", Written(field.name), ordinal + 1, field.type.ToString()));
  }
  return Fail(at, fmt::format("the name {} is ambiguous: it may be {}", Written(std::string(name)),
                              Joined(candidates)));
}

Status Binder::UnknownName(const std::vector<Field>& fields, std::string_view name,
                           const Expression& at) const {
  std::vector<std::string> near = NearNames(fields, name);
  // A column whose own name has dots needs quotes. fault F9.
  std::string dotted;
  for (const std::string& part : at.path) dotted += (dotted.empty() ? "" : ".") + part;
  const bool has_dotted = std::any_of(schema_.fields.begin(), schema_.fields.end(),
                                      [&](const Field& field) { return field.name == dotted; });
  if (at.path.size() > 1 && has_dotted) near.insert(near.begin(), Written(dotted));
  std::string message =
      fmt::format("there is no {} {}", &fields == &schema_.fields ? "column" : "field",
                  Written(std::string(name)));
  if (!near.empty()) message += fmt::format("; there is {}", Joined(near));
  return Fail(at, message);
}

}  // namespace sluice::inline v0::engine
