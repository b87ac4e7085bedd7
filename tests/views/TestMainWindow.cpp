#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QToolButton>

#include "tests/support/WindowFixture.h"
#include "views/docks/PlacementsView.h"
#include "views/shell/FieldButton.h"
#include "views/shell/JobsIndicator.h"
#include "views/shell/KeysDialog.h"
#include "views/shell/MessageArea.h"
#include "views/shell/SampleCard.h"
#include "views/shell/StartPage.h"
#include "views/shell/StatusFields.h"

using namespace doppler;
using namespace doppler::views;
using doppler::tests::WindowFixture;

namespace {

/// The searches that run. What the docks compute by themselves may run beside them.
std::vector<Job*> searches(WindowFixture& f) {
    std::vector<Job*> jobs = f.workspace().jobs().jobs();
    std::erase_if(
        jobs, [](const Job* job) { return !job->title().startsWith(QStringLiteral("anneal")); });
    return jobs;
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void startsWithAnInvitation() {
        WindowFixture f;
        QVERIFY(f.window->isStartPageShown());
        QCOMPARE(f.window->windowTitle(), QStringLiteral("Doppler Workbench"));
        QVERIFY(!f.action("file.save")->isEnabled());
        QVERIFY(f.action("file.open")->isEnabled());
        for (const QDockWidget* dock : f.window->findChildren<QDockWidget*>()) {
            QVERIFY(!dock->isVisible());
        }
        for (SampleCard* card : f.window->startPage().samples()) {
            QTRY_VERIFY_WITH_TIMEOUT(card->hasPreview(), 60'000);
        }
    }

    void aSampleOpensWithPlacements() {
        WindowFixture f(QStringList{}); // the usual methods
        QTest::mouseClick(f.window->startPage().samples().front(), Qt::LeftButton);
        QVERIFY(f.settle());
        QVERIFY(!f.window->isStartPageShown());
        QCOMPARE(f.workspace().problem()->opCount(), 76);
        QCOMPARE(f.workspace().problem()->deviceCount(), 4);
        QCOMPARE(f.workspace().costModel(), cost::CostModel::Published);
        QVERIFY(f.workspace().placements().size() >= 5);
        // The best of them is shown, and none of them is a change.
        for (const Placement& placement : f.workspace().placements()) {
            QVERIFY(f.makespan() <= placement.makespan());
        }
        QVERIFY(!f.workspace().isModified());
        QVERIFY(!f.action("edit.undo")->isEnabled());
        QVERIFY(f.window->windowTitle().contains(QStringLiteral("chainmm")));
    }

    void placesInTheBackground() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        const std::size_t rows = f.workspace().placements().size();
        f.window->placing().place({QStringLiteral("anneal"), 0.3, 1, 1});
        QCOMPARE(f.window->placing().running(), 1);
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().placements().size(), rows + 1);
        QCOMPARE(f.workspace().current()->method, QStringLiteral("anneal"));
        QVERIFY(f.workspace().isModified());
        f.action("edit.undo")->trigger();
        QCOMPARE(f.workspace().placements().size(), rows);
    }

    void severalRunsAreSeveralRows() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        const std::size_t rows = f.workspace().placements().size();
        f.window->placing().place({QStringLiteral("random"), 1, 5, 3});
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().placements().size(), rows + 3);
        std::set<std::uint64_t> seeds;
        for (std::size_t row = rows; row < rows + 3; ++row) {
            seeds.insert(f.workspace().placements()[row].seed);
        }
        QCOMPARE(seeds, (std::set<std::uint64_t>{5, 6, 7}));
    }

    void runsWaitForTheirTurnAndCancelDropsThem() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        const std::size_t rows = f.workspace().placements().size();
        f.window->placing().place({QStringLiteral("anneal"), 600, 1, 6});
        QCOMPARE(f.window->placing().waiting(), 4);
        QCOMPARE(searches(f).size(), std::size_t{2});
        searches(f).front()->cancel();
        QTRY_COMPARE_WITH_TIMEOUT(f.window->placing().running(), 1, 60'000);
        QCOMPARE(f.window->placing().waiting(), 0);
        searches(f).front()->cancel();
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().placements().size(), rows + 2); // the best of both so far
    }

    void cancelKeepsTheBestSoFar() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        const std::size_t rows = f.workspace().placements().size();
        f.window->placing().place({QStringLiteral("anneal"), 600, 1, 1});
        auto* jobs = f.window->findChild<JobsIndicator*>();
        QTRY_VERIFY_WITH_TIMEOUT(jobs->text().contains(QStringLiteral("anneal: best")), 60'000);
        searches(f).front()->cancel();
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().placements().size(), rows + 1);
        QCOMPARE(jobs->text(), QStringLiteral("No background jobs"));
    }

    void anotherGraphDropsRunningSearches() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        f.window->placing().place({QStringLiteral("anneal"), 600, 1, 1});
        QVERIFY(f.open(QStringLiteral("ffnn")));
        for (const Placement& placement : f.workspace().placements()) {
            QVERIFY(placement.method != QStringLiteral("anneal"));
        }
    }

    void closesDuringARunningJob() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        f.window->placing().place({QStringLiteral("anneal"), 600, 1, 1});
        f.window->documents().open(QStringLiteral("llama-layer:layers=20"));
        QVERIFY(f.window->close());
        f.window.reset(); // returns although the search had ten minutes to go
    }

    void statusSaysWhatIsKnown() {
        WindowFixture f;
        QCOMPARE(f.window->statusFields().text(), QStringLiteral("Ready"));
        QVERIFY(f.open(QStringLiteral("chainmm")));
        QTRY_VERIFY(f.window->statusFields().text().contains(QStringLiteral("Gap")));
        const QString text = f.window->statusFields().text();
        QVERIFY2(text.contains(QStringLiteral("Makespan")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("Bound")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("Simulated in")), qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("Last edit")), qPrintable(text));
    }

    void changesOfTheProblemSimulateAgain() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        const Time published = f.makespan();
        auto* field = f.window->findChild<FieldButton*>(QStringLiteral("field.costs"));
        Q_EMIT field->menu()->aboutToShow();
        QAction* physical = nullptr;
        for (QAction* action : field->menu()->actions()) {
            if (action->text().startsWith(QStringLiteral("physical"))) {
                physical = action;
            }
        }
        QVERIFY(physical != nullptr && physical->isEnabled());
        physical->trigger();
        QCOMPARE(f.workspace().costModel(), cost::CostModel::Physical);
        QVERIFY(f.makespan() != published);
        QCOMPARE(field->value(), QStringLiteral("Costs: physical"));
        f.action("edit.undo")->trigger();
        QCOMPARE(f.makespan(), published);
    }

    void impossibleCostsSayWhy() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("random")));
        auto* field = f.window->findChild<FieldButton*>(QStringLiteral("field.costs"));
        Q_EMIT field->menu()->aboutToShow();
        const QString reason =
            whyImpossible(cost::CostModel::Published, *f.workspace().problem()->graph);
        for (const QAction* action : field->menu()->actions()) {
            if (action->text().startsWith(QStringLiteral("published"))) {
                QCOMPARE(action->isEnabled(), reason.isEmpty());
                QVERIFY(reason.isEmpty() || action->toolTip() == reason);
            }
        }
    }

    void clusterCanBeChosen() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        auto* field = f.window->findChild<FieldButton*>(QStringLiteral("field.cluster"));
        Q_EMIT field->menu()->aboutToShow();
        for (QAction* action : field->menu()->actions()) {
            if (action->text() == QStringLiteral("v100x8")) {
                action->trigger();
            }
        }
        QCOMPARE(f.workspace().problem()->deviceCount(), 8);
        QCOMPARE(field->value(), QStringLiteral("v100x8"));
        Q_EMIT field->menu()->aboutToShow();
        field->menu()->actions().front()->trigger();
        QCOMPARE(field->value(), QStringLiteral("this machine"));
        QVERIFY(f.workspace().problem()->deviceCount() >= 1);
    }

    void searchFindsAndSteps() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        f.action("edit.find")->trigger();
        auto* search = f.window->findChild<QLineEdit*>(QStringLiteral("search"));
        QTest::keyClicks(search, QStringLiteral("formation"));
        const auto matches = f.window->graphView().search().matches();
        QCOMPARE(matches.size(), std::size_t(20));
        const OpId first = f.selection().current();
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(f.selection().current() != first);
        QTest::keyClick(search, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(f.selection().current(), first);
    }

    void themeSwitches() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        f.action("view.themeDark")->trigger();
        QVERIFY(f.appearance.theme().dark);
        const QColor dark = f.window->grab().toImage().pixelColor(600, 12);
        f.action("view.themeLight")->trigger();
        QVERIFY(!f.appearance.theme().dark);
        const QColor light = f.window->grab().toImage().pixelColor(600, 12);
        QVERIFY2(light.lightness() > dark.lightness() + 100, qPrintable(light.name()));
        f.action("view.themeDark")->trigger();
        f.restart();
        QVERIFY(f.appearance.theme().dark); // remembered
    }

    void manyDevicesGetHigherTimelines() {
        WindowFixture f;
        f.window->resize(1600, 1000);
        QVERIFY(f.open(QStringLiteral("chainmm")));
        const int four = f.window->ganttView().height();
        OpenRequest request;
        request.source = QStringLiteral("ffnn");
        request.cluster = QStringLiteral("v100x8");
        f.window->documents().open(request);
        QVERIFY(f.settle());
        QVERIFY2(f.window->ganttView().height() > four, qPrintable(QString::number(four)));
    }

    void layoutIsRemembered() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        auto* report = f.window->findChild<QDockWidget*>(QStringLiteral("dock.Report"));
        QVERIFY(report->isVisible());
        report->hide();
        f.window->close();
        f.restart();
        QVERIFY(f.open(QStringLiteral("chainmm")));
        QVERIFY(!f.window->findChild<QDockWidget*>(QStringLiteral("dock.Report"))->isVisible());
        QVERIFY(f.window->findChild<QDockWidget*>(QStringLiteral("dock.Inspector"))->isVisible());
        f.action("window.reset")->trigger();
        QVERIFY(f.window->findChild<QDockWidget*>(QStringLiteral("dock.Report"))->isVisible());
    }

    void everyCommandIsNamedAndEveryKeyIsUnique() {
        WindowFixture f;
        QMap<QString, QString> owners;
        for (const QAction* action : f.window->actions().actions()) {
            QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->objectName()));
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(!owners.contains(key.toString()),
                         qPrintable(key.toString() + QStringLiteral(": ") +
                                    owners.value(key.toString()) + QStringLiteral(", ") +
                                    action->objectName()));
                owners.insert(key.toString(), action->objectName());
            }
        }
        for (const QToolButton* button : f.window->findChildren<QToolButton*>()) {
            // Qt's own buttons for what does not fit are named by Qt.
            const bool ours = !button->objectName().startsWith(QStringLiteral("qt_"));
            QVERIFY2(
                !ours || !button->accessibleName().isEmpty() || !button->text().isEmpty(),
                qPrintable(QStringLiteral("%1 in %2")
                               .arg(button->toolTip(),
                                    QLatin1String(button->parent()->metaObject()->className()))));
        }
    }

    void theListOfKeysIsComplete() {
        WindowFixture f;
        const std::vector<KeyLine> lines = f.window->actions().keyLines();
        const auto has = [&](const QString& keys) {
            return std::any_of(lines.begin(), lines.end(), [&](const KeyLine& line) {
                return line.keys.split(QStringLiteral(", ")).contains(keys);
            });
        };
        for (const char* key : {"Ctrl+O", "Ctrl+N", "Ctrl+S", "Ctrl+Z", "Ctrl+F", "F6", "F11", "?",
                                "P", "F", "C", "L", "M", "W", "B", "Esc"}) {
            QVERIFY2(has(QLatin1String(key)), key);
        }
        KeysDialog dialog(lines, f.appearance, f.window.get());
        dialog.show();
        QVERIFY(!dialog.grab().isNull());
    }

    void menusHaveNoDeadEntries() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        for (const QAction* top : f.window->menuBar()->actions()) {
            QVERIFY(top->menu() != nullptr);
            QVERIFY2(!top->menu()->actions().isEmpty(), qPrintable(top->text()));
        }
    }

    void f6GoesRoundTheDocks() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        f.window->activateWindow();
        QSet<QWidget*> visited;
        for (int i = 0; i < 5; ++i) {
            f.action("window.next")->trigger();
            visited.insert(QApplication::focusWidget());
        }
        QVERIFY2(visited.size() >= 4, qPrintable(QString::number(visited.size())));
    }

    void narrowWindowsDropStatusFieldsRatherThanCutThem() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        f.window->resize(f.window->minimumSize());
        QCoreApplication::processEvents();
        int right = 0;
        for (const QWidget* child : f.window->statusFields().findChildren<QWidget*>(
                 QString(), Qt::FindDirectChildrenOnly)) {
            if (child->isVisible()) {
                right = std::max(right, child->geometry().right());
                QVERIFY(child->width() >= child->minimumSizeHint().width());
            }
        }
        QVERIFY(right <= f.window->statusFields().width());
    }
};

QTEST_MAIN(TestMainWindow)
#include "TestMainWindow.moc"
