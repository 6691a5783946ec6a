#include "tools/arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <string>
#include <vector>

#include "tools/output.h"

namespace sluice::tools {

namespace {

/// What is wrong. An argument that is not known is told of rather than one that is lacking, which
/// it may have been meant for.
std::string Complaint(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining(true);
  const bool lacks_one = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (lacks_one && !unknown.empty()) return CLI::ExtrasError(unknown).what();
  return error.what();
}

}  // namespace

std::optional<int> ParseArguments(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    std::ostringstream result;
    std::ostringstream complaint;
    if (app.exit(error, result, complaint) == 0) {
      const Status status = WriteOutput(result.str());
      return status.ok() ? 0 : Fail(status, app.get_name());
    }
    std::string command = app.get_name();
    for (const CLI::App* subcommand : app.get_subcommands())
      command += ' ' + subcommand->get_name();
    WriteMessage(fmt::format("{}: {}\nRun '{} --help' for what there is.\n", app.get_name(),
                             Complaint(app, error), command));
    return kExitUsage;
  }
}

CLI::Validator WholeNumber(int64_t least, int64_t most) {
  return CLI::Validator(
      [least, most](const std::string& text) -> std::string {
        int64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value);
        if (error == std::errc() && stop == end && value >= least && value <= most) {
          return "";
        }
        return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
      },
      fmt::format(">={}", least));
}

}  // namespace sluice::tools
