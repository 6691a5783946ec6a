// The description as lines: what a person looks for first stands first.

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "tools/file_description.h"

namespace sluice::tools {
namespace {

constexpr size_t kShownValue = 72;

/// One line, cut where it is long; nlohmann writes what is not UTF-8 as U+FFFD.
std::string OneLine(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (value.is_string()) text = text.substr(1, text.size() - 2);
  if (text.size() <= kShownValue) return text;
  size_t end = kShownValue;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

class Printer {
 public:
  std::string Print(const Json& file) {
    for (const char* key :
         {"file", "size", "version", "created_by", "rows", "rows_by_footer", "encrypted"}) {
      if (file.contains(key)) Line("{}: {}", key, OneLine(file[key]));
    }
    Line("footer: {} bytes at {}", OneLine(file["footer"]["length"]),
         OneLine(file["footer"]["offset"]));
    PrintKeyValues(file["key_value_metadata"], "");
    Line("schema:");
    for (const Json& node : file["schema"]) PrintNode(node);
    size_t ordinal = 0;
    for (const Json& group : file["row_groups"]) PrintRowGroup(group, ordinal++);
    return std::move(text_);
  }

 private:
  template <typename... Arguments>
  void Line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  void PrintKeyValues(const Json& pairs, const char* indent) {
    for (const Json& pair : pairs) {
      Line("{}key-value: {} = {}", indent, OneLine(pair["key"]), OneLine(pair["value"]));
    }
  }

  void PrintNode(const Json& node) {
    std::string line(2 + 2 * node["depth"].get<size_t>(), ' ');
    const auto add = [&](const char* before, const char* key, const char* after) {
      if (node.contains(key)) line += before + OneLine(node[key]) + after;
    };
    add("", "repetition", " ");
    add("", "physical_type", "");
    add("(", "type_length", ")");
    line += node.contains("physical_type") ? " " : "group ";
    line += OneLine(node["name"]);
    if (node.contains("logical_type")) {
      add(" (", "logical_type", ")");
    } else {
      add(" (", "converted_type", ")");
    }
    add(" id=", "field_id", "");
    add(" as ", "type", "");
    add(" levels d", "max_definition_level", "");
    add(" r", "max_repetition_level", "");
    Line("{}", line);
  }

  void PrintRowGroup(const Json& group, size_t ordinal) {
    std::string line = fmt::format("row group {}: {} rows", ordinal, OneLine(group["rows"]));
    if (group.contains("compressed_size")) {
      line += ", " + OneLine(group["compressed_size"]) + " bytes";
    }
    Line("{}, {} bytes uncompressed", line, OneLine(group["uncompressed_size"]));
    if (group.contains("sorting_columns")) Line("  sorted by {}", group["sorting_columns"].dump());
    for (const Json& chunk : group["columns"]) PrintChunk(chunk);
  }

  void PrintChunk(const Json& chunk) {
    std::string encodings;
    for (const Json& encoding : chunk["encodings"]) {
      encodings += (encodings.empty() ? "" : ",") + OneLine(encoding);
    }
    Line("  {}: {} {} {}, {} values, {} bytes, {} uncompressed", OneLine(chunk["column"]),
         OneLine(chunk["type"]), OneLine(chunk["codec"]), encodings, OneLine(chunk["values"]),
         OneLine(chunk["compressed_size"]), OneLine(chunk["uncompressed_size"]));
    std::string places;
    for (const char* key : {"dictionary_page_offset", "data_page_offset", "index_page_offset",
                            "column_index", "offset_index", "bloom_filter"}) {
      if (!chunk.contains(key)) continue;
      const Json& value = chunk[key];
      places += (places.empty() ? "" : ", ") + std::string(key) + ' ' +
                OneLine(value.is_object() ? value["offset"] : value);
    }
    Line("    {}", places);
    for (const char* key : {"file_path", "encrypted", "statistics", "size_statistics",
                            "geospatial_statistics", "encoding_stats"}) {
      if (chunk.contains(key)) Line("    {}: {}", key, Members(chunk[key]));
    }
    if (chunk.contains("key_value_metadata")) {
      PrintKeyValues(chunk["key_value_metadata"], "    ");
    }
    if (chunk.contains("pages")) {
      for (const Json& page : chunk["pages"]) PrintPage(page);
    }
  }

  void PrintPage(const Json& page) {
    if (page.contains("error")) return Line("    page error: {}", page["error"].get<std::string>());
    std::string line =
        fmt::format("    page at {}: {} {}, {} values", OneLine(page["offset"]),
                    OneLine(page["type"]), OneLine(page["encoding"]), OneLine(page["values"]));
    for (const char* key : {"rows", "nulls"}) {
      if (page.contains(key)) line += ", " + OneLine(page[key]) + ' ' + key;
    }
    line += fmt::format(", {}+{} bytes, {} uncompressed", OneLine(page["header_size"]),
                        OneLine(page["compressed_size"]), OneLine(page["uncompressed_size"]));
    if (page.contains("crc")) line += fmt::format(", crc {:08x}", page["crc"].get<uint32_t>());
    if (page.contains("statistics")) line += ", " + Members(page["statistics"]);
    Line("{}", line);
  }

  /// "min_value 1, max_value 5"; other values as they are.
  static std::string Members(const Json& value) {
    if (!value.is_object()) return OneLine(value);
    std::string text;
    for (const auto& [key, member] : value.items()) {
      text += (text.empty() ? "" : ", ") + key + ' ' + OneLine(member);
    }
    return text;
  }

  std::string text_;
};

}  // namespace

std::string DescriptionText(const Json& description) { return Printer().Print(description); }

}  // namespace sluice::tools
