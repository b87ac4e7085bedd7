#include "views/format/ShownText.h"

#include <algorithm>

namespace doppler::views {

namespace {

constexpr char16_t kFirstNonCharacter = 0xFFFE; // and the one after it

bool isUnfit(QChar character) {
    switch (character.category()) {
    case QChar::Other_Control:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        return character.unicode() >= kFirstNonCharacter;
    }
}

} // namespace

QString shownText(QString text) {
    if (std::none_of(text.cbegin(), text.cend(), isUnfit)) {
        return text;
    }
    for (QChar& character : text) {
        if (isUnfit(character)) {
            character = character.isSpace() ? QChar(u' ') : QChar(QChar::ReplacementCharacter);
        }
    }
    return text;
}

QString shownText(std::string_view utf8) {
    return shownText(QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())));
}

} // namespace doppler::views
