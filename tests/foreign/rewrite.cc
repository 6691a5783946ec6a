// Reads a Parquet file and writes its rows again, by options on the command line: what the exchange
// with other readers is made of.
//
// usage: rewrite IN OUT [NAME=VALUE ...]
//   encoding=PLAIN|DELTA_BINARY_PACKED|...  of every leaf whose type allows it (default: as is)
//   codec=ZSTD|...  pages=1|2  dictionary=0|1  page_rows=N  row_group_rows=N  bloom=0|1
//   page_index=0|1

#include <sluice/parquet/reader.h>
#include <sluice/parquet/writer.h>

#include <charconv>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace {

using namespace sluice;           // NOLINT: a program of one file.
using namespace sluice::parquet;  // NOLINT

constexpr Encoding kEncodings[] = {Encoding::kPlain,
                                   Encoding::kRle,
                                   Encoding::kDeltaBinaryPacked,
                                   Encoding::kDeltaLengthByteArray,
                                   Encoding::kDeltaByteArray,
                                   Encoding::kByteStreamSplit,
                                   Encoding::kAlp};
constexpr Codec kCodecs[] = {Codec::kUncompressed, Codec::kSnappy, Codec::kGzip,
                             Codec::kBrotli,       Codec::kZstd,   Codec::kLz4Raw};

bool Allows(Encoding encoding, PhysicalType type) {
  const bool is_integer = type == PhysicalType::kInt32 || type == PhysicalType::kInt64;
  const bool is_float = type == PhysicalType::kFloat || type == PhysicalType::kDouble;
  switch (encoding) {
    case Encoding::kRle:
      return type == PhysicalType::kBoolean;
    case Encoding::kDeltaBinaryPacked:
      return is_integer;
    case Encoding::kDeltaLengthByteArray:
      return type == PhysicalType::kByteArray;
    case Encoding::kDeltaByteArray:
      return type == PhysicalType::kByteArray || type == PhysicalType::kFixedLenByteArray;
    case Encoding::kByteStreamSplit:
      return is_integer || is_float || type == PhysicalType::kFixedLenByteArray;
    case Encoding::kAlp:
      return is_float;
    default:
      return true;
  }
}

/// The physical type that the leaf will be written with: decimals take the smallest.
PhysicalType WrittenType(const SchemaTree& tree, const Leaf& leaf) {
  const DataType& type = tree.nodes()[static_cast<size_t>(leaf.node)].type;
  if (type.id != TypeId::kDecimal) return leaf.physical_type;
  if (type.byte_width == 4) return PhysicalType::kInt32;
  return type.byte_width == 8 ? PhysicalType::kInt64 : PhysicalType::kFixedLenByteArray;
}

ColumnPath LeafPath(const SchemaTree& tree, const Leaf& leaf) {
  ColumnPath path;
  for (int32_t node = leaf.node; node > 0;) {
    const SchemaNode& named = tree.nodes()[static_cast<size_t>(node)];
    path.insert(path.begin(), std::string(named.name));
    node = named.parent;
  }
  return path;
}

template <typename T, size_t N>
std::optional<T> ByName(const T (&values)[N], const std::string& name) {
  for (const T value : values) {
    if (Name(value) == name) return value;
  }
  return std::nullopt;
}

Status SetOption(const std::string& name, const std::string& value, WriterOptions& options,
                 std::optional<Encoding>& encoding) {
  int64_t number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  const std::map<std::string, std::function<void()>> numbers = {
      {"pages",
       [&] { options.page_version = number == 1 ? DataPageVersion::kV1 : DataPageVersion::kV2; }},
      {"dictionary", [&] { options.columns.dictionary = number != 0; }},
      {"bloom", [&] { options.columns.bloom_filter = number != 0; }},
      {"page_index", [&] { options.columns.page_index = number != 0; }},
      {"page_rows", [&] { options.page_rows = number; }},
      {"row_group_rows", [&] { options.row_group_rows = number; }},
  };
  if (const auto found = numbers.find(name); found != numbers.end()) {
    found->second();
    return Status::Ok();
  }
  if (name == "encoding") {
    encoding = ByName(kEncodings, value);
    if (encoding) return Status::Ok();
  } else if (name == "codec") {
    if (const auto codec = ByName(kCodecs, value)) {
      options.columns.codec = *codec;
      return Status::Ok();
    }
  }
  return Status::InvalidArgument("no such option: " + name + "=" + value);
}

Status Rewrite(const std::string& from, const std::string& to, WriterOptions options,
               std::optional<Encoding> encoding) {
  auto file = OpenLocalFile(from);
  if (!file) return file.error();
  auto reader = FileReader::Open(*file);
  if (!reader) return reader.error();
  const SchemaTree& tree = *(*reader)->tree();
  for (const Leaf& leaf : tree.leaves()) {
    if (!encoding || !Allows(*encoding, WrittenType(tree, leaf))) continue;
    ColumnWriteOptions& column = options.overrides[LeafPath(tree, leaf)];
    column = options.columns;
    column.encoding = encoding;
  }
  auto output = CreateLocalFile(to);
  if (!output) return output.error();
  auto writer = FileWriter::Make(*std::move(output), *(*reader)->schema(), std::move(options));
  if (!writer) return writer.error();
  const Projection all = Projection::All((*reader)->tree());
  for (int32_t group = 0; group < (*reader)->num_row_groups(); ++group) {
    auto cursor = (*reader)->RowGroup(group, all);
    if (!cursor) return cursor.error();
    for (;;) {
      auto batch = (*cursor)->Next();
      if (!batch) return batch.error();
      if (!*batch) break;
      if (Status status = (*writer)->Write((*batch)->batch); !status.ok()) return status;
    }
  }
  return (*writer)->Finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: rewrite IN OUT [NAME=VALUE ...]\n");
    return 2;
  }
  WriterOptions options;
  std::optional<Encoding> encoding;
  Status status;
  for (int i = 3; i < argc && status.ok(); ++i) {
    const std::string argument = argv[i];
    const size_t equals = argument.find('=');
    status =
        equals == std::string::npos
            ? Status::InvalidArgument("not an option: " + argument)
            : SetOption(argument.substr(0, equals), argument.substr(equals + 1), options, encoding);
  }
  if (status.ok()) status = Rewrite(argv[1], argv[2], std::move(options), encoding);
  if (status.ok()) return 0;
  std::fprintf(stderr, "rewrite: %s\n", status.ToString().c_str());
  return 1;
}
