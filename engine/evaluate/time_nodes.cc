// Dates, times and intervals: sums, parts of dates, date_trunc.

#include <fmt/format.h>

#include "engine/evaluate/map_node.h"
#include "format/model/calendar.h"

namespace sluice::inline v0::engine {
namespace {

/// More months or days than any timestamp is apart from another.
constexpr int64_t kMostMonths = 1'000'000'000'000;
constexpr int64_t kMostDays = 1'000'000'000'000'000;

/// A timestamp with an interval added or subtracted, by the calendar of a zone.
struct AddInterval {
  TimeUnit unit;
  int64_t zone_offset;  ///< In `unit`s.
  int64_t sign;

  bool operator()(int64_t timestamp, const Interval& interval, int64_t* result) const {
    if (std::abs(interval.months / 2) > kMostMonths || std::abs(interval.days / 2) > kMostDays) {
      return false;
    }
    const Int128 local = Int128{timestamp} + zone_offset;
    const Int128 per_day = UnitsPerDay(unit);
    auto days = static_cast<int64_t>(FloorDivide(local, per_day));
    if (interval.months != 0) {
      days = DaysOfCivil(AddMonths(CivilOfDays(days), sign * interval.months));
    }
    days += sign * interval.days;
    const Int128 nanoseconds =
        (days * per_day + FloorRemainder(local, per_day) - zone_offset) * NanosecondsPerUnit(unit) +
        Int128{sign} * interval.nanoseconds;
    const Int128 sum = FloorDivide<Int128>(nanoseconds, NanosecondsPerUnit(unit));
    *result = static_cast<int64_t>(sum);
    return *result == sum;
  }
};

/// A sum or difference of times: `calculate(a, b, &result)` says whether there is one.
template <typename A, typename B, typename To, typename Calculate>
class TimeSumNode : public Node {
 public:
  TimeSumNode(const BoundExpression& expression, ScratchLayout& layout, Calculate calculate)
      : Node(expression, layout),
        first_(MakeNode(expression.children[0], layout)),
        second_(MakeNode(expression.children[1], layout)),
        calculate_(calculate) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& a = first_->Evaluate(block, active);
    const Vector& b = second_->Evaluate(block, active);
    JoinNulls({&a, &b});
    To* values = Values<To>(block);
    RowBits failed{};
    VisitRows(ValidRows(active), [&](size_t i) {
      const bool fits = calculate_(a.as<A>()[i], b.as<B>()[i], &values[i]);
      SetRow(&failed, i, !fits);
    });
    if (!IsEmpty(failed)) {
      SetErrors(block, failed, [&] {
        return fmt::format(
            "{} {} {} is out of range of {}", ValueText(a, 0, expression_.children[0].type),
            expression_.op == BoundOp::kAdd || expression_.op == BoundOp::kAddDays ? "+" : "-",
            ValueText(b, 0, expression_.children[1].type), expression_.type.ToString());
      });
    }
    return result_;
  }

 private:
  NodeRef first_;
  NodeRef second_;
  Calculate calculate_;
};

template <typename A, typename B, typename To, typename Calculate>
NodeRef MakeTimeSum(const BoundExpression& expression, ScratchLayout& layout, Calculate calculate) {
  return std::make_unique<TimeSumNode<A, B, To, Calculate>>(expression, layout, calculate);
}

/// The local day of a timestamp.
int64_t DayOf(int64_t timestamp, TimeUnit unit, int64_t zone_offset) {
  return static_cast<int64_t>(
      FloorDivide<Int128>(Int128{timestamp} + zone_offset, UnitsPerDay(unit)));
}

/// The zone's offset in units of the type, if its values are instants.
int64_t OffsetOf(const BoundExpression& expression, const DataType& type) {
  const bool is_instant = type.id == TypeId::kTimestamp && type.utc_adjusted;
  return is_instant ? expression.zone_offset * UnitsPerSecond(type.unit) : 0;
}

int64_t PartOf(const CivilDay& day, BoundOp part) {
  return part == BoundOp::kYear ? day.year : part == BoundOp::kMonth ? day.month : day.day;
}

/// Nanoseconds of a unit that is no longer than an hour; 0 for others.
int64_t NanosecondsOf(DateUnit unit) {
  switch (unit) {
    case DateUnit::kMicrosecond:
      return 1'000;
    case DateUnit::kMillisecond:
      return 1'000'000;
    case DateUnit::kSecond:
      return kNanosecondsPerSecond;
    case DateUnit::kMinute:
      return 60 * kNanosecondsPerSecond;
    case DateUnit::kHour:
      return 3'600 * kNanosecondsPerSecond;
    default:
      return 0;
  }
}

/// Years of a unit that is no shorter than one; 0 for others.
int64_t YearsOf(DateUnit unit) {
  switch (unit) {
    case DateUnit::kYear:
      return 1;
    case DateUnit::kDecade:
      return 10;
    case DateUnit::kCentury:
      return 100;
    case DateUnit::kMillennium:
      return 1'000;
    default:
      return 0;
  }
}

/// The first day of the unit that the day is in.
int64_t FirstDayOf(DateUnit unit, int64_t days) {
  if (unit == DateUnit::kDay) return days;
  // 1970-01-01 was a Thursday.
  if (unit == DateUnit::kWeek) return days - FloorRemainder<int64_t>(days + 3, 7);
  CivilDay day = CivilOfDays(days);
  day.day = 1;
  if (unit == DateUnit::kQuarter) day.month -= (day.month - 1) % 3;
  if (const int64_t years = YearsOf(unit); years != 0) {
    day.month = 1;
    day.year = FloorDivide(day.year, years) * years;
  }
  return DaysOfCivil(day);
}

NodeRef MakeDateTrunc(const BoundExpression& expression, ScratchLayout& layout) {
  const TimeUnit unit = expression.type.unit;
  const int64_t offset = OffsetOf(expression, expression.type);
  const DateUnit to = expression.unit;
  const int64_t step = NanosecondsOf(to) / NanosecondsPerUnit(unit);
  const bool is_of_day = NanosecondsOf(to) != 0;
  const auto cut = [=](int64_t timestamp, int64_t* result) {
    if (is_of_day && step <= 1) {
      *result = timestamp;
      return true;
    }
    const Int128 local =
        is_of_day ? FloorDivide<Int128>(Int128{timestamp} + offset, step) * step
                  : Int128{FirstDayOf(to, DayOf(timestamp, unit, offset))} * UnitsPerDay(unit);
    *result = static_cast<int64_t>(local - offset);
    return *result == local - offset;
  };
  return MakeMap<int64_t, int64_t>(expression, layout, cut, [](const std::string& value) {
    return fmt::format("date_trunc of {} is out of range", value);
  });
}

}  // namespace

NodeRef MakeTimeArithmetic(const BoundExpression& expression, ScratchLayout& layout) {
  switch (expression.op) {
    case BoundOp::kAddDays:
    case BoundOp::kSubtractDays:
      return MakeTimeSum<int32_t, int64_t, int32_t>(
          expression, layout,
          [is_sum = expression.op == BoundOp::kAddDays](int32_t date, int64_t days,
                                                        int32_t* result) {
            const Int128 sum = Int128{date} + (is_sum ? Int128{days} : -Int128{days});
            *result = static_cast<int32_t>(sum);
            return *result == sum;
          });
    case BoundOp::kDaysBetween:
      return MakeTimeSum<int32_t, int32_t, int64_t>(expression, layout,
                                                    [](int32_t a, int32_t b, int64_t* result) {
                                                      *result = int64_t{a} - b;
                                                      return true;
                                                    });
    default:
      return MakeTimeSum<int64_t, Interval, int64_t>(
          expression, layout,
          AddInterval{expression.type.unit, OffsetOf(expression, expression.type),
                      expression.op == BoundOp::kSubtract ? -1 : 1});
  }
}

NodeRef MakeDatePart(const BoundExpression& expression, ScratchLayout& layout) {
  if (expression.op == BoundOp::kDateTrunc) return MakeDateTrunc(expression, layout);
  const DataType& type = expression.children[0].type;
  const BoundOp part = expression.op;
  if (type.id == TypeId::kDate) {
    return MakeTotalMap<int32_t, int64_t>(
        expression, layout, [part](int32_t days) { return PartOf(CivilOfDays(days), part); });
  }
  const int64_t offset = OffsetOf(expression, type);
  return MakeTotalMap<int64_t, int64_t>(
      expression, layout, [part, offset, unit = type.unit](int64_t timestamp) {
        return PartOf(CivilOfDays(DayOf(timestamp, unit, offset)), part);
      });
}

}  // namespace sluice::inline v0::engine
