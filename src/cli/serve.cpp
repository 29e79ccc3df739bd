// serve: the page that shows it all, over HTTP.
#include "ggsnn/serve/server.hpp"

#include "ggsnn/base/progress.hpp"
#include "ggsnn/cli/programs.hpp"
#include "ggsnn/cli/registration.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace ggsnn {

namespace {

// In a browser, where there is a screen for one. A grandchild does it, which nobody waits for.
void open_browser(const std::string& address) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
    const pid_t child = ::fork();
    if (child != 0) return;
    ::execlp("xdg-open", "xdg-open", address.c_str(), nullptr);
    std::_Exit(1);
}

} // namespace

int run_serve(const ServeCommand& command) {
    serve::ServeOptions options;
    options.address = command.listen;
    options.port = command.port;
    options.token = command.token;
    options.folders = command.folders;
    options.version = GGSNN_VERSION;
    options.workers = command.workers > 0
                          ? command.workers
                          : std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 8);
    options.limits.verify_seconds = command.timeout;
    if (!serve::is_loopback(options.address) && options.token.empty())
        throw UsageError(
            fmt::format("--listen {}: others can reach it there, so --token is needed", options.address));
    if (!options.token.empty() &&
        (options.token.size() < 16 || options.token.find_first_of(";, \"\r\n") != std::string::npos))
        throw UsageError(
            "--token: expected 16 characters at least, without blanks, commas, semicolons and quotes");
    try {
        options.programs = programs_folder();
    } catch (const Error&) {
        // The page does without examples.
    }
    catch_interrupts();
    const auto listening = [&](const std::string& address) {
        const std::string page = options.token.empty() ? address : address + "#token=" + options.token;
        std::printf("%s\n", page.c_str());
        std::fflush(stdout);
        std::fprintf(stderr, "ggsnn: serving the page; Ctrl-C ends it\n");
        if (command.open) open_browser(page);
    };
    serve::serve(options, listening, [] { return interrupted(); });
    return 0;
}

void add_serve(CLI::App& app, Run& run) {
    auto* sub =
        app.add_subcommand("serve", "Show programs, graphs, trainings, formulas and reports in a browser");
    auto o = std::make_shared<ServeCommand>();
    sub->add_option("folders", o->folders, "Folders with models, logs of training (train --log) and reports");
    sub->add_option("--port", o->port, "Port; 0 is any that is free")
        ->check(CLI::Range(0, 65535))
        ->capture_default_str();
    sub->add_option("--listen", o->listen, "Address to listen at; one that others reach needs --token")
        ->capture_default_str();
    sub->add_option("--token", o->token, "A secret that requests must bring");
    sub->add_option("--workers", o->workers,
                    "Processes that work at once; default: as many as cores, at most 8")
        ->check(CLI::Range(1, 64));
    sub->add_option("--timeout", o->timeout, "Seconds for a program, all in all")
        ->check(CLI::Range(1.0, 3600.0))
        ->check(is_number)
        ->capture_default_str();
    sub->add_flag("!--no-open", o->open, "Do not open a browser");
    sub->callback([o, &run] { run = [o] { return run_serve(*o); }; });
}

} // namespace ggsnn
