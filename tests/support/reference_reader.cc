#include "tests/support/reference_reader.h"

#include <bit>
#include <optional>

#include "tests/support/reference_compact.h"
#include "tests/support/reference_encodings.h"
#include "tests/support/reference_schema.h"

namespace sluice::support {
namespace {

using parquet::Codec;
using parquet::Encoding;
using parquet::PageType;
using parquet::Repetition;

/// One level pair of a leaf, with its value where there is one.
struct Entry {
  int64_t repetition_level = 0;
  int64_t definition_level = 0;
  std::string value;
};

class ChunkDecoder {
 public:
  ChunkDecoder(const ReferenceNode& leaf, Codec codec) : leaf_(leaf), codec_(codec) {}

  void ReadPage(ByteCursor& file);
  std::vector<Entry>& entries() { return entries_; }

 private:
  void ReadDataPage(const CompactValue& header, std::string_view stored, uint64_t size);
  void ReadDataPageV2(const CompactValue& header, std::string_view stored, uint64_t size);
  std::vector<uint64_t> Levels(ByteCursor& in, int64_t max_level, int64_t encoding, uint64_t count);
  void Append(const std::vector<uint64_t>& repetition_levels,
              const std::vector<uint64_t>& definition_levels, uint64_t count,
              std::string_view values, int64_t encoding);

  const ReferenceNode& leaf_;
  Codec codec_;
  std::vector<std::string> dictionary_;
  std::vector<Entry> entries_;
};

int32_t LevelWidth(int64_t max_level) {
  return static_cast<int32_t>(std::bit_width(static_cast<uint64_t>(max_level)));
}

void ChunkDecoder::ReadPage(ByteCursor& file) {
  const CompactValue header = ReadCompactStruct(file);
  const auto size = static_cast<uint64_t>(header.At(2).number);
  const std::string_view stored = file.Take(static_cast<uint64_t>(header.At(3).number));
  switch (static_cast<PageType>(header.At(1).number)) {
    case PageType::kDataPage:
      return ReadDataPage(header.At(5), stored, size);
    case PageType::kDataPageV2:
      return ReadDataPageV2(header.At(8), stored, size);
    case PageType::kDictionaryPage:
      dictionary_ =
          ReadValues(Decompress(codec_, stored, size), Encoding::kPlain, leaf_.type,
                     leaf_.type_length, static_cast<uint64_t>(header.At(7).At(1).number), {});
      return;
    case PageType::kIndexPage:
      return;
  }
}

std::vector<uint64_t> ChunkDecoder::Levels(ByteCursor& in, int64_t max_level, int64_t encoding,
                                           uint64_t count) {
  if (max_level == 0) return std::vector<uint64_t>(count, 0);
  if (static_cast<Encoding>(encoding) == Encoding::kBitPacked) {
    return ReadBitPackedLevels(in, LevelWidth(max_level), count);
  }
  ByteCursor levels(in.Take(in.LittleEndian(4)));
  return ReadHybrid(levels, LevelWidth(max_level), count);
}

void ChunkDecoder::ReadDataPage(const CompactValue& header, std::string_view stored,
                                uint64_t size) {
  const std::string body = Decompress(codec_, stored, size);
  const auto count = static_cast<uint64_t>(header.At(1).number);
  ByteCursor in(body);
  const auto repetition_levels = Levels(in, leaf_.repetition_level, header.At(4).number, count);
  const auto definition_levels = Levels(in, leaf_.definition_level, header.At(3).number, count);
  Append(repetition_levels, definition_levels, count, in.Rest(), header.At(2).number);
}

void ChunkDecoder::ReadDataPageV2(const CompactValue& header, std::string_view stored,
                                  uint64_t size) {
  const auto count = static_cast<uint64_t>(header.At(1).number);
  ByteCursor in(stored);
  ByteCursor repetition(in.Take(static_cast<uint64_t>(header.At(6).number)));
  ByteCursor definition(in.Take(static_cast<uint64_t>(header.At(5).number)));
  std::vector<uint64_t> repetition_levels(count, 0);
  std::vector<uint64_t> definition_levels(count, 0);
  if (leaf_.repetition_level > 0) {
    repetition_levels = ReadHybrid(repetition, LevelWidth(leaf_.repetition_level), count);
  }
  if (leaf_.definition_level > 0) {
    definition_levels = ReadHybrid(definition, LevelWidth(leaf_.definition_level), count);
  }
  const std::string_view rest = in.Rest();
  const uint64_t levels_bytes = stored.size() - rest.size();
  if (size < levels_bytes) throw ReferenceError("levels are larger than the page");
  const bool is_compressed = header.NumberOr(7, 1) != 0 && !rest.empty();
  const std::string values =
      is_compressed ? Decompress(codec_, rest, size - levels_bytes) : std::string(rest);
  Append(repetition_levels, definition_levels, count, values, header.At(4).number);
}

void ChunkDecoder::Append(const std::vector<uint64_t>& repetition_levels,
                          const std::vector<uint64_t>& definition_levels, uint64_t count,
                          std::string_view values, int64_t encoding) {
  uint64_t present = 0;
  for (const uint64_t level : definition_levels) {
    if (level > static_cast<uint64_t>(leaf_.definition_level)) {
      throw ReferenceError("level out of range");
    }
    if (level == static_cast<uint64_t>(leaf_.definition_level)) ++present;
  }
  const std::vector<std::string> decoded =
      present == 0 ? std::vector<std::string>()
                   : ReadValues(values, static_cast<Encoding>(encoding), leaf_.type,
                                leaf_.type_length, present, dictionary_);
  size_t next = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Entry& entry = entries_.emplace_back();
    entry.repetition_level = static_cast<int64_t>(repetition_levels[i]);
    entry.definition_level = static_cast<int64_t>(definition_levels[i]);
    if (entry.definition_level == leaf_.definition_level) entry.value = decoded[next++];
  }
}

std::vector<Entry> ReadChunk(std::string_view file, const CompactValue& chunk,
                             const ReferenceNode& leaf) {
  const CompactValue& metadata = chunk.At(3);
  const int64_t num_values = metadata.At(5).number;
  ChunkDecoder decoder(leaf, static_cast<Codec>(metadata.At(4).number));
  int64_t offset = metadata.At(9).number;
  const int64_t dictionary = metadata.NumberOr(11, 0);
  if (dictionary > 0 && dictionary < offset) offset = dictionary;
  if (num_values == 0) return {};
  if (offset < 0 || static_cast<uint64_t>(offset) > file.size()) throw ReferenceError("offset");
  ByteCursor in(file.substr(static_cast<size_t>(offset)));
  while (static_cast<int64_t>(decoder.entries().size()) < num_values) decoder.ReadPage(in);
  return std::move(decoder.entries());
}

/// Puts the rows of one row group together again, one at a time.
class Assembler {
 public:
  explicit Assembler(std::vector<std::vector<Entry>> leaves)
      : leaves_(std::move(leaves)), next_(leaves_.size(), 0) {}

  std::string Row(const ReferenceNode& root) {
    std::string out = "[";
    for (size_t i = 0; i < root.children.size(); ++i) {
      if (i > 0) out.push_back(',');
      WriteNode(root.children[i], out);
    }
    for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      if (next_[leaf] < leaves_[leaf].size() && Next(leaf).repetition_level != 0) {
        throw ReferenceError("leaves disagree about where a row ends");
      }
    }
    return out + ']';
  }

 private:
  const Entry& Next(size_t leaf) const {
    if (next_[leaf] >= leaves_[leaf].size()) throw ReferenceError("a leaf has too few entries");
    return leaves_[leaf][next_[leaf]];
  }

  bool IsPresent(const ReferenceNode& node) const {
    if (node.first_leaf == node.end_leaf) return true;
    return Next(static_cast<size_t>(node.first_leaf)).definition_level >= node.definition_level;
  }

  void SkipEntry(const ReferenceNode& node) {
    for (int32_t leaf = node.first_leaf; leaf < node.end_leaf; ++leaf) {
      ++next_[static_cast<size_t>(leaf)];
    }
  }

  void WriteNode(const ReferenceNode& node, std::string& out) {
    if (node.repetition == Repetition::kRepeated) {
      WriteElements(node, out, [&] { WriteContents(node, out); });
    } else if (!IsPresent(node)) {
      SkipEntry(node);
      out += "null";
    } else {
      WriteContents(node, out);
    }
  }

  /// Writes an array, calling `write` for every repetition of `node`.
  template <typename Write>
  void WriteElements(const ReferenceNode& node, std::string& out, const Write& write) {
    out.push_back('[');
    if (!IsPresent(node)) {
      SkipEntry(node);
    } else if (node.first_leaf < node.end_leaf) {
      const auto leaf = static_cast<size_t>(node.first_leaf);
      write();
      while (next_[leaf] < leaves_[leaf].size() &&
             Next(leaf).repetition_level >= node.repetition_level) {
        if (Next(leaf).repetition_level > node.repetition_level) {
          throw ReferenceError("repetition level without a list to continue");
        }
        out.push_back(',');
        write();
      }
    }
    out.push_back(']');
  }

  void WriteContents(const ReferenceNode& node, std::string& out) {
    switch (node.shape) {
      case ReferenceNode::Shape::kLeaf: {
        const auto leaf = static_cast<size_t>(node.first_leaf);
        if (Next(leaf).definition_level != node.definition_level) {
          throw ReferenceError("a required value is missing");
        }
        out += ValueText(node, Next(leaf).value);
        ++next_[leaf];
        return;
      }
      case ReferenceNode::Shape::kStruct:
        return WriteStruct(node, out);
      case ReferenceNode::Shape::kList: {
        const ReferenceNode& repeated = node.children[0];
        return WriteElements(repeated, out, [&] {
          if (node.element_is_wrapped) {
            WriteNode(repeated.children[0], out);
          } else {
            WriteContents(repeated, out);
          }
        });
      }
      case ReferenceNode::Shape::kMap: {
        const ReferenceNode& entry = node.children[0];
        return WriteElements(entry, out, [&] {
          out.push_back('[');
          WriteNode(entry.children[0], out);
          out.push_back(',');
          if (entry.children.size() == 2) {
            WriteNode(entry.children[1], out);
          } else {
            out += "null";
          }
          out.push_back(']');
        });
      }
    }
  }

  void WriteStruct(const ReferenceNode& node, std::string& out) {
    out.push_back('{');
    for (size_t i = 0; i < node.children.size(); ++i) {
      if (i > 0) out.push_back(',');
      out += JsonString(node.children[i].name) + ':';
      WriteNode(node.children[i], out);
    }
    out.push_back('}');
  }

  std::vector<std::vector<Entry>> leaves_;
  std::vector<size_t> next_;
};

std::vector<std::string> ReadFile(std::string_view file) {
  if (file.size() < 12 || file.substr(file.size() - 4) != "PAR1") throw ReferenceError("no PAR1");
  ByteCursor length(file.substr(file.size() - 8));
  const uint64_t footer_bytes = length.LittleEndian(4);
  if (footer_bytes > file.size() - 12) throw ReferenceError("footer is longer than the file");
  ByteCursor footer(file.substr(file.size() - 8 - footer_bytes, footer_bytes));
  const CompactValue metadata = ReadCompactStruct(footer);
  const ReferenceNode root = ReadSchema(metadata.At(2).elements);
  std::vector<const ReferenceNode*> leaves;
  ListLeaves(root, leaves);
  std::vector<std::string> rows;
  for (const CompactValue& row_group : metadata.At(4).elements) {
    const std::vector<CompactValue>& chunks = row_group.At(1).elements;
    if (chunks.size() != leaves.size()) throw ReferenceError("chunks and leaves differ");
    std::vector<std::vector<Entry>> entries;
    for (size_t i = 0; i < leaves.size(); ++i) {
      entries.push_back(ReadChunk(file, chunks[i], *leaves[i]));
    }
    Assembler assembler(std::move(entries));
    for (int64_t row = 0; row < row_group.At(3).number; ++row) rows.push_back(assembler.Row(root));
  }
  return rows;
}

}  // namespace

Result<std::vector<std::string>> ReferenceRows(std::string_view file) {
  try {
    return ReadFile(file);
  } catch (const ReferenceError& error) {
    return Status::Corruption(error.what());
  }
}

}  // namespace sluice::support
