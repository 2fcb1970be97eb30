#include "io/gltf_buffers.h"

#include <cassert>
#include <vector>

#include <fmt/format.h>

namespace talus {
namespace {

constexpr std::uint64_t round_up_to_4(std::uint64_t bytes) {
  return (bytes + 3) / 4 * 4;
}

class PlainBuffers : public GltfBuffers {
 public:
  PlainBuffers(const std::string& folder, const GltfStrides& strides) : strides_(strides) {
    views_.fill(kNoView);
    for (auto& spool : spools_) spool = std::make_unique<Spool>(folder);
  }

  GltfPlace append(GltfStream stream, const void* data, std::size_t bytes) override {
    const auto s = static_cast<std::size_t>(stream);
    assert(bytes % strides_[s] == 0);
    if (views_[s] == kNoView) {
      views_[s] = order_.size();
      order_.push_back(stream);
    }
    const GltfPlace place{views_[s], spools_[s]->size()};
    spools_[s]->write(data, bytes);
    return place;
  }

  std::uint64_t bytes() const override {
    std::uint64_t bytes = 0;
    for (const GltfStream stream : order_) {
      bytes += round_up_to_4(spools_[static_cast<std::size_t>(stream)]->size());
    }
    return bytes;
  }
  void write_views(const ByteSink& json) const override { json(views()); }

  void copy_to(const ByteSink& out) const override {
    for (const GltfStream stream : order_) {
      const Spool& spool = *spools_[static_cast<std::size_t>(stream)];
      spool.copy_to(out);
      out(std::string_view("\0\0\0", round_up_to_4(spool.size()) - spool.size()));
    }
  }

 private:
  static constexpr std::uint64_t kNoView = ~std::uint64_t{0};

  std::string views() const {
    std::string text;
    std::uint64_t offset = 0;
    for (const GltfStream stream : order_) {
      const auto s = static_cast<std::size_t>(stream);
      const std::uint64_t length = spools_[s]->size();
      text += fmt::format(R"({}{{"buffer":0,"byteOffset":{},"byteLength":{})",
                          text.empty() ? "" : ",", offset, length);
      if (is_vertex_stream(stream)) {
        text += fmt::format(R"(,"byteStride":{},"target":34962}})", strides_[s]);
      } else {
        text += stream == GltfStream::Keys ? "}" : R"(,"target":34963})";
      }
      offset += round_up_to_4(length);
    }
    return text;
  }

  GltfStrides strides_;
  std::array<std::unique_ptr<Spool>, kGltfStreams> spools_;
  std::array<std::uint64_t, kGltfStreams> views_;  // kNoView: not in use
  std::vector<GltfStream> order_;                  // the streams in use, by view
};

}  // namespace

std::unique_ptr<GltfBuffers> create_plain_buffers(const std::string& folder,
                                                  const GltfStrides& strides) {
  return std::make_unique<PlainBuffers>(folder, strides);
}

}  // namespace talus
