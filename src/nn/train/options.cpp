#include "ggsnn/nn/train/options.hpp"

#include "ggsnn/nn/kinds.hpp"

namespace ggsnn {

// Model files have the same keys whatever the kind of network.
Json TrainOptions::to_json() const {
    Json json = {{"variant", "authors"},
                 {"state", 0},
                 {"annotation", 0},
                 {"steps", 5},
                 {"shared_propagation", true},
                 {"learning_rate", learning_rate},
                 {"schedule", cosine ? "cosine" : "constant"},
                 {"updates", updates},
                 {"batch", batch},
                 {"l1", l1},
                 {"l2", l2},
                 {"clip", clip},
                 {"balance", balance},
                 {"evaluate_every", evaluate_every},
                 {"patience", patience},
                 {"stop_loss", stop_loss},
                 {"restarts", restarts},
                 {"stop_at_zero", stop_at_zero},
                 {"ensemble", ensemble},
                 {"seed", seed}};
    if (keep_best) json["keep_best"] = true;
    const Kind& chosen = kind_named(kind);
    if (&chosen != &kinds().front()) json["model"] = kind;
    const Json all = checked_settings(chosen.settings, network, kind);
    for (const Setting& s : chosen.settings)
        if (!s.only_if_set || all[s.name] != s.initial) json[s.name] = all[s.name];
    return json;
}

} // namespace ggsnn
