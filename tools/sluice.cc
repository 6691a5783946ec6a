// The sluice command. Results go to standard output, everything else to standard error; the exit
// status is 0 on success, 1 for a failed operation and 2 for wrong usage.

#include <fmt/format.h>
#include <sluice/version.h>

#include <csignal>
#include <exception>
#include <optional>
#include <string>

#include "tools/arguments.h"
#include "tools/commands.h"
#include "tools/output.h"

int main(int argc, char** argv) {
  using namespace sluice::tools;
  // A closed pipe is an error of the write, which ends the output quietly.
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("Reads Parquet files.", "sluice");
  app.set_version_flag("--version", "sluice " + std::string(sluice::Version()));
  app.require_subcommand(0, 1);  // The lack of one is told below, a wrong one as what it is.
  Run run;
  AddCat(app, run);
  AddInspect(app, run);
  AddExplain(app, run);
  AddVerify(app, run);
  if (const std::optional<int> exit_status = ParseArguments(app, argc, argv)) return *exit_status;
  if (!run) {
    WriteMessage(fmt::format("sluice: a subcommand is required\n\n{}", app.help()));
    return kExitUsage;
  }
  try {
    return run();
  } catch (const std::exception& error) {
    // The library throws nothing of its own; what is left is the system's, for example bad_alloc.
    WriteMessage(fmt::format("sluice: {}\n", error.what()));
    return kExitFailed;
  }
}
