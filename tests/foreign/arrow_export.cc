// A shared module that exports the rows of a file by Arrow's C stream interface: what
// arrow_export_test.py loads, to hand the stream to other libraries.

#include <sluice/arrow.h>
#include <sluice/scan.h>
#include <sluice/scan_stream.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace {

using namespace sluice;  // NOLINT: a module of one file.

/// All that is read and exported counts here, so that what is not released shows.
const std::shared_ptr<BufferPool>& Pool() {
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  return pool;
}

struct Options {
  ScanOptions scan;
  ArrowExportOptions arrow;
};

Status SetOption(std::string_view option, Options& options) {
  const size_t equals = std::min(option.find('='), option.size());
  const std::string_view name = option.substr(0, equals);
  const std::string_view value = option.substr(std::min(equals + 1, option.size()));
  if (name == "text" && value == "plain") {
    options.arrow.text = ArrowText::kPlain;
  } else if (name == "text" && value == "large") {
    options.arrow.text = ArrowText::kLarge;
  } else if (name == "dictionaries" && value == "keep") {
    options.arrow.keep_dictionaries = true;
  } else if (name == "dictionaries" && value == "deliver") {
    options.scan.read.deliver_dictionaries = true;
  } else if (name == "int96" && value == "us") {
    options.arrow.int96_unit = TimeUnit::kMicroseconds;
  } else if (name == "decimals" && value == "narrow") {
    options.arrow.narrow_decimals = true;
  } else if (name == "utf8" && value == "validate") {
    options.arrow.validate_utf8 = true;
  } else if (name == "batch_rows") {
    std::from_chars(value.data(), value.data() + value.size(), options.scan.read.batch_rows);
  } else {
    return Status::InvalidArgument("no such option: " + std::string(option));
  }
  return Status::Ok();
}

Status Open(const std::string& path, std::string_view words, ArrowArrayStream* out) {
  Options options;
  options.scan.read.pool = Pool();
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    if (Status status = SetOption(words.substr(0, end), options); !status.ok()) return status;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  ScanFile file;
  file.path = path;
  auto scan = Scan::Open({file}, {}, options.scan);
  if (!scan) return scan.error();
  return ExportScan(*std::move(scan), options.arrow, Pool(), out);
}

}  // namespace

extern "C" {

/// Opens a stream over the file's rows, by options that are NAME=VALUE, parted by spaces. Returns
/// 0, or 1 and what went wrong in the `capacity` bytes at `message`.
__attribute__((visibility("default"))) int OpenArrowStream(const char* path, const char* options,
                                                           ArrowArrayStream* out, char* message,
                                                           int64_t capacity) {
  const Status status = Open(path, options, out);
  if (status.ok()) return 0;
  std::strncpy(message, status.ToString().c_str(), static_cast<size_t>(capacity) - 1);
  message[capacity - 1] = '\0';
  return 1;
}

/// Bytes of buffers and structures that are not released.
__attribute__((visibility("default"))) int64_t ArrowBytesInUse() { return Pool()->bytes_in_use(); }
}
