#include "ggsnn/verify/read/read.hpp"

#include "ggsnn/verify/read/compile.hpp"
#include "ggsnn/verify/read/lowering.hpp"
#include "ggsnn/verify/read/specification.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/base/files.hpp"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

#include <filesystem>

namespace ggsnn::verify {

namespace {

// Declares malloc and the like with sizes of 32 bits, on a machine of 64.
bool has_narrow_sizes(const llvm::Module& module) {
    if (module.getDataLayout().getPointerSize(0) != 8) return false;
    for (const auto& [name, argument] :
         {std::pair{"malloc", 0U}, {"calloc", 1U}, {"realloc", 1U}, {"memset", 2U}, {"memcpy", 2U}}) {
        const llvm::Function* f = module.getFunction(name);
        if (f != nullptr && f->isDeclaration() && f->arg_size() > argument &&
            f->getArg(argument)->getType()->isIntegerTy(32))
            return true;
    }
    return false;
}

void lower(const std::string& bitcode, Program& program, const ReadOptions& options) {
    llvm::LLVMContext context;
    const auto buffer = llvm::MemoryBuffer::getMemBuffer(bitcode, program.path, false);
    auto module = llvm::parseBitcodeFile(buffer->getMemBufferRef(), context);
    if (!module) fail("{}: {}", program.path, llvm::toString(module.takeError()));
    (*module)->setIsNewDbgInfoFormat(true);
    program.narrow_sizes = has_narrow_sizes(**module);
    TranslationUnit unit(**module, program);
    unit.max_instructions = options.instructions;
    unit.declare();
    for (std::size_t f = 0; f < unit.sources.size(); ++f) {
        find_back_links(unit, *unit.sources[f]);
        Lowering(unit, *unit.sources[f], program.functions[f]).run();
    }
    assign_roles(program.records, unit.links);
}

Program read(Source source, const ReadOptions& options) {
    Program program;
    program.path = source.path;
    source.flags.insert(source.flags.end(), options.flags.begin(), options.flags.end());
    if (!options.compile_commands.empty()) {
        if (source.kind != Source::Kind::file)
            fail("{}: compile_commands.json speaks of C files only", source.path);
        add_compile_commands(options.compile_commands, source, program.notes);
    }
    const std::vector<std::string> files = {source.kind == Source::Kind::bitcode ? "" : program.path};
    program.files = files;
    const auto narrow = [&] {
        source.flags.emplace_back("-m32");
        program.notes.emplace_back("its size_t has 32 bits: read with -m32");
    };
    if (is_for_32_bits(source)) narrow();
    lower(compile(source, options.seconds), program, options);
    if (program.narrow_sizes && source.kind != Source::Kind::bitcode && !says_machine(source.flags)) {
        Program again;
        again.path = program.path;
        again.notes = program.notes;
        again.files = files;
        program = std::move(again);
        narrow();
        lower(compile(source, options.seconds), program, options);
    }
    if (source.kind == Source::Kind::bitcode)
        program.notes.push_back(
            "bitcode is taken as it is: what an optimiser did to it is not seen, and comments "
            "with specifications are not read");
    else if (may_have_specifications(source))
        read_comments(preprocess(source, options.seconds), program);
    return program;
}

} // namespace

bool reading_available() {
    return true;
}

Program read_program(const std::string& path, const ReadOptions& options) {
    Source source;
    source.path = path;
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension == ".bc" || extension == ".ll") source.kind = Source::Kind::bitcode;
    if (std::filesystem::is_directory(path)) fail("{}: is a folder; expected a C file", path);
    source.text = read_file(path, options.bytes);
    return read(std::move(source), options);
}

Program read_program_text(std::string_view text, const std::string& path, const ReadOptions& options) {
    Source source;
    source.kind = Source::Kind::text;
    source.path = path;
    source.text = text;
    if (text.size() > options.bytes) fail("{}: larger than {} bytes", path, options.bytes);
    return read(std::move(source), options);
}

} // namespace ggsnn::verify
