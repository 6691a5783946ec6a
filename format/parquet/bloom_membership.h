#pragma once

#include <sluice/evidence.h>
#include <sluice/parquet/bloom_filter.h>
#include <sluice/parquet/schema_tree.h>

#include <memory>
#include <string>
#include <string_view>

namespace sluice::inline v0::parquet {

/// Whether the leaf's values have one PLAIN form each, which a bloom filter can be asked for.
bool HasHashedForm(const Leaf& leaf, const DataType& type);

/// A leaf's bloom filter asked for values in the type that the leaf is read as: each is brought to
/// the very bytes that the file hashes, and what has none may be contained.
///
/// Threads: thread-safe.
class BloomMembership final : public MembershipTest {
 public:
  /// `type`: what the leaf is delivered as.
  BloomMembership(BloomFilter filter, const Leaf& leaf, DataType type,
                  std::shared_ptr<const DataType> read_as);

  bool MayContain(std::string_view value) const override;

 private:
  bool MayContainStored(std::string_view value) const;

  BloomFilter filter_;
  Leaf leaf_;
  DataType type_;
  std::shared_ptr<const DataType> read_as_;
};

}  // namespace sluice::inline v0::parquet
