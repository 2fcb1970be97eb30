#include "io/junit.h"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>
#include <pugixml.hpp>

namespace talus {

namespace {

/// The character that begins at `at`, and how many bytes it takes; 0 bytes: not UTF-8.
std::pair<std::uint32_t, std::size_t> decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return {0, 0};
  std::uint32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {0, 0};
    code = code << 6 | (byte(at + i) & 0x3Fu);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[length] || code > 0x10FFFF || surrogate) return {0, 0};
  return {code, length};
}

/// XML 1.0, section 2.2.
bool has_place_in_xml(std::uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code != 0xFFFE && code != 0xFFFF && (code < 0x7F || code > 0x9F || code == 0x85);
}

std::string clean(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, length] = decode(text, at);
    if (length == 0) {
      result += "\xEF\xBF\xBD";
    } else if (has_place_in_xml(code)) {
      result.append(text, at, length);
    }
    at += length == 0 ? 1 : length;
  }
  return result;
}

void set(pugi::xml_node node, const char* attribute, std::string_view value) {
  node.append_attribute(attribute).set_value(clean(value).c_str());
}

void set_sums(pugi::xml_node node, const JunitSuite& sums) {
  set(node, "tests", std::to_string(sums.tests));
  set(node, "failures", std::to_string(sums.failures));
  set(node, "errors", std::to_string(sums.errors));
  set(node, "time", fmt::format("{:.3f}", sums.time_s));
}

struct TextWriter : pugi::xml_writer {
  std::string text;
  void write(const void* data, std::size_t size) override {
    text.append(static_cast<const char*>(data), size);
  }
};

/// Stands in the document where a suite's cases go; no attribute can hold it, for there < is
/// escaped.
constexpr std::string_view kCasesGoHere = "<!--cases-->";

/// The document, without its cases.
std::string frame(const std::string& name, std::span<const JunitSuite> suites) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", name);
  JunitSuite all;
  for (const JunitSuite& suite : suites) {
    all.tests += suite.tests;
    all.failures += suite.failures;
    all.errors += suite.errors;
    all.time_s += suite.time_s;
  }
  set_sums(root, all);
  for (const JunitSuite& suite : suites) {
    pugi::xml_node node = root.append_child("testsuite");
    set(node, "name", suite.name);
    set_sums(node, suite);
    set(node, "skipped", "0");
    if (!suite.hostname.empty()) set(node, "hostname", suite.hostname);
    node.append_child(pugi::node_comment).set_value("cases");
  }
  TextWriter writer;
  document.save(writer, " ", pugi::format_indent, pugi::encoding_utf8);
  return std::move(writer.text);
}

}  // namespace

void count(JunitSuite& suite, const JunitCase& junit_case) {
  ++suite.tests;
  suite.failures += junit_case.outcome == JunitCase::Outcome::Failure ? 1 : 0;
  suite.errors += junit_case.outcome == JunitCase::Outcome::Error ? 1 : 0;
  suite.time_s += junit_case.time_s;
}

std::string junit_case_text(const JunitCase& c) {
  pugi::xml_document document;
  pugi::xml_node node = document.append_child("testcase");
  set(node, "classname", c.classname);
  set(node, "name", c.name);
  set(node, "time", fmt::format("{:.3f}", c.time_s));
  if (c.outcome != JunitCase::Outcome::Passed) {
    const bool failure = c.outcome == JunitCase::Outcome::Failure;
    pugi::xml_node child = node.append_child(failure ? "failure" : "error");
    set(child, "type", c.kind);
    set(child, "message", c.message);
    child.text().set(clean(c.text).c_str());
  }
  TextWriter writer;
  node.print(writer, " ", pugi::format_indent, pugi::encoding_utf8, 2);
  return std::move(writer.text);
}

void write_junit(const std::string& name, std::span<const JunitSuite> suites,
                 const std::function<void(std::size_t)>& write_cases,
                 const std::function<void(std::string_view)>& out) {
  const std::string text = frame(name, suites);
  std::string_view rest = text;
  for (std::size_t i = 0; i < suites.size(); ++i) {
    const std::size_t at = rest.find(kCasesGoHere);
    out(rest.substr(0, rest.rfind('\n', at) + 1));
    write_cases(i);
    rest.remove_prefix(at + kCasesGoHere.size() + 1);
  }
  out(rest);
}

}  // namespace talus
