// Descriptions as JSON, each put together from its parts as if it had been one object.

#include "tools/description_writer.h"

namespace sluice::tools {
namespace {

class JsonDescription : public DescriptionWriter {
 public:
  explicit JsonDescription(bool is_pretty) : is_pretty_(is_pretty) {}

  void BeginFile(const Json& file) override {
    AppendOpen(file, 0);
    OpenList("row_groups", 1);
  }
  void BeginRowGroup(const Json& group) override {
    NextElement(2);
    AppendOpen(group, 2);
    OpenList("columns", 3);
  }
  void AddChunk(const Json& chunk) override {
    NextElement(4);
    Append(chunk, 4);
  }
  void EndRowGroup() override {
    CloseList(3);
    NewLine(2);
    text_ += '}';
  }
  void EndFile() override {
    CloseList(1);
    NewLine(0);
    text_ += "}\n";
  }

 private:
  /// Begins a line inside of `depth` brackets.
  void NewLine(size_t depth) {
    if (is_pretty_) text_.append("\n").append(2 * depth, ' ');
  }

  void Append(const Json& json, size_t depth) {
    // Names and key-values of a file need not be UTF-8; JSON is.
    const std::string dump =
        json.dump(is_pretty_ ? 2 : -1, ' ', false, Json::error_handler_t::replace);
    // Line feeds inside of strings are escaped.
    for (size_t begin = 0; begin < dump.size();) {
      const size_t end = std::min(dump.find('\n', begin), dump.size());
      if (begin > 0) NewLine(depth);
      text_.append(dump, begin, end - begin);
      begin = end + 1;
    }
  }

  /// An object that is not empty, without its end.
  void AppendOpen(const Json& json, size_t depth) {
    Append(json, depth);
    text_.pop_back();
    while (is_pretty_ && (text_.back() == ' ' || text_.back() == '\n')) text_.pop_back();
  }

  void OpenList(std::string_view key, size_t depth) {
    text_ += ',';
    NewLine(depth);
    text_.append("\"").append(key).append(is_pretty_ ? "\": [" : "\":[");
    is_empty_ = true;
  }
  void NextElement(size_t depth) {
    if (!is_empty_) text_ += ',';
    is_empty_ = false;
    NewLine(depth);
  }
  void CloseList(size_t depth) {
    if (!is_empty_) NewLine(depth);
    text_ += ']';
    is_empty_ = false;  // The list around it has an element, at least.
  }

  bool is_pretty_;
  bool is_empty_ = true;  ///< The list that is open.
};

}  // namespace

std::unique_ptr<DescriptionWriter> MakeJsonDescription(bool is_pretty) {
  return std::make_unique<JsonDescription>(is_pretty);
}

}  // namespace sluice::tools
