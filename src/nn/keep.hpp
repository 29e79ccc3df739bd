// How backward trades memory for time.
#pragma once

namespace ggsnn {

// What forward keeps for backward, beside the states h: everything; the gates, with a computed anew;
// nothing else, with a and the gates computed anew.
enum class Keep { all, gates, states };

} // namespace ggsnn
