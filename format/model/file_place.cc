#include "format/model/file_place.h"

#include <fmt/format.h>

namespace sluice::inline v0 {

std::string FilePlace(std::string_view name) { return fmt::format("file '{}'", name); }

Status InFile(std::string_view name, const Status& status) {
  const std::string place = FilePlace(name);
  return status.message().starts_with(place + ": ") ? status : status.In(place);
}

}  // namespace sluice::inline v0
