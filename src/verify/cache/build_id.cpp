// Which program this is: the linker's hash of all of it, models included.
#include "ggsnn/verify/cache/digest.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/base/sha256.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstring>

namespace ggsnn::verify {

namespace {

struct Wanted {
    ElfW(Addr) address = 0; // inside of the program or library that is asked for
    std::string id;
};

// The note `GNU`, of the kind that has the hash, in a segment of notes.
std::string id_in(const char* notes, std::size_t size) {
    const auto padded = [](std::size_t n) { return (n + 3) / 4 * 4; };
    std::string id;
    for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size && id.empty();) {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes + at, sizeof note);
        const std::size_t name = at + sizeof note, content = name + padded(note.n_namesz);
        if (content + note.n_descsz > size) break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes + name, "GNU", 4) == 0)
            id.assign(notes + content, note.n_descsz);
        at = content + padded(note.n_descsz);
    }
    return id;
}

int look(dl_phdr_info* info, std::size_t, void* data) {
    Wanted& wanted = *static_cast<Wanted*>(data);
    bool here = false;
    for (int s = 0; s < info->dlpi_phnum; ++s) {
        const auto& segment = info->dlpi_phdr[s];
        const ElfW(Addr) begin = info->dlpi_addr + segment.p_vaddr;
        here = here || (segment.p_type == PT_LOAD && wanted.address >= begin &&
                        wanted.address < begin + segment.p_memsz);
    }
    for (int s = 0; here && s < info->dlpi_phnum; ++s) {
        const auto& segment = info->dlpi_phdr[s];
        if (segment.p_type == PT_NOTE && wanted.id.empty())
            wanted.id =
                id_in(reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr), segment.p_memsz);
    }
    return here ? 1 : 0;
}

} // namespace

std::string build_id() {
    static const std::string id = [] {
        Wanted wanted;
        wanted.address = reinterpret_cast<ElfW(Addr)>(&look);
        ::dl_iterate_phdr(look, &wanted);
        if (!wanted.id.empty()) return sha256(wanted.id);
        Dl_info file{};
        if (::dladdr(reinterpret_cast<const void*>(&look), &file) == 0 || file.dli_fname == nullptr)
            fail("the file of this program is not known, so that verdicts cannot be kept for it");
        std::error_code ignored;
        return sha256(
            read_file(std::strchr(file.dli_fname, '/') == nullptr ? "/proc/self/exe" : file.dli_fname));
    }();
    return id;
}

} // namespace ggsnn::verify
