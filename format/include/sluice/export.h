#pragma once

/// Marks what the shared library exports; everything else is hidden.
#if defined(__GNUC__)
#define SLUICE_EXPORT [[gnu::visibility("default")]]
#else
#define SLUICE_EXPORT
#endif
