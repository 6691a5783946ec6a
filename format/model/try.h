#pragma once

// Propagation of Status and Result inside the library; never in an installed header.

#include <sluice/status.h>

#include <utility>

#define SLUICE_CONCAT_INNER(a, b) a##b
#define SLUICE_CONCAT(a, b) SLUICE_CONCAT_INNER(a, b)

/// Returns the error of a Status expression from the enclosing function.
#define SLUICE_RETURN_IF_ERROR(expression)                                                        \
  do {                                                                                            \
    if (::sluice::Status sluice_status = (expression); !sluice_status.ok()) return sluice_status; \
  } while (false)

/// SLUICE_TRY(auto value, MakeValue()): declares the value of a Result or returns its error.
#define SLUICE_TRY(declaration, expression) \
  SLUICE_TRY_INNER(SLUICE_CONCAT(sluice_result_, __LINE__), declaration, expression)
#define SLUICE_TRY_INNER(result, declaration, expression)    \
  auto result = (expression);                                \
  if (!result.has_value()) return std::move(result).error(); \
  declaration = *std::move(result)
