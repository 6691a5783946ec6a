#pragma once

#include <sluice/export.h>

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sluice::inline v0 {

/// What a caller does about an error; the message says what went wrong.
enum class StatusCode : uint8_t {
  kOk = 0,
  kInvalidArgument,    ///< Fix the call.
  kNotFound,           ///< The named thing does not exist.
  kCorruption,         ///< The bytes break their format's specification; give up on this file.
  kUnsupported,        ///< Valid, but not done by this version.
  kEncrypted,          ///< The data is encrypted and no keys are supported.
  kIoError,            ///< The system refused; inspect or retry.
  kResourceExhausted,  ///< A declared limit or memory budget would be exceeded.
  kCancelled,          ///< The host cancelled the work.
  kRowError,           ///< An expression fails for a row (division by zero, overflow, a cast).
  kInternal,           ///< A bug in this library.
};

/// The fixed lower-case words of a code, for example "invalid argument".
SLUICE_EXPORT std::string_view StatusCodeName(StatusCode code);

/// The outcome of an operation without a value. OK costs one null pointer.
///
/// Threads: immutable once returned. Never thrown.
class [[nodiscard]] SLUICE_EXPORT Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message);

  Status(const Status& other);
  Status& operator=(const Status& other);
  Status(Status&&) noexcept = default;
  Status& operator=(Status&&) noexcept = default;
  ~Status() = default;

  static Status Ok() { return Status(); }
  static Status InvalidArgument(std::string message) {
    return Status(StatusCode::kInvalidArgument, std::move(message));
  }
  static Status NotFound(std::string message) {
    return Status(StatusCode::kNotFound, std::move(message));
  }
  static Status Corruption(std::string message) {
    return Status(StatusCode::kCorruption, std::move(message));
  }
  static Status Unsupported(std::string message) {
    return Status(StatusCode::kUnsupported, std::move(message));
  }
  static Status Encrypted(std::string message) {
    return Status(StatusCode::kEncrypted, std::move(message));
  }
  static Status IoError(std::string message) {
    return Status(StatusCode::kIoError, std::move(message));
  }
  static Status ResourceExhausted(std::string message) {
    return Status(StatusCode::kResourceExhausted, std::move(message));
  }
  static Status Cancelled(std::string message) {
    return Status(StatusCode::kCancelled, std::move(message));
  }
  static Status Internal(std::string message) {
    return Status(StatusCode::kInternal, std::move(message));
  }

  bool ok() const { return state_ == nullptr; }
  StatusCode code() const { return state_ ? state_->code : StatusCode::kOk; }
  /// Where, then what, then values. Empty when OK. Valid as long as this object.
  const std::string& message() const;
  /// "corruption: file a.parquet: ...", or "ok".
  std::string ToString() const;

  /// The same error with `where` and ": " put in front of its message; OK stays OK. Each layer adds
  /// the place that it knows: column, page, row group, file.
  Status In(std::string_view where) const;

 private:
  struct State {
    StatusCode code;
    std::string message;
  };
  std::unique_ptr<State> state_;
};

/// A value or the error that stands in its place. Member names are those of std::expected, but
/// value(), like * and ->, is unchecked: without a value, calling one of them is undefined
/// behaviour, as nothing is thrown here. Look with has_value() or `if (result)` first.
template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : value_(std::move(value)) {}      // NOLINT: implicit, as in std::expected
  Result(Status error) : error_(std::move(error)) {  // NOLINT
    assert(!error_.ok());
  }

  bool has_value() const { return value_.has_value(); }
  explicit operator bool() const { return has_value(); }

  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return *std::move(value_); }
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T&& operator*() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

  template <typename U>
  T value_or(U&& other) const& {
    return has_value() ? *value_ : static_cast<T>(std::forward<U>(other));
  }

  /// The error; only when there is no value.
  const Status& error() const& { return error_; }
  Status&& error() && { return std::move(error_); }
  /// The error, or OK when there is a value.
  Status status() const { return error_; }

 private:
  std::optional<T> value_;
  Status error_;
};

}  // namespace sluice::inline v0
