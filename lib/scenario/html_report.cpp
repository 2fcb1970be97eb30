#include <algorithm>

#include <fmt/format.h>

#include "scenario/batch_reports.h"
#include "scenario/report_text.h"

namespace talus {

namespace {

constexpr const char* kHead = R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>talus report</title>
<style>
:root{color-scheme:light dark;--line:#8884;--bad:#c62828;--good:#2e7d32;--odd:#b26a00}
body{font:15px/1.45 system-ui,sans-serif;margin:1.5rem auto;max-width:75rem;padding:0 1rem}
h1{font-size:1.3rem;margin:0 0 .3rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line)}
th.n,td.n{text-align:right;font-variant-numeric:tabular-nums}
.cases>thead th{position:sticky;top:0;background:Canvas;cursor:pointer;user-select:none}
.passed{color:var(--good)}.failed{color:var(--bad)}.error{color:var(--odd)}
.verdict{font-weight:600}
summary{cursor:pointer;overflow-wrap:anywhere}
details>table{margin:.5rem 0;font-size:.9em}
pre{white-space:pre-wrap;margin:.4rem 0}
form{display:none;gap:.6rem;margin:.8rem 0;flex-wrap:wrap}.live form{display:flex}
input[type=search]{flex:1;min-width:12rem;font:inherit;padding:.25rem .5rem}
figure{display:inline-block;margin:.3rem 1rem .3rem 0}figcaption{font-size:.85em}
svg{background:#8881;max-width:100%}polyline{fill:none;stroke:#1976d2;stroke-width:1.5}
svg text{font:10px system-ui,sans-serif;fill:currentColor}
.why{opacity:.75}
</style></head><body>
)html";

constexpr const char* kForm = R"html(
<form><input type="search" placeholder="Part of a name" aria-label="Part of a name">
<label><input type="checkbox" value="passed" checked> passed</label>
<label><input type="checkbox" value="failed" checked> failed</label>
<label><input type="checkbox" value="error" checked> error</label></form>
<table class="cases"><thead><tr><th>Verdict</th><th>Case</th><th class="n">Pieces</th>
<th class="n">At rest, s</th><th class="n">Took, s</th></tr></thead><tbody>
)html";

constexpr const char* kTail = R"html(</tbody></table>
<script>
(() => {
  const body = document.querySelector('.cases tbody');
  const rows = [...body.rows], search = document.querySelector('input[type=search]');
  const boxes = [...document.querySelectorAll('form input[type=checkbox]')];
  document.body.classList.add('live');
  const filter = () => {
    const text = search.value.toLowerCase();
    const kept = new Set(boxes.filter(b => b.checked).map(b => b.value));
    for (const row of rows)
      row.hidden = !kept.has(row.dataset.verdict) || !row.dataset.name.includes(text);
  };
  document.querySelector('form').addEventListener('input', filter);
  document.querySelector('form').addEventListener('submit', e => e.preventDefault());
  const value = (row, column) => {
    const cell = row.cells[column], number = cell.dataset.n;
    return number === undefined ? (column === 1 ? row.dataset.name : cell.textContent)
                                : Number(number);
  };
  document.querySelectorAll('.cases > thead th').forEach((head, column) => {
    let sign = -1;
    head.addEventListener('click', () => {
      sign = -sign;
      rows.sort((a, b) => {
        const x = value(a, column), y = value(b, column);
        return sign * (x < y ? -1 : x > y ? 1 : 0);
      });
      body.append(...rows);
    });
  });
})();
</script></body></html>
)html";

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') result += c;
    }
  }
  return result;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// As part of an address: all but plain characters by their bytes.
std::string address(const std::string& path) {
  constexpr std::string_view kPlain = "/._-~=,";
  std::string result;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       kPlain.find(c) != std::string_view::npos;
    result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

/// A curve over time, with the ends of both axes written at them.
std::string plot(const char* title, const std::vector<double>& t, const std::vector<double>& y) {
  constexpr double kWidth = 380, kHeight = 130, kLeft = 62, kBottom = 16, kTop = 8, kRight = 8;
  if (t.size() < 2) return "";
  const auto [lo, hi] = std::minmax_element(y.begin(), y.end());
  const double span_y = *hi > *lo ? *hi - *lo : 1;
  const double span_t = t.back() > t.front() ? t.back() - t.front() : 1;
  std::string points;
  for (std::size_t i = 0; i < t.size(); ++i) {
    points += fmt::format("{:.1f},{:.1f} ",
                          kLeft + (t[i] - t.front()) / span_t * (kWidth - kLeft - kRight),
                          kTop + (*hi - y[i]) / span_y * (kHeight - kTop - kBottom));
  }
  points.pop_back();
  const auto label = [](double x, double at_y, const char* anchor, double value) {
    return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{:.4g}</text>", x, at_y, anchor,
                       value);
  };
  return fmt::format(
             "<figure><svg width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" role=\"img\" "
             "aria-label=\"{} over time\"><polyline points=\"{}\"/>",
             kWidth, kHeight, kWidth, kHeight, title, points) +
         label(kLeft - 6, kTop + 8, "end", *hi) + label(kLeft - 6, kHeight - kBottom, "end", *lo) +
         label(kLeft, kHeight - 3, "start", t.front()) +
         label(kWidth - kRight, kHeight - 3, "end", t.back()) +
         fmt::format("</svg><figcaption>{}, over time in s</figcaption></figure>\n", title);
}

std::string expectations_table(const std::vector<ExpectationResult>& expectations) {
  if (expectations.empty()) return "<p>Nothing was expected of it.</p>\n";
  std::string text =
      "<table><thead><tr><th></th><th>That</th><th>Expected</th><th>Found</th>"
      "<th class=\"n\">At, s</th><th>Where it stands</th></tr></thead><tbody>\n";
  for (const ExpectationResult& e : expectations) {
    const char* verdict = e.passed ? "passed" : "failed";
    text += fmt::format(
        "<tr><td class=\"{} verdict\">{}</td><td>{}{}</td><td>{}</td><td>{}</td>"
        "<td class=\"n\">{:.3f}</td><td>{}:{}:{}{}</td></tr>\n",
        verdict, verdict, escaped(e.kind), e.body.empty() ? "" : " of " + escaped(e.body),
        escaped(e.expected), escaped(e.found), e.time_s, escaped(e.place.file), e.place.line,
        e.place.column, e.why.empty() ? "" : "<div class=\"why\">" + escaped(e.why) + "</div>");
  }
  return text + "</tbody></table>\n";
}

std::string saved_links(const BatchResult& result, const std::string& folder) {
  std::string text;
  for (const std::string& name : result.saved) {
    const bool rooted = name.starts_with('/') || folder.empty() || folder == ".";
    std::string path = name;
    if (!rooted) path.insert(0, folder + "/");
    text += fmt::format("<li><a href=\"{}\">{}</a></li>\n", address(path), escaped(name));
  }
  return text.empty() ? "" : "<ul>\n" + text + "</ul>\n";
}

std::string details(const BatchResult& result, const std::string& folder) {
  const CaseResult& c = result.result;
  if (c.verdict == Verdict::Error) return "<pre>" + escaped(c.error) + "</pre>\n";
  return expectations_table(c.report.expectations) +
         plot("Height of the highest body, m", result.curves.t_s, result.curves.height_m) +
         plot("Energy, J", result.curves.t_s, result.curves.energy_j) + saved_links(result, folder);
}

}  // namespace

std::string html_row(const BatchResult& result, const std::string& saved_folder) {
  const CaseResult& c = result.result;
  const char* verdict = verdict_name(c.verdict);
  const bool ran = c.verdict != Verdict::Error;
  const std::string rest = ran && c.report.rest_s ? fmt::format("{:.3f}", *c.report.rest_s) : "";
  return fmt::format(
      "<tr data-verdict=\"{}\" data-name=\"{}\"><td class=\"{} verdict\">{}</td>\n"
      "<td><details{}><summary>{}</summary>\n{}</details></td>"
      "<td class=\"n\" data-n=\"{}\">{}</td><td class=\"n\" data-n=\"{}\">{}</td>"
      "<td class=\"n\" data-n=\"{:.3f}\">{:.3f}</td></tr>\n",
      verdict, escaped(lower(c.name)), verdict, verdict,
      c.verdict == Verdict::Passed ? "" : " open", escaped(c.name), details(result, saved_folder),
      ran ? std::to_string(c.pieces) : "-1", ran ? std::to_string(c.pieces) : "",
      rest.empty() ? "-1" : rest, rest, c.took_s.value_or(0), c.took_s.value_or(0));
}

std::string html_head(const Tally& tally) {
  return kHead +
         fmt::format("<h1>{} cases: {}</h1>\n<p>talus " TALUS_VERSION "</p>", tally.cases(),
                     tally_text(tally)) +
         kForm;
}

std::string html_tail() {
  return kTail;
}

}  // namespace talus
