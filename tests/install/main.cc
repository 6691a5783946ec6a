// A program outside the tree: only installed headers and the installed library.
#include <sluice/parquet/reader.h>
#include <sluice/version.h>

#include <cstdio>

int main() {
  const sluice::Status status = sluice::Status::NotFound("no file named");
  if (status.ToString() != "not found: no file named") return 1;
  if (sluice::Version() != sluice::kVersion) return 1;
  std::printf("sluice %s\n", std::string(sluice::Version()).c_str());
}
