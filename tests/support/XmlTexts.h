#pragma once

#include <QFile>
#include <QString>
#include <QXmlStreamReader>

namespace doppler::tests {

/// All text of an XML file, and what is wrong with the file: nothing if it is well-formed.
struct XmlTexts {
    QString texts;
    QString error;
};

inline XmlTexts textsOfXml(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return {.texts = {}, .error = file.errorString()};
    }
    QXmlStreamReader xml(&file);
    XmlTexts read;
    while (!xml.atEnd()) {
        xml.readNext();
        read.texts += xml.text();
    }
    read.error = xml.errorString();
    return read;
}

} // namespace doppler::tests
