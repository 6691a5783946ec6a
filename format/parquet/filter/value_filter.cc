#include "format/parquet/filter/value_filter.h"

#include <fmt/format.h>
#include <sluice/bitmap.h>
#include <sluice/parquet/reader.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "format/model/comparable.h"
#include "format/model/filters/compiled_filter.h"
#include "format/model/no_memory.h"
#include "format/model/try.h"
#include "format/parquet/filter/code_filter.h"
#include "format/parquet/filter/page_deciders.h"
#include "format/parquet/leaf_values.h"

namespace sluice::inline v0::parquet {

class ValueFilter::Implementation {
 public:
  Implementation(std::shared_ptr<const CompiledFilter> filter, const Leaf& leaf,
                 std::shared_ptr<const DataType> type, BufferPool* pool,
                 const kernels::KernelTable* kernels)
      : filter_(std::move(filter)),
        leaf_(leaf),
        type_(std::move(type)),
        stored_as_delivered_(IsStoredAsDelivered(leaf, *type_)),
        kernels_(kernels),
        scratch_(pool),
        chunk_(pool, kernels),
        apart_(pool, kernels) {
    // The annotation says that every value is null, whatever is stored.
    if (type_->id == TypeId::kNull) {
      constant_ = filter_->filter().null_passes;
    } else if (filter_->is_constant()) {
      constant_ = filter_->constant_passes();
    }
  }

  void Hold(Reservation reservation) { held_ = std::move(reservation); }

  const ColumnFilter& filter() const { return filter_->filter(); }
  const std::optional<bool>& constant() const { return constant_; }

  Status SetDictionary(std::shared_ptr<const Column> dictionary) {
    return Set(chunk_, std::move(dictionary));
  }

  Status Decide(DataPage& page, const ValueRun& run, uint64_t* passes) {
    if (constant_) {
      SetConstant(run, passes);
      return page.SkipValues(run.count);
    }
    if (page.is_dictionary_encoded()) {
      SLUICE_TRY(DictionaryIndexDecoder * codes, page.codes());
      if (!chunk_.dictionary) return Status::Internal("codes of a dictionary that is not set");
      return chunk_.codes.Decide(*codes, run, passes);
    }
    SLUICE_TRY(ValueDecoder * values, page.values());
    return DecideValues(values, run, passes);
  }

  Status PassesValues(const Column& values, int64_t begin, int64_t count, uint64_t* passes) {
    if (constant_) {
      SetConstant({count, nullptr, count}, passes);
      return Status::Ok();
    }
    switch (values.form) {
      case ColumnForm::kDictionary: {
        // Pages still to come have the chunk's dictionary, whatever these values are from.
        Dictionary& state = values.dictionary == chunk_.dictionary ? chunk_ : apart_;
        SLUICE_RETURN_IF_ERROR(Set(state, values.dictionary));
        state.codes.Test(values.values<int32_t>() + begin, count, passes);
        return Status::Ok();
      }
      case ColumnForm::kConstant: {
        uint64_t passes_one = 0;
        SLUICE_RETURN_IF_ERROR(PassesValues(*values.dictionary, 0, 1, &passes_one));
        Fill(passes_one != 0, count, passes);
        return Status::Ok();
      }
      default:
        filter_->TestRows(values, begin, count, passes);
        return Status::Ok();
    }
  }

  const DataType& type() const { return *type_; }

 private:
  /// A dictionary, and what the filter says of it.
  struct Dictionary {
    Dictionary(BufferPool* pool, const kernels::KernelTable* kernels) : codes(pool, kernels) {}
    std::shared_ptr<const Column> dictionary;
    CodeFilter codes;
  };

  Status Set(Dictionary& state, std::shared_ptr<const Column> dictionary) {
    if (state.dictionary == dictionary) return Status::Ok();
    state.dictionary.reset();
    if (!constant_) SLUICE_RETURN_IF_ERROR(state.codes.SetDictionary(*dictionary, *filter_));
    state.dictionary = std::move(dictionary);
    return Status::Ok();
  }

  static void Fill(bool value, int64_t count, uint64_t* words) {
    for (int64_t word = 0; word < BitmapWords(count); ++word) {
      words[word] = value ? LowBits(count - word * 64) : 0;
    }
  }

  void SetConstant(const ValueRun& run, uint64_t* passes) const {
    if (!*constant_ || run.selection == nullptr) return Fill(*constant_, run.count, passes);
    for (int64_t word = 0; word < BitmapWords(run.count); ++word) {
      passes[word] = run.selection[word] & LowBits(run.count - word * 64);
    }
  }

  Status DecideValues(ValueDecoder* values, const ValueRun& run, uint64_t* passes) {
    const auto decide = [&](PieceDecider&& test) {
      return DecideByPieces(test, run, *kernels_, passes);
    };
    if (!stored_as_delivered_) {
      return decide(ConvertedDecider(values, filter_.get(), leaf_, type_, &scratch_));
    }
    if (type_->id == TypeId::kBoolean) return decide(BitsDecider(values, filter_.get()));
    if (type_->is_view()) return decide(ViewsDecider(values, filter_.get(), &scratch_));
    return decide(FixedDecider(values, filter_.get(), &scratch_));
  }

  std::shared_ptr<const CompiledFilter> filter_;
  Leaf leaf_;
  std::shared_ptr<const DataType> type_;
  bool stored_as_delivered_;
  std::optional<bool> constant_;
  const kernels::KernelTable* kernels_;
  Reservation held_;  ///< Of a filter that is its own.
  FilterScratch scratch_;
  Dictionary chunk_;
  Dictionary apart_;  ///< Of values that are not from pages.
};

Result<ValueFilter> ValueFilter::Make(const ColumnFilter& filter, const Leaf& leaf,
                                      std::shared_ptr<const DataType> type, BufferPool* pool,
                                      const kernels::KernelTable* kernels) {
  return OrNoMemory([&]() -> Result<ValueFilter> {
    SLUICE_TRY(CompiledFilter compiled, CompiledFilter::Make(filter, kernels));
    SLUICE_TRY(Reservation held, pool->Reserve(compiled.held_bytes()));
    SLUICE_TRY(ValueFilter made, Make(std::make_shared<const CompiledFilter>(std::move(compiled)),
                                      leaf, std::move(type), pool, kernels));
    made.implementation_->Hold(std::move(held));
    return made;
  });
}

Result<ValueFilter> ValueFilter::Make(std::shared_ptr<const CompiledFilter> filter,
                                      const Leaf& leaf, std::shared_ptr<const DataType> type,
                                      BufferPool* pool, const kernels::KernelTable* kernels) {
  if (!IsComparable(filter->filter().type, *type)) {
    return Status::InvalidArgument(fmt::format("a filter over {} for a column of {}",
                                               filter->filter().type.ToString(), type->ToString()));
  }
  return OrNoMemory([&]() -> Result<ValueFilter> {
    return ValueFilter(
        std::make_unique<Implementation>(std::move(filter), leaf, std::move(type), pool, kernels));
  });
}

ValueFilter::ValueFilter(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
ValueFilter::ValueFilter(ValueFilter&&) noexcept = default;
ValueFilter& ValueFilter::operator=(ValueFilter&&) noexcept = default;
ValueFilter::~ValueFilter() = default;

bool ValueFilter::null_passes() const { return implementation_->filter().null_passes; }

bool ValueFilter::is_constant() const { return implementation_->constant().has_value(); }

bool ValueFilter::constant_passes() const { return implementation_->constant().value_or(false); }

Status ValueFilter::SetDictionary(std::shared_ptr<const Column> dictionary) {
  return implementation_->SetDictionary(std::move(dictionary));
}

Status ValueFilter::Decide(DataPage& page, const ValueRun& run, uint64_t* passes) {
  return OrNoMemory([&] { return implementation_->Decide(page, run, passes); });
}

Status ValueFilter::PassesValues(const Column& values, int64_t begin, int64_t count,
                                 uint64_t* passes) {
  if (!IsComparable(*values.type, implementation_->type())) {
    return Status::InvalidArgument(fmt::format("a filter over {} for values of {}",
                                               implementation_->type().ToString(),
                                               values.type->ToString()));
  }
  return implementation_->PassesValues(values, begin, count, passes);
}

Result<std::shared_ptr<const CompiledFilter>> CompileFilter(const ColumnFilter& filter,
                                                            BufferPool& pool) {
  // As long as the filter.
  struct Counted {
    CompiledFilter filter;
    Reservation held;
  };
  return OrNoMemory([&]() -> Result<std::shared_ptr<const CompiledFilter>> {
    SLUICE_TRY(CompiledFilter compiled, CompiledFilter::Make(filter, &kernels::BestTable()));
    SLUICE_TRY(Reservation held, pool.Reserve(compiled.held_bytes()));
    auto counted = std::make_shared<const Counted>(Counted{std::move(compiled), std::move(held)});
    return std::shared_ptr<const CompiledFilter>(counted, &counted->filter);
  });
}

}  // namespace sluice::inline v0::parquet
