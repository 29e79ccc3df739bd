#include "ggsnn/nn/train/log.hpp"
#include "ggsnn/serve/views.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace ggsnn::serve {

namespace {

OrderedJson number_or_null(double value) {
    return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}

// Every so many points, and always the last.
std::vector<LogPoint> thinned_points(const std::vector<LogPoint>& points, std::size_t most) {
    if (points.size() <= most) return points;
    std::vector<LogPoint> out;
    const std::size_t every = (points.size() + most - 1) / most;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (i % every == 0 || i + 1 == points.size()) out.push_back(points[i]);
    return out;
}

} // namespace

OrderedJson training_view(const std::string& path, std::size_t most) {
    const LogFile log = read_log(path);
    std::map<std::pair<std::string, int>, std::vector<LogPoint>> runs;
    for (const LogPoint& point : log.points) runs[{point.question, point.restart}].push_back(point);
    OrderedJson out{
        {"metric", log.metric}, {"settings", log.start}, {"end", log.end}, {"seconds", log.seconds}};
    out["runs"] = OrderedJson::array();
    for (const auto& [key, points] : runs) {
        OrderedJson run{{"question", key.first}, {"restart", key.second}};
        for (const char* column : {"update", "train_loss", "valid_loss", "error", "learning_rate", "seconds"})
            run[column] = OrderedJson::array();
        for (const LogPoint& p : thinned_points(points, most)) {
            run["update"].push_back(p.scores.update);
            run["train_loss"].push_back(number_or_null(p.scores.train_loss));
            run["valid_loss"].push_back(number_or_null(p.scores.valid_loss));
            run["error"].push_back(number_or_null(p.scores.valid_error));
            run["learning_rate"].push_back(p.learning_rate ? OrderedJson(*p.learning_rate)
                                                           : OrderedJson(nullptr));
            run["seconds"].push_back(p.seconds ? OrderedJson(*p.seconds) : OrderedJson(nullptr));
        }
        out["runs"].push_back(std::move(run));
    }
    return out;
}

} // namespace ggsnn::serve
