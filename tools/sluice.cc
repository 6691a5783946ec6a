// The sluice command. Results go to standard output, everything else to standard error; the exit
// status is 0 on success, 1 for a failed operation and 2 for wrong usage.

#include <fmt/format.h>
#include <sluice/version.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>

#include "tools/commands.h"
#include "tools/output.h"

int main(int argc, char** argv) {
  using namespace sluice::tools;
  // A closed pipe is an error of the write, which ends the output quietly.
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("Reads Parquet files.", "sluice");
  app.set_version_flag("--version", "sluice " + std::string(sluice::Version()));
  app.require_subcommand(1);
  Run run;
  AddCat(app, run);
  AddInspect(app, run);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  try {
    return run();
  } catch (const std::exception& error) {
    // The library throws nothing of its own; what is left is the system's, for example bad_alloc.
    fmt::print(stderr, "sluice: {}\n", error.what());
    return kExitFailed;
  }
}
