// Networks that read stories: gated graph networks whose nodes send in the order of time.
//
// Each type of word w has a state h_w, and each story has one, g; all begin at zero. To read a sentence with
// the words w at the positions P_w is one propagation from its words to the sentence and back; p_i and q_i
// are learned for each position i, e_w for each type of word. What only words of the sentence hear is left
// alone, so that what was learned long ago is one step away.
//
//   y_w = h_w W_y + e_w V_y + b_y                                               word to sentence
//   s'  = tanh(sum over w of y_w . (1 + sum over i in P_w of p_i) + g W_g + b_g + start)
//   s   = tanh(s' W_s + b_s)                                                    the sentence
//   r_w = s . (1 + sum over i in P_w of q_i)                                    sentence to word
//   z_w = sigma(r_w R_z + h_w W_z + e_w V_z + b_z - 1)
//   c_w = tanh (r_w R_c + h_w W_c + e_w V_c + b_c)
//   h_w := (1 - z_w) . h_w + z_w . c_w                                          gated as in Eqs. 3 to 6
//   g   := (1 - z) . g + z . c,   z = sigma(s S_z + g G_z + d_z - 1),  c = tanh(s S_c + g G_c + d_c)
//
// Questions have weights of their own, and so have stories; `start` tells a question's passes apart. A place
// of the answer has a score for each class, from the state of the story and, where a word of the story has
// the name of the class, from that word's:
//
//   o_w = tanh(h_w W_o + e_w V_o + g G_o + b_o),   score = g W_class + b_class + o_w W_place
#pragma once

#include "ggsnn/nn/kernels/buffer.hpp"
#include "ggsnn/nn/parameters.hpp"
#include "ggsnn/nn/reader/story_batch.hpp"

#include <array>

namespace ggsnn {

// What a batch needs on its way through the network. Reused from batch to batch. n is padded(D).
template <class T>
struct ReaderTape {
    Buffer<T> h;                // versions x n
    Buffer<T> g;                // versions x n
    Buffer<T> gates;            // rows x [y | z | c]
    Buffer<T> p, q, r;          // rows x n; p and q with the 1 added
    Buffer<T> s1, s;            // sentences x n
    Buffer<T> story_gates;      // sentences x [z | c]
    Buffer<T> o, word_scores;   // last words x n; x padded(places)
    Buffer<T> scores, d_scores; // stories x places x padded(outputs)
    Buffer<T> dh, dg, dr, ds, ds1, d_gates, d_story_gates, d_o, d_word_scores; // likewise
    Buffer<T> per_story;                                                       // stories x n: scratch
};

template <class T>
class Reader {
  public:
    explicit Reader(const ReaderShape& shape);

    const ReaderShape& shape() const { return shape_; }
    const ParameterLayout& layout() const { return layout_; }

    // For each type of word e V + b, of both blocks and of the output: projected_size() numbers.
    std::size_t projected_size() const;
    void project(const T* parameters, T* projected) const;
    // Transposed weights for backward, transposed_size() numbers, zero before the first call.
    std::size_t transposed_size() const;
    void transpose_weights(const T* parameters, T* out) const;

    // Sets the tape's scores.
    void forward(const StoryBatch& batch, const T* parameters, const T* projected, ReaderTape<T>& tape) const;
    // From the tape after forward with d_scores set: adds to gradient, but for e and V, for which it adds to
    // d_projected.
    void backward(const StoryBatch& batch, const T* parameters, const T* transposed, ReaderTape<T>& tape,
                  T* gradient, T* d_projected) const;
    // Adds to the gradients of e, V and their biases.
    void unproject(const T* parameters, const T* transposed, const T* d_projected, T* gradient) const;

    static constexpr int blocks = 2; // question, story

  private:
    // Offsets of the weights of a block.
    struct Block {
        std::size_t W, V, b; // D x [y z c], likewise, 1 x [y z c]
        std::size_t p, q;    // positions x D
        std::size_t W_g, b_g, W_s, b_s;
        std::size_t R;       // D x [z c]
        std::size_t S, G, d; // D x [z c], likewise, 1 x [z c]
    };
    // Offsets of what is transposed; matrices of several parts are one below the other.
    struct Turned {
        std::size_t W, V, W_g, W_s, R, S, G;
    };

    void name_block(Block& block, const std::string& name);
    void read_step(const StoryBatch& batch, const StoryBatch::Step& step, const T* p, const T* projected,
                   ReaderTape<T>& tape) const;
    void update_words(const StoryBatch& batch, const StoryBatch::Step& step, const T* p,
                      ReaderTape<T>& tape) const;
    void update_stories(const StoryBatch& batch, const StoryBatch::Step& step, const T* p,
                        ReaderTape<T>& tape) const;
    void output(const StoryBatch& batch, const T* p, const T* projected, ReaderTape<T>& tape) const;
    void output_backward(const StoryBatch& batch, const T* p, const T* turned, ReaderTape<T>& tape,
                         T* gradient, T* d_projected) const;
    void stories_backward(const StoryBatch& batch, const StoryBatch::Step& step, const T* turned,
                          ReaderTape<T>& tape, T* gradient) const;
    void words_backward(const StoryBatch& batch, const StoryBatch::Step& step, const T* turned,
                        ReaderTape<T>& tape, T* gradient) const;
    void read_backward(const StoryBatch& batch, const StoryBatch::Step& step, const T* turned,
                       ReaderTape<T>& tape, T* gradient, T* d_projected) const;

    const T* projected_of(const T* projected, int block) const {
        return projected + static_cast<std::size_t>(block) * shape_.words * 3 * n_;
    }

    ReaderShape shape_;
    ParameterLayout layout_;
    int n_ = 0; // padded(D)
    std::size_t e_ = 0, start_ = 0;
    std::array<Block, blocks> block_;
    std::array<Turned, blocks> turned_;
    std::size_t W_o_ = 0, V_o_ = 0, G_o_ = 0, b_o_ = 0, W_place_ = 0, W_class_ = 0, b_class_ = 0;
    std::size_t turned_W_o_ = 0, turned_V_o_ = 0, turned_G_o_ = 0, turned_place_ = 0, turned_class_ = 0,
                turned_size_ = 0;
};

} // namespace ggsnn
