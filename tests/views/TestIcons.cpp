#include <QImage>
#include <QTest>

#include "views/icons/Icons.h"

using namespace doppler::views;

namespace {

/// Pixels that are at least half covered, by colour.
int inkOf(const QImage& image, const QColor& colour) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            const bool alike = std::abs(pixel.red() - colour.red()) < 8 &&
                               std::abs(pixel.green() - colour.green()) < 8 &&
                               std::abs(pixel.blue() - colour.blue()) < 8;
            count += pixel.alpha() > 127 && alike ? 1 : 0;
        }
    }
    return count;
}

} // namespace

class TestIcons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyIconDrawsInThemeColours() {
        for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
            for (int i = 0; i < kIconCount; ++i) {
                const QIcon shown = icon(static_cast<IconName>(i), theme);
                QVERIFY2(!shown.isNull(), qPrintable(QString::number(i)));
                const QImage normal = shown.pixmap(QSize(32, 32), 1.0).toImage();
                QVERIFY2(inkOf(normal, theme.text) > 8, qPrintable(QString::number(i)));
                const QImage off = shown.pixmap(QSize(32, 32), 1.0, QIcon::Disabled).toImage();
                QVERIFY2(inkOf(off, theme.disabled) > 8, qPrintable(QString::number(i)));
                const QImage on =
                    shown.pixmap(QSize(32, 32), 1.0, QIcon::Normal, QIcon::On).toImage();
                QVERIFY2(inkOf(on, theme.link) > 8, qPrintable(QString::number(i)));
            }
        }
    }

    void ownColourWins() {
        const QIcon shown = icon(IconName::Layers, Theme::light(), Qt::white);
        QVERIFY(inkOf(shown.pixmap(QSize(32, 32), 1.0).toImage(), Qt::white) > 8);
    }

    void sharpOnHighResolution() {
        const QPixmap twice = icon(IconName::Save, Theme::light()).pixmap(QSize(16, 16), 2.0);
        QCOMPARE(twice.size(), QSize(32, 32));
        QCOMPARE(twice.devicePixelRatio(), 2.0);
    }

    void programHasAnIcon() { QVERIFY(!applicationIcon().pixmap(64, 64).isNull()); }
};

QTEST_MAIN(TestIcons)
#include "TestIcons.moc"
