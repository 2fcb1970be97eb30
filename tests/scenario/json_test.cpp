#include "scenario/json.h"

#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

namespace talus {
namespace {

std::string complaint(const std::string& text) {
  try {
    parse_json(text, "f.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Json, EveryValueKnowsItsPlace) {
  const JsonValue v = parse_json(
      "\xEF\xBB\xBF{ // note\r\n  \"a\": [1, -2.5e1,],\r\n /* b */ \"c\": "
      "\"\\u00e9\\ud83d\\ude00\\n\", }",
      "f.json");
  ASSERT_EQ(v.members.size(), 2u);
  EXPECT_EQ(v.column, 1);
  const JsonValue& list = v.members[0].value;
  EXPECT_EQ(list.line, 2);
  EXPECT_EQ(list.column, 8);
  ASSERT_EQ(list.items.size(), 2u);
  EXPECT_EQ(list.items[1].number, -25);
  EXPECT_EQ(list.items[1].column, 12);
  EXPECT_EQ(v.find("c")->text, "\xC3\xA9\xF0\x9F\x98\x80\n");
  EXPECT_EQ(v.find("d"), nullptr);
}

TEST(Json, LargeIntegersKeepTheirDigits) {
  EXPECT_EQ(parse_json("9007199254740993", "f").text, "9007199254740993");
}

TEST(Json, BrokenTextIsAnErrorWithItsPlace) {
  EXPECT_EQ(complaint("{\"a\": 1,\n \"a\": 2}"),
            "f.json:2:2: /a: this key stands here twice: remove one");
  EXPECT_EQ(complaint("{\"a\": [1e999]}"),
            "f.json:1:8: /a/0: not a number that can be held: '1e999'");
  for (const char* text :
       {"",        "[",           "[1",   "[1 2]", "{\"a\" 1}", "{a: 1}",       "\"a",
        "\"\\x\"", "\"\\ud800\"", "01",   "1.",    "-",         "1e",           "nul",
        "NaN",     "Infinity",    "[1]]", "/*",    "\"\x01\"",  "\"\xC0\x80\"", "[,]"}) {
    EXPECT_NE(complaint(text), "") << text;
  }
}

TEST(Json, DeepNestingIsRefused) {
  EXPECT_EQ(complaint(std::string(100, '[') + std::string(100, ']')), "");
  EXPECT_NE(complaint(std::string(101, '[') + std::string(101, ']')), "");
  EXPECT_NE(complaint(std::string(100'000, '[')), "");
}

}  // namespace
}  // namespace talus
