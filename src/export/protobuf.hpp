// Messages of protocol buffers, as far as ONNX files need them: fields that are whole numbers (varints), and
// fields that are bytes, texts or messages with their length before them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ggsnn {

class ProtoMessage {
  public:
    ProtoMessage& whole(int field, std::int64_t value) {
        varint(static_cast<std::uint64_t>(field) << 3);
        varint(static_cast<std::uint64_t>(value));
        return *this;
    }
    ProtoMessage& text(int field, std::string_view bytes) {
        varint(static_cast<std::uint64_t>(field) << 3 | 2);
        varint(bytes.size());
        bytes_ += bytes;
        return *this;
    }
    ProtoMessage& message(int field, const ProtoMessage& inner) { return text(field, inner.bytes_); }

    const std::string& bytes() const { return bytes_; }

  private:
    // Seven bits a byte, the lowest first; the eighth says that more follow.
    void varint(std::uint64_t value) {
        for (; value >= 128; value >>= 7) bytes_ += static_cast<char>(value | 128);
        bytes_ += static_cast<char>(value);
    }

    std::string bytes_;
};

} // namespace ggsnn
