// -Werror=unused-result
#include <sluice/status.h>

sluice::Status Fails();

void Caller() { Fails(); }
