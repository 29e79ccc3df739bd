#include "ggsnn/nn/stepper/run.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

namespace {

// A set of nodes that is listed once each.
class NodeSet {
  public:
    explicit NodeSet(int nodes) : in_(nodes, 0) {}
    void add(int v) {
        if (in_[v] != 0) return;
        in_[v] = 1;
        list_.push_back(v);
    }
    void add_with_neighbours(int v, const Links& links) {
        for (int l = links.start[v]; l < links.start[v + 1]; ++l) add(links.from[l]);
    }
    void clear() {
        for (int v : list_) in_[v] = 0;
        list_.clear();
    }
    bool empty() const { return list_.empty(); }
    const std::vector<int>& list() const { return list_; }

  private:
    std::vector<char> in_;
    std::vector<int> list_;
};

// Which of an ensemble's orders weighs most.
int best_order(const std::vector<std::vector<float>>& members, std::size_t at, int count) {
    std::vector<double> weight(count, 0);
    for (const auto& p : members) {
        const double most = *std::max_element(p.data() + at, p.data() + at + count);
        double sum = 0;
        for (int m = 0; m < count; ++m) sum += std::exp(order_sharpness * (p[at + m] - most));
        for (int m = 0; m < count; ++m) weight[m] += std::exp(order_sharpness * (p[at + m] - most)) / sum;
    }
    return static_cast<int>(std::max_element(weight.begin(), weight.end()) - weight.begin());
}

float sigma_of(float z) {
    return 1 / (1 + std::exp(-z));
}

class StepperRun {
  public:
    StepperRun(const Stepper<float>& network, const Links& links,
               const std::vector<std::vector<float>>& members);

    // One step; whether it changed anything.
    bool step();
    StepperResult result() const;
    int current() const; // the first node with the first bit on, or -1

  private:
    // What one network computed of the nodes: rows of H numbers.
    struct Own {
        std::vector<float> ps, pr, ms, h;
    };

    void see(int v);
    void add(const float* row, float* to) const {
        for (int j = 0; j < H_; ++j) to[j] += row[j];
    }
    // The rows of the slots that a link has edges of.
    void add_kinds(int link, const float* rows, float* to) const {
        for (int s = 0; s < S_; ++s)
            if (links_.kind[static_cast<std::size_t>(link) * S_ + s] != 0) add(rows + s * n_, to);
    }
    float allowed(int v, int link);
    int point(int v);
    void move_pointers();
    void hear(int v);
    int choose() const;
    // Bit by bit whether it is on, given what was chosen.
    void bits_of(int v, bool is_chosen, bool none, char* bits) const;
    bool update(int v);

    const float* seen(int v) const { return y_.data() + static_cast<std::size_t>(v) * Y_; }

    const StepperShape& shape_;
    const Links& links_;
    const std::vector<std::vector<float>>& members_;
    const Stepper<float>::Parts& at_;
    const int H_, n_, Y_, B_, S_;
    std::vector<Own> own_;
    std::vector<float> y_;
    std::vector<int> pointer_; // by node: a link
    std::vector<float> way_, length_;
    std::vector<char> x_, allowed_;
    std::vector<char> chosen_bits_;
    std::vector<float> scratch_, most_, next_way_;
    std::vector<int> next_;
    std::vector<char> cache_,
        cached_; // bits of a node that is not chosen: by node, with and without a choice
    NodeSet changed_seen_, changed_pointer_, changed_way_, dirty_, deaf_;
    int chosen_ = -1, order_ = 0, choice_order_ = 0;
    bool began_ = false;
};

StepperRun::StepperRun(const Stepper<float>& network, const Links& links,
                       const std::vector<std::vector<float>>& members)
    : shape_(network.shape()),
      links_(links),
      members_(members),
      at_(network.parts()),
      H_(shape_.state),
      n_(network.row()),
      Y_(shape_.seen()),
      B_(shape_.bits),
      S_(shape_.slots),
      own_(members.size()),
      changed_seen_(links.nodes),
      changed_pointer_(links.nodes),
      changed_way_(links.nodes),
      dirty_(links.nodes),
      deaf_(links.nodes) {
    const std::size_t nodes = links.nodes;
    for (Own& own : own_)
        for (auto* each : {&own.ps, &own.pr, &own.ms, &own.h}) each->assign(nodes * n_, 0);
    y_.assign(nodes * Y_, 0);
    x_.assign(nodes * B_, 0);
    pointer_.assign(links.start.begin(), links.start.end() - 1);
    way_.assign(nodes, 0);
    length_.assign(nodes, 0);
    allowed_.assign(nodes, 0);
    cache_.assign(2 * nodes * B_, 0);
    cached_.assign(2 * nodes, 0);
    chosen_bits_.assign(B_, 0);
    scratch_.assign(n_, 0);
    most_.assign(n_, 0);
    if (shape_.points) order_ = best_order(members, at_.Po, link_orders);
    if (shape_.chooses) choice_order_ = best_order(members, at_.Go, choice_orders);
}

// y_v, and what its neighbours hear of it.
void StepperRun::see(int v) {
    float* y = y_.data() + static_cast<std::size_t>(v) * Y_;
    const int I = shape_.inputs;
    std::copy_n(links_.inputs.data() + static_cast<std::size_t>(v) * I, I, y);
    for (int j = 0; j < B_; ++j) y[I + j] = x_[static_cast<std::size_t>(v) * B_ + j];
    y[I + B_] = pointer_[v] == links_.start[v] ? 1.0F : 0.0F;
    const std::size_t row = static_cast<std::size_t>(v) * n_;
    for (std::size_t k = 0; k < members_.size(); ++k) {
        const float* p = members_[k].data();
        const auto times = [&](std::size_t weights, const float* start, std::vector<float>& out) {
            for (int j = 0; j < H_; ++j) out[row + j] = start != nullptr ? start[j] : 0.0F;
            for (int i = 0; i < Y_; ++i)
                if (y[i] != 0)
                    for (int j = 0; j < H_; ++j)
                        out[row + j] += y[i] * p[weights + static_cast<std::size_t>(i) * n_ + j];
        };
        times(at_.Ms, p + at_.Mb, own_[k].ms);
        if (!shape_.points) continue;
        times(at_.Ps, nullptr, own_[k].ps);
        times(at_.Pr, p + at_.Pb, own_[k].pr);
    }
}

float StepperRun::allowed(int v, int link) {
    const int u = links_.from[link];
    const bool here = pointer_[v] == link, there = pointer_[u] == links_.back[link];
    float sum = 0;
    for (std::size_t k = 0; k < members_.size(); ++k) {
        const float *p = members_[k].data(), *flags = p + at_.Pe;
        const float *ps = own_[k].ps.data() + static_cast<std::size_t>(u) * n_,
                    *pr = own_[k].pr.data() + static_cast<std::size_t>(v) * n_;
        float* hidden = scratch_.data();
        for (int j = 0; j < H_; ++j) hidden[j] = ps[j] + pr[j];
        add_kinds(link, flags, hidden);
        if (here) add(flags + S_ * n_, hidden);
        if (there) add(flags + (S_ + 1) * n_, hidden);
        if (u == v) add(flags + (S_ + 2) * n_, hidden);
        float z = p[at_.Pc];
        for (int j = 0; j < H_; ++j) z += std::max(0.0F, hidden[j]) * p[at_.Pw + j];
        sum += sigma_of(z);
    }
    return sum / static_cast<float>(members_.size());
}

// The new pointer of v, from the pointers of all as they were.
int StepperRun::point(int v) {
    int best = -1;
    float best_key = 0;
    for (int l = links_.start[v]; l < links_.start[v + 1]; ++l) {
        const float key = order_ == 0   ? 0
                          : order_ == 1 ? links_.length[l]
                                        : links_.length[l] + way_[links_.from[l]];
        const bool first =
            best < 0 || key < best_key || (key == best_key && links_.from[l] < links_.from[best]);
        if (!first || allowed(v, l) <= 0.5F) continue;
        best = l;
        best_key = key;
    }
    return best >= 0 ? best : pointer_[v];
}

// m_v, h_v, and whether v may be chosen.
void StepperRun::hear(int v) {
    const std::size_t row = static_cast<std::size_t>(v) * n_;
    std::vector<float>& m = most_;
    float* e = scratch_.data();
    float sum = 0;
    for (std::size_t k = 0; k < members_.size(); ++k) {
        const float *p = members_[k].data(), *flags = p + at_.Me;
        std::fill(m.begin(), m.end(), 0.0F);
        for (int l = links_.start[v] + 1; l < links_.start[v + 1]; ++l) {
            const int u = links_.from[l];
            const float* ms = own_[k].ms.data() + static_cast<std::size_t>(u) * n_;
            std::copy_n(ms, H_, e);
            add_kinds(l, flags, e);
            if (pointer_[v] == l) add(flags + S_ * n_, e);
            if (pointer_[u] == links_.back[l]) add(flags + (S_ + 1) * n_, e);
            for (int j = 0; j < H_; ++j) m[j] = std::max(m[j], e[j]);
        }
        float* h = own_[k].h.data() + row;
        const float* y = seen(v);
        const bool self = pointer_[v] == links_.start[v];
        for (int j = 0; j < H_; ++j) h[j] = p[at_.Ub + j] + (self ? p[at_.Us + j] : 0.0F);
        const auto add_times = [&](float x, std::size_t weights) {
            for (int j = 0; j < H_ && x != 0; ++j) h[j] += x * p[weights + j];
        };
        for (int i = 0; i < Y_; ++i) add_times(y[i], at_.Uy + static_cast<std::size_t>(i) * n_);
        for (int i = 0; i < H_; ++i) add_times(m[i], at_.Um + static_cast<std::size_t>(i) * n_);
        for (int j = 0; j < H_; ++j) h[j] = std::max(0.0F, h[j]);
        if (!shape_.chooses) continue;
        float z = p[at_.Gc];
        for (int j = 0; j < H_; ++j) z += h[j] * p[at_.Gw + j];
        sum += sigma_of(z);
    }
    allowed_[v] = sum > 0.5F * static_cast<float>(members_.size()) ? 1 : 0;
    cached_[2 * static_cast<std::size_t>(v)] = cached_[2 * static_cast<std::size_t>(v) + 1] = 0;
}

int StepperRun::choose() const {
    int best = -1;
    float best_key = 0;
    for (int v = 0; v < links_.nodes; ++v) {
        if (allowed_[v] == 0) continue;
        const float key = choice_order_ == 0   ? 0
                          : choice_order_ == 1 ? length_[v]
                          : choice_order_ == 2 ? way_[v]
                                               : -way_[v];
        if (best >= 0 && key >= best_key) continue;
        best = v;
        best_key = key;
    }
    return best;
}

void StepperRun::bits_of(int v, bool is_chosen, bool none, char* bits) const {
    std::vector<float> u(H_), sum(B_, 0);
    for (std::size_t k = 0; k < members_.size(); ++k) {
        const float *p = members_[k].data(), *h = own_[k].h.data() + static_cast<std::size_t>(v) * n_;
        for (int j = 0; j < H_; ++j)
            u[j] = p[at_.Wb + j] + (is_chosen ? p[at_.Wf + j] : 0.0F) + (none ? p[at_.Wf + n_ + j] : 0.0F);
        for (int i = 0; i < H_; ++i)
            for (int j = 0; j < H_ && h[i] != 0; ++j)
                u[j] += h[i] * p[at_.Wh + static_cast<std::size_t>(i) * n_ + j];
        for (int b = 0; b < B_; ++b) {
            float z = p[at_.Vb + b];
            for (int i = 0; i < H_; ++i)
                z += std::max(0.0F, u[i]) * p[at_.Vx + static_cast<std::size_t>(i) * padded(B_) + b];
            sum[b] += sigma_of(z);
        }
    }
    for (int b = 0; b < B_; ++b) bits[b] = sum[b] > 0.5F * static_cast<float>(members_.size()) ? 1 : 0;
}

// The new bits of v; whether they are others.
bool StepperRun::update(int v) {
    const bool none = chosen_ < 0;
    const std::size_t entry = 2 * static_cast<std::size_t>(v) + (none ? 1 : 0);
    char* bits = cache_.data() + entry * B_;
    if (v == chosen_) {
        bits = chosen_bits_.data();
        bits_of(v, true, none, bits);
    } else if (cached_[entry] == 0) {
        bits_of(v, false, none, bits);
        cached_[entry] = 1;
    }
    char* x = x_.data() + static_cast<std::size_t>(v) * B_;
    if (std::equal(bits, bits + B_, x)) return false;
    std::copy_n(bits, B_, x);
    return true;
}

void StepperRun::move_pointers() {
    dirty_.clear();
    for (const NodeSet* set : {&changed_seen_, &changed_pointer_, &changed_way_})
        for (int v : set->list()) dirty_.add_with_neighbours(v, links_);
    next_.clear();
    for (int v : dirty_.list()) next_.push_back(shape_.points ? point(v) : pointer_[v]);
    changed_pointer_.clear();
    for (std::size_t i = 0; i < next_.size(); ++i) {
        const int v = dirty_.list()[i];
        if (pointer_[v] != next_[i]) changed_pointer_.add(v);
        pointer_[v] = next_[i];
    }
    // The lengths of ways are those of the step before, and one edge more.
    next_way_.clear();
    for (int v : dirty_.list()) {
        const int l = pointer_[v];
        next_way_.push_back(l == links_.start[v] ? 0 : way_[links_.from[l]] + links_.length[l]);
        length_[v] = links_.length[l];
    }
    changed_way_.clear();
    for (std::size_t i = 0; i < next_way_.size(); ++i) {
        const int v = dirty_.list()[i];
        if (way_[v] != next_way_[i]) changed_way_.add(v);
        way_[v] = next_way_[i];
    }
}

bool StepperRun::step() {
    if (!began_)
        for (int v = 0; v < links_.nodes; ++v) changed_seen_.add(v);
    for (int v : changed_seen_.list()) see(v);
    move_pointers();
    deaf_.clear();
    for (const NodeSet* set : {&changed_seen_, &changed_pointer_})
        for (int v : set->list()) deaf_.add_with_neighbours(v, links_);
    for (int v : deaf_.list()) hear(v);
    const int chosen = shape_.chooses ? choose() : -1;
    bool changed = !began_ || chosen != chosen_ || !changed_pointer_.empty() || !changed_way_.empty();
    chosen_ = chosen;
    began_ = true;
    changed_seen_.clear();
    for (int v = 0; v < links_.nodes; ++v)
        if (update(v)) changed_seen_.add(v);
    changed = changed || !changed_seen_.empty();
    // Whether a node points to itself is seen by the others in the step after.
    for (int v : changed_pointer_.list()) changed_seen_.add(v);
    return changed;
}

int StepperRun::current() const {
    for (int v = 0; v < links_.nodes; ++v)
        if (x_[static_cast<std::size_t>(v) * B_] != 0) return v;
    return -1;
}

StepperResult StepperRun::result() const {
    StepperResult result;
    for (int link : pointer_) result.pointers.push_back(links_.from[link]);
    result.bits.assign(x_.begin(), x_.end());
    result.chosen = chosen_;
    if (chosen_ >= 0) result.way = way_[chosen_];
    return result;
}

} // namespace

StepperResult run_stepper(const Stepper<float>& network, const Links& links,
                          const std::vector<std::vector<float>>& members, long most) {
    StepperRun run(network, links, members);
    std::vector<int> walk;
    long steps = 0;
    bool settled = false;
    while (!settled && steps < most) {
        settled = !run.step();
        ++steps;
        const int at = network.shape().reads == StepperShape::Reads::walk ? run.current() : -1;
        if (at >= 0 && !settled) walk.push_back(at);
    }
    StepperResult result = run.result();
    result.walk = std::move(walk);
    result.steps = steps;
    result.settled = settled;
    return result;
}

} // namespace ggsnn
