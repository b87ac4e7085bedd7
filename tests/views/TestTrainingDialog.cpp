#include <QTest>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>

#include "views/training/TrainingDialog.h"

using namespace doppler::views;

namespace {

QLabel* labelWith(const QWidget& widget, const QString& text) {
    for (QLabel* label : widget.findChildren<QLabel*>()) {
        if (label->text() == text) {
            return label;
        }
    }
    return nullptr;
}

QLineEdit* fieldWith(const QWidget& widget, const QString& text) {
    for (QLineEdit* field : widget.findChildren<QLineEdit*>()) {
        if (field->text() == text) {
            return field;
        }
    }
    return nullptr;
}

} // namespace

class TestTrainingDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsCutThrough() {
        const QTemporaryDir dir;
        TrainingSettings settings;
        settings.folder = dir.filePath(QStringLiteral("run"));
        const QString problem = QStringLiteral("transformer-layer:devices=8,training=true on ") +
                                QStringLiteral("v100x8, 11,000 ops, 23,000 edges, 8 devices");
        TrainingDialog dialog(settings, problem);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        for (QLabel* label : dialog.findChildren<QLabel*>()) {
            if (label->isVisible() && label->wordWrap()) {
                QVERIFY2(label->height() >= label->heightForWidth(label->width()),
                         qPrintable(label->text()));
            }
        }
        QVERIFY(labelWith(dialog, problem)->heightForWidth(labelWith(dialog, problem)->width()) >
                labelWith(dialog, problem)->fontMetrics().height());
        const QString folder = qEnvironmentVariable("DOPPLER_TEST_PICTURES");
        if (!folder.isEmpty()) {
            fieldWith(dialog, QString())->setText(QStringLiteral("simulation:often"));
            QTest::qWait(50);
            dialog.grab().save(folder + QStringLiteral("/training-dialog.png"));
        }
    }

    void wrongStagesAreSaidInWords() {
        const QTemporaryDir dir;
        TrainingSettings settings;
        settings.stages = QStringLiteral("simulation:10");
        settings.folder = dir.filePath(QStringLiteral("run"));
        TrainingDialog dialog(settings, QStringLiteral("ffnn on uniform:2"));
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        auto* fault = dialog.findChild<QLabel*>(QStringLiteral("fault"));
        QVERIFY(fault->isHidden());
        QLineEdit* stages = fieldWith(dialog, settings.stages);
        stages->setText(QStringLiteral("simulation:often"));
        QVERIFY(fault->isVisible());
        QVERIFY2(fault->text().contains(QStringLiteral("simulation:often")),
                 qPrintable(fault->text()));
        QTRY_VERIFY(fault->height() >= fault->heightForWidth(fault->width()));
        stages->setText(settings.stages);
        QVERIFY(fault->isHidden());
    }

    void trainingMayStartFromTheGeneralPolicies() {
        const QTemporaryDir dir;
        TrainingSettings settings;
        settings.folder = dir.filePath(QStringLiteral("run"));
        settings.init = kGeneralPolicies;
        TrainingDialog dialog(settings, QStringLiteral("ffnn on uniform:2"));
        QCOMPARE(dialog.settings().init, kGeneralPolicies);
        QVERIFY(dialog.settings().checkpoint().isEmpty());
        QVERIFY(dialog.settings().options().teacher == doppler::learn::Teacher::General);
        QComboBox* from = nullptr;
        for (QComboBox* each : dialog.findChildren<QComboBox*>()) {
            from = each->findData(kGeneralPolicies) >= 0 ? each : from;
        }
        from->setCurrentIndex(0);
        QVERIFY(dialog.settings().init.isEmpty());
        QVERIFY(dialog.settings().options().teacher == doppler::learn::Teacher::Annealing);

        // A checkpoint must be named.
        from->setCurrentIndex(2);
        auto* fault = dialog.findChild<QLabel*>(QStringLiteral("fault"));
        QVERIFY(!fault->isHidden());
        for (QLineEdit* field : dialog.findChildren<QLineEdit*>()) {
            if (field->placeholderText().startsWith(QLatin1String("checkpoint.pt"))) {
                field->setText(QStringLiteral("old/checkpoint.pt"));
            }
        }
        QVERIFY(fault->isHidden());
        QCOMPARE(dialog.settings().checkpoint(), QStringLiteral("old/checkpoint.pt"));
    }
};

QTEST_MAIN(TestTrainingDialog)
#include "TestTrainingDialog.moc"
