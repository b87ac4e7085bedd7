#include "core/io/TextTable.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/io/Csv.h"

namespace doppler::io {

namespace {

/// Characters that a terminal shows: UTF-8 continuation bytes do not count.
std::size_t shownWidth(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

std::string padded(const std::string& text, std::size_t width, bool toTheRight) {
    const std::string space(width - std::min(width, shownWidth(text)), ' ');
    return toTheRight ? space + text : text + space;
}

} // namespace

std::string TextTable::terminal() const {
    std::vector<std::size_t> widths;
    for (const Column& column : columns_) {
        widths.push_back(shownWidth(column.title));
    }
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], shownWidth(row[i]));
        }
    }
    std::string text;
    const auto addLine = [&](const auto& cellAt) {
        std::string line;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            line += (i == 0 ? "" : "  ") + padded(cellAt(i), widths[i], columns_[i].number);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    };
    addLine([&](std::size_t i) { return columns_[i].title; });
    for (const auto& row : rows_) {
        addLine([&](std::size_t i) { return row[i]; });
    }
    return text;
}

std::string markdownCell(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '|') {
            result += "\\|";
        } else {
            result += c == '\n' || c == '\r' ? ' ' : c;
        }
    }
    return result;
}

std::string TextTable::markdown() const {
    std::string titles = "|";
    std::string rule = "|";
    for (const Column& column : columns_) {
        titles += " " + markdownCell(column.title) + " |";
        rule += column.number ? " ---: |" : " --- |";
    }
    std::string text = titles + '\n' + rule + '\n';
    for (const auto& row : rows_) {
        text += "|";
        for (const std::string& cell : row) {
            text += " " + markdownCell(cell) + " |";
        }
        text += '\n';
    }
    return text;
}

std::string TextTable::csv() const {
    std::string text;
    const auto addLine = [&](const auto& cellAt) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            text += (i == 0 ? "" : ",") + csvCell(cellAt(i));
        }
        text += '\n';
    };
    addLine([&](std::size_t i) { return columns_[i].title; });
    for (const auto& row : rows_) {
        addLine([&](std::size_t i) { return row[i]; });
    }
    return text;
}

std::string TextTable::latex() const {
    std::string text = "% needs \\usepackage{booktabs}\n\\begin{tabular}{";
    for (const Column& column : columns_) {
        text += column.number ? 'r' : 'l';
    }
    text += "}\n\\toprule\n";
    const auto addLine = [&](const auto& cellAt) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            text += (i == 0 ? "" : " & ") + latexText(cellAt(i));
        }
        text += " \\\\\n";
    };
    addLine([&](std::size_t i) { return columns_[i].title; });
    text += "\\midrule\n";
    for (const auto& row : rows_) {
        addLine([&](std::size_t i) { return row[i]; });
    }
    return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string latexText(const std::string& text) {
    // What is not ASCII but stands in our own tables; other UTF-8 is left to the document.
    static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
        {"\\", "\\textbackslash{}"},
        {"&", "\\&"},
        {"%", "\\%"},
        {"$", "\\$"},
        {"#", "\\#"},
        {"_", "\\_"},
        {"{", "\\{"},
        {"}", "\\}"},
        {"~", "\\textasciitilde{}"},
        {"^", "\\textasciicircum{}"},
        {"<", "$<$"},
        {">", "$>$"},
        {"|", "$|$"},
        {"[", "{[}"}, // after a line's end it would begin an option
        {"\n", " "},
        {"\u00B5", "$\\mu$"},
        {"\u00B1", "$\\pm$"},
        {"\u2212", "$-$"},
    };
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const auto* const sign =
            std::find_if(std::begin(kSigns), std::end(kSigns), [&](const auto& each) {
                return text.compare(at, each.first.size(), each.first) == 0;
            });
        if (sign == std::end(kSigns)) {
            result += text[at++];
        } else {
            result += sign->second;
            at += sign->first.size();
        }
    }
    return result;
}

} // namespace doppler::io
