// -Werror=unused-result
#include <sluice/status.h>

sluice::Result<int> Fails();

void Caller() { Fails(); }
