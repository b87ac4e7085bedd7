#pragma once

#include <string>
#include <vector>

namespace doppler::io {

/// Column titles and rows of text; numbers stand to the right.
class TextTable {
public:
    struct Column {
        std::string title;
        bool number = true;
    };

    explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    std::size_t rowCount() const { return rows_.size(); }

    /// Padded with spaces, for a font of equal widths.
    std::string terminal() const;
    std::string markdown() const;
    /// With the rules of RFC 4180 (see csvCell).
    std::string csv() const;
    /// A tabular environment with the rules of the booktabs package; no float around it.
    std::string latex() const;

private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// `text` as it stands in a cell of a Markdown table: bars are escaped, line breaks are spaces.
std::string markdownCell(const std::string& text);

/// `text` with everything that LaTeX would take as a command made visible.
std::string latexText(const std::string& text);

} // namespace doppler::io
