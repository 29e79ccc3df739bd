#include "ggsnn/base/html.hpp"

#include <gtest/gtest.h>

namespace ggsnn {
namespace {

TEST(Html, EscapesWhatTagsAndAttributesWouldRead) {
    EXPECT_EQ(escape_html("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; 'd'");
    EXPECT_EQ(escape_html("&lt;"), "&amp;lt;") << "once for each time it is asked for";
    EXPECT_EQ(escape_html("∗ é"), "∗ é");
}

} // namespace
} // namespace ggsnn
