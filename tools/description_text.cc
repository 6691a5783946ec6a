// The description as lines: what a person looks for first stands first.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "tools/description_writer.h"
#include "tools/one_line.h"

namespace sluice::tools {
namespace {

class TextDescription : public DescriptionWriter {
 public:
  void BeginFile(const Json& file) override {
    if (!is_first_) text_ += '\n';
    is_first_ = false;
    row_groups_ = 0;
    for (const char* key :
         {"file", "size", "version", "created_by", "rows", "rows_by_footer", "encrypted"}) {
      if (file.contains(key)) Line("{}: {}", key, OneLine(file[key], kShownName));
    }
    Line("footer: {} bytes at {}", OneLine(file["footer"]["length"]),
         OneLine(file["footer"]["offset"]));
    PrintKeyValues(file["key_value_metadata"], "");
    Line("schema:");
    for (const Json& node : file["schema"]) PrintNode(node);
  }

  void BeginRowGroup(const Json& group) override {
    std::string line = fmt::format("row group {}: {} rows", row_groups_++, OneLine(group["rows"]));
    if (group.contains("compressed_size")) {
      line += ", " + OneLine(group["compressed_size"]) + " bytes";
    }
    Line("{}, {} bytes uncompressed", line, OneLine(group["uncompressed_size"]));
    if (group.contains("sorting_columns")) Line("  sorted by {}", group["sorting_columns"].dump());
    PrintNotes(group, "  ");
  }

  void AddChunk(const Json& chunk) override {
    std::string encodings;
    for (const Json& encoding : chunk["encodings"]) {
      encodings += (encodings.empty() ? "" : ",") + OneLine(encoding);
    }
    Line("  {}: {} {} {}, {} values, {} bytes, {} uncompressed",
         OneLine(chunk["column"], kShownName), OneLine(chunk["type"]), OneLine(chunk["codec"]),
         encodings, OneLine(chunk["values"]), OneLine(chunk["compressed_size"]),
         OneLine(chunk["uncompressed_size"]));
    PrintPlaces(chunk);
    for (const char* key :
         {"file_path", "encrypted", "statistics", "size_statistics", "geospatial_statistics"}) {
      if (chunk.contains(key) && !chunk[key].empty()) {
        Line("    {}: {}", key, Members(chunk[key]));
      }
    }
    if (chunk.contains("encoding_stats")) PrintEncodingStats(chunk["encoding_stats"]);
    if (chunk.contains("key_value_metadata")) {
      PrintKeyValues(chunk["key_value_metadata"], "    ");
    }
    PrintNotes(chunk, "    ");
    if (chunk.contains("pages")) {
      for (const Json& page : chunk["pages"]) PrintPage(page);
    }
  }

  void EndRowGroup() override {}
  void EndFile() override {}

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

  void PrintNotes(const Json& json, const char* indent) {
    if (!json.contains("notes")) return;
    for (const Json& note : json["notes"]) Line("{}note: {}", indent, note.get<std::string>());
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
    line += OneWord(node["name"], kShownName);
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

  void PrintPlaces(const Json& chunk) {
    std::string places;
    for (const char* key : {"dictionary_page_offset", "data_page_offset", "index_page_offset",
                            "column_index", "offset_index", "bloom_filter"}) {
      if (!chunk.contains(key)) continue;
      const Json& value = chunk[key];
      places += (places.empty() ? "" : ", ") + std::string(key) + ' ' +
                OneLine(value.is_object() ? value["offset"] : value);
      if (value.is_object() && value.contains("boundary_order")) {
        places += fmt::format(" ({})", OneLine(value["boundary_order"]));
      }
    }
    Line("    {}", places);
  }

  void PrintEncodingStats(const Json& stats) {
    std::string pages;
    for (const Json& entry : stats) {
      pages += fmt::format("{}{} {} {}", pages.empty() ? "" : ", ", OneLine(entry["count"]),
                           OneLine(entry["page_type"]), OneLine(entry["encoding"]));
    }
    Line("    encoding_stats: {}", pages);
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
    Line("{}", line);
    if (page.contains("statistics") && !page["statistics"].empty())
      Line("      page header: {}", Members(page["statistics"]));
    if (page.contains("column_index"))
      Line("      column index: {}", Members(page["column_index"]));
  }

  /// "min_value 1, max_value 5"; other values as they are.
  static std::string Members(const Json& value) {
    if (!value.is_object()) return OneLine(value);
    std::string text;
    for (const auto& [key, member] : value.items()) {
      // Most writers repeat the bounds in the deprecated fields.
      if (key == "min" && value.contains("min_value") && value["min_value"] == member) continue;
      if (key == "max" && value.contains("max_value") && value["max_value"] == member) continue;
      text += (text.empty() ? "" : ", ") + key + ' ' + OneWord(member);
    }
    return text;
  }

  bool is_first_ = true;
  int64_t row_groups_ = 0;
};

}  // namespace

std::unique_ptr<DescriptionWriter> MakeTextDescription() {
  return std::make_unique<TextDescription>();
}

}  // namespace sluice::tools
