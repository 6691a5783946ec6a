#pragma once

// Every other public header includes this one, so that an older language is told of here.
#if defined(_MSVC_LANG)
#define SLUICE_LANGUAGE_VERSION _MSVC_LANG  // MSVC keeps __cplusplus at 199711 unless told not to.
#else
#define SLUICE_LANGUAGE_VERSION __cplusplus
#endif
#if SLUICE_LANGUAGE_VERSION < 202002L
#error "Sluice needs C++20: compile with -std=c++20 or later (MSVC: /std:c++20)"
#endif
#undef SLUICE_LANGUAGE_VERSION

/// Marks what the shared library exports; everything else is hidden.
#if defined(__GNUC__)
#define SLUICE_EXPORT [[gnu::visibility("default")]]
#else
#define SLUICE_EXPORT
#endif
