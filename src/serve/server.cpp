#include "ggsnn/serve/server.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/serve/library.hpp"
#include "ggsnn/serve/page.hpp"
#include "ggsnn/serve/request.hpp"
#include "ggsnn/serve/views.hpp"
#include "ggsnn/serve/workers.hpp"

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace ggsnn::serve {

namespace {

using httplib::Request;
using httplib::Response;

constexpr std::size_t threads = 96, most_waiting = 32;
constexpr std::size_t most_source = 200'000, most_formula = 100'000, most_graph = 500'000;
constexpr std::uint64_t largest_report = std::uint64_t{64} << 20;

constexpr const char* page_policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' "
                                    "data:; connect-src 'self'; frame-src "
                                    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
// Reports have their style inside, and no scripts; they are shown inside the page.
constexpr const char* report_policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'";

// From a provider, so that the library does not compress it: over loopback that only takes time.
void give(Response& res, int status, const char* type, std::string content) {
    res.status = status;
    if (content.empty()) return res.set_content("", type);
    auto kept = std::make_shared<const std::string>(std::move(content));
    res.set_content_provider(kept->size(), type,
                             [kept](std::size_t at, std::size_t size, httplib::DataSink& sink) {
                                 return sink.write(kept->data() + at, size);
                             });
}

void give_json(Response& res, int status, const OrderedJson& json) {
    give(res, status, "application/json", json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
}

void give_error(Response& res, int status, const std::string& reason) {
    give_json(res, status, {{"error", reason}});
}

// In time that does not tell how much of it is right.
bool same_token(const std::string& a, const std::string& b) {
    unsigned difference = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^
                      static_cast<unsigned char>(b[i % std::max<std::size_t>(1, b.size())]);
    return difference == 0 && !b.empty();
}

class Server {
  public:
    Server(const ServeOptions& options, Workers& workers)
        : options_(options), workers_(workers), library_(options.folders, options.programs) {
        http_.new_task_queue = [] { return new httplib::ThreadPool(threads); };
        http_.set_payload_max_length(options.body_bytes);
        http_.set_keep_alive_max_count(1'000'000);
        http_.set_keep_alive_timeout(2);
        http_.set_read_timeout(5, 0);
        http_.set_write_timeout(5, 0);
        http_.set_tcp_nodelay(true);
        http_.set_pre_routing_handler([this](const Request& req, Response& res) { return check(req, res); });
        http_.set_error_handler([](const Request&, Response& res) {
            if (res.body.empty() && res.get_header_value("Content-Type").empty())
                give_error(res, res.status, reason_of(res.status));
        });
        http_.set_exception_handler([](const Request&, Response& res, std::exception_ptr) {
            give_error(res, 500, "the server failed on this; please report it");
        });
        add_routes();
    }

    void run(const std::function<void(const std::string&)>& listening, const std::function<bool()>& ended) {
        port_ = options_.port;
        const bool bound = port_ == 0 ? (port_ = http_.bind_to_any_port(options_.address)) > 0
                                      : http_.bind_to_port(options_.address, port_);
        if (!bound)
            fail("cannot listen at {} port {}; is the port taken? --port 0 takes any that is free",
                 options_.address, options_.port);
        const std::string shown =
            options_.address.find(':') == std::string::npos ? options_.address : "[" + options_.address + "]";
        listening(fmt::format("http://{}:{}/", shown, port_));
        std::thread thread([this] { http_.listen_after_bind(); });
        while (!ended()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
        http_.stop();
        thread.join();
    }

  private:
    static std::string reason_of(int status) {
        if (status == 404) return "nothing is there; /api/openapi.json lists what is";
        if (status == 413) return "the request is larger than the limit";
        if (status == 400) return "the request cannot be understood";
        return fmt::format("status {}", status);
    }

    // Host names that are this server.
    bool is_own_host(const std::string& host) const {
        const std::string tail = fmt::format(":{}", port_);
        if (!host.ends_with(tail)) return false;
        const std::string name = host.substr(0, host.size() - tail.size());
        if (name == "127.0.0.1" || name == "localhost" || name == "[::1]")
            return is_loopback(options_.address) || !options_.token.empty();
        // Elsewhere the token keeps others out, and the name may be any that leads here.
        return !options_.token.empty();
    }

    bool has_token(const Request& req) const {
        if (options_.token.empty()) return true;
        const std::string header = req.get_header_value("Authorization");
        if (header.starts_with("Bearer ") && same_token(header.substr(7), options_.token)) return true;
        const std::string cookies = "; " + req.get_header_value("Cookie") + ";", key = "; ggsnn-token=";
        const std::size_t at = cookies.find(key);
        if (at == std::string::npos) return false;
        const std::size_t begin = at + key.size();
        return same_token(cookies.substr(begin, cookies.find(';', begin) - begin), options_.token);
    }

    // Before anything else is looked at.
    httplib::Server::HandlerResponse check(const Request& req, Response& res) const {
        using Done = httplib::Server::HandlerResponse;
        const_cast<Request&>(req).ranges.clear(); // a part of an answer is of no use to anyone here
        res.set_header("X-Content-Type-Options", "nosniff");
        res.set_header("Referrer-Policy", "no-referrer");
        res.set_header("Cross-Origin-Resource-Policy", "same-origin");
        res.set_header("Cache-Control", "no-store");
        res.set_header("Content-Security-Policy",
                       req.path.starts_with("/reports/") ? report_policy : page_policy);
        const auto refuse = [&](int status, const std::string& reason) {
            give_error(res, status, reason);
            return Done::Handled;
        };
        const std::string host = req.get_header_value("Host");
        if (!is_own_host(host)) return refuse(403, "the Host header does not name this server");
        if (req.has_header("Origin") && req.get_header_value("Origin") != "http://" + host)
            return refuse(403, "the request comes from another page");
        if (req.method != "GET" && req.method != "POST" && req.method != "HEAD")
            return refuse(405, "the method is " + req.method.substr(0, 20) + "; expected GET or POST");
        const bool open =
            req.path == "/" || req.path == "/app.js" || req.path == "/app.css" || req.path == "/pictures.css";
        if (!open && !has_token(req)) return refuse(401, "the token is missing or wrong");
        if (!options_.token.empty() && !open)
            res.set_header("Set-Cookie",
                           "ggsnn-token=" + options_.token + "; Path=/; HttpOnly; SameSite=Strict");
        return Done::Unhandled;
    }

    using Handler = std::function<void(const Request&, Response&)>;

    // What handlers throw becomes a status with a reason.
    static Handler caught(Handler handler) {
        return [handler = std::move(handler)](const Request& req, Response& res) {
            try {
                handler(req, res);
            } catch (const BadRequest& bad) {
                give_error(res, bad.status, bad.reason);
            } catch (const Busy&) {
                res.set_header("Retry-After", "5");
                give_error(res, 503, "too much is asked at once; try again in a moment");
            } catch (const Error& error) {
                give_error(res, 422, error.what());
            }
        };
    }

    void add_routes() {
        const auto get = [&](const char* path, Handler handler) {
            http_.Get(path, caught(std::move(handler)));
        };
        for (const char* name : {"index.html", "app.js", "app.css", "pictures.css"}) {
            const std::string path = std::string(name) == "index.html" ? "/" : std::string("/") + name;
            get(path.c_str(), [name](const Request&, Response& res) {
                const Asset found = asset(name);
                give(res, 200, found.type, std::string(found.content));
            });
        }
        get("/api/openapi.json", [](const Request&, Response& res) {
            give(res, 200, "application/json", std::string(asset("openapi.json").content));
        });
        get("/api/about", [this](const Request&, Response& res) { give_json(res, 200, about()); });
        get("/api/programs", [this](const Request&, Response& res) { list(res, Item::Kind::program); });
        get("/api/programs/([0-9a-f]{16})", [this](const Request& req, Response& res) {
            const Item item = wanted(Item::Kind::program, req);
            give_json(res, 200,
                      {{"id", item.id}, {"name", item.name}, {"source", read_file(item.path, most_source)}});
        });
        get("/api/models", [this](const Request&, Response& res) { list(res, Item::Kind::model); });
        get("/api/models/([0-9a-f]{16})", [this](const Request& req, Response& res) {
            const Item item = wanted(Item::Kind::model, req);
            work(res, {{"task", "model"}, {"model", item.name}, {"path", item.path}});
        });
        get("/api/runs", [this](const Request&, Response& res) { list(res, Item::Kind::run); });
        get("/api/runs/([0-9a-f]{16})", [this](const Request& req, Response& res) {
            const Item item = wanted(Item::Kind::run, req);
            OrderedJson view = training_view(item.path);
            view["id"] = item.id;
            view["name"] = item.name;
            give_json(res, 200, view);
        });
        get("/api/reports", [this](const Request&, Response& res) { list(res, Item::Kind::report); });
        get("/reports/([0-9a-f]{16})/(index|programs)[.]html", [this](const Request& req, Response& res) {
            const Item item = wanted(Item::Kind::report, req);
            give(res, 200, "text/html; charset=utf-8",
                 read_file(item.path + "/" + req.matches[2].str() + ".html", largest_report));
        });
        add_work();
    }

    void add_work() {
        const auto post = [&](const char* path, Handler handler) {
            http_.Post(path, caught([handler = std::move(handler)](const Request& req, Response& res) {
                           // A form of another page cannot send this type without asking first.
                           if (!req.get_header_value("Content-Type").starts_with("application/json"))
                               throw BadRequest{415, "Content-Type is not application/json"};
                           handler(req, res);
                       }));
        };
        post("/api/verify", [this](const Request& req, Response& res) {
            const RequestBody body(req.body,
                                   {"source", "name", "functions", "allocation_may_fail", "seconds"});
            const std::string name = body.text("name", "program.c", 64);
            check_program_name(name);
            work(res, {{"task", "verify"},
                       {"source", body.required_text("source", most_source)},
                       {"name", name},
                       {"functions", body.texts("functions", 50)},
                       {"allocation_may_fail", body.flag("allocation_may_fail")},
                       {"seconds", body.number("seconds", options_.limits.verify_seconds, 0.5, 3600)}});
        });
        post("/api/prove", [this](const Request& req, Response& res) {
            const RequestBody body(req.body, {"text"});
            work(res, {{"task", "prove"}, {"text", body.required_text("text", most_formula)}});
        });
        post("/api/ask", [this](const Request& req, Response& res) {
            const RequestBody body(req.body, {"model", "text", "question", "node"});
            const auto item = library_.find(Item::Kind::model, body.required_text("model", 16));
            if (!item) throw BadRequest{404, "no such model; /api/models lists them"};
            work(res, {{"task", "ask"},
                       {"model", item->name},
                       {"path", item->path},
                       {"text", body.required_text("text", most_graph)},
                       {"question", static_cast<std::size_t>(body.number("question", 0, 0, 1e6))},
                       {"node", static_cast<int>(body.number("node", -1, -1, 1e6))}});
        });
    }

    OrderedJson about() const {
        return {{"name", "ggsnn"},
                {"version", options_.version},
                {"workers", options_.workers},
                {"at_work", workers_.at_work()},
                {"limits",
                 {{"source_bytes", most_source},
                  {"formula_bytes", most_formula},
                  {"graph_bytes", most_graph},
                  {"verify_seconds", options_.limits.verify_seconds},
                  {"prove_seconds", options_.limits.prove_seconds}}}};
    }

    void list(Response& res, Item::Kind kind) const {
        OrderedJson out = OrderedJson::array();
        for (const Item& item : library_.items(kind)) {
            OrderedJson one{{"id", item.id}, {"name", item.name}, {"changed", item.changed}};
            if (kind == Item::Kind::model && item.path.empty())
                for (const ExampleModel& model : example_models())
                    if (item.name == model.name) one["title"] = model.title, one["example"] = model.text;
            out.push_back(std::move(one));
        }
        give_json(res, 200, out);
    }

    Item wanted(Item::Kind kind, const Request& req) const {
        const auto item = library_.find(kind, req.matches[1].str());
        if (!item) throw BadRequest{404, "nothing has this id; it may be gone since it was listed"};
        return *item;
    }

    void work(Response& res, const OrderedJson& request) {
        const OrderedJson answer = OrderedJson::parse(
            workers_.ask(request.dump(-1, ' ', false, OrderedJson::error_handler_t::replace)));
        give_json(res, answer.at("status").get<int>(), answer.at("body"));
    }

    const ServeOptions& options_;
    Workers& workers_;
    Library library_;
    httplib::Server http_;
    int port_ = 0;
};

} // namespace

bool is_loopback(const std::string& address) {
    return address == "localhost" || address == "::1" || address.starts_with("127.");
}

void serve(const ServeOptions& options, const std::function<void(const std::string&)>& listening,
           const std::function<bool()>& ended) {
    GGSNN_ASSERT(!options.token.empty() || is_loopback(options.address));
    const verify::Inference inference;
    Workers workers(options.workers, most_waiting,
                    [&](const std::string& request) { return do_task(request, options.limits, inference); });
    Server(options, workers).run(listening, ended);
}

} // namespace ggsnn::serve
