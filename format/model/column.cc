#include <sluice/column.h>

namespace sluice::inline v0 {

ValueRef ResolveValue(const Column& column, int64_t row) {
  switch (column.form) {
    case ColumnForm::kConstant:
      return {column.dictionary.get(), 0};
    case ColumnForm::kDictionary:
      return {column.dictionary.get(), column.values<int32_t>()[row]};
    case ColumnForm::kFlat:
    case ColumnForm::kView:
      break;
  }
  return {&column, row};
}

}  // namespace sluice::inline v0
