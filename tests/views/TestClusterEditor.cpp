#include <QAbstractItemModelTester>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "core/io/Formats.h"
#include "views/cluster/ClusterEditor.h"
#include "views/cluster/DeviceTableModel.h"
#include "views/cluster/LinkMatrixModel.h"

using namespace doppler;
using namespace doppler::views;

namespace {

/// Answers every question with one path.
class FixedPrompts : public Prompts {
public:
    QString path;
    SaveAnswer askToSave(const QString&) override { return SaveAnswer::Cancel; }
    QString openPath(const QString&, const QString&) override { return path; }
    QString savePath(const QString&, const QString&, const QString&) override { return path; }
    std::optional<io::GraphDimensions> dimensions(const DimensionQuestion&) override { return {}; }
};

QPushButton* button(const QWidget& window, const QString& text) {
    for (QPushButton* each : window.findChildren<QPushButton*>()) {
        if (each->text() == text) {
            return each;
        }
    }
    return nullptr;
}

} // namespace

class TestClusterEditor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anUntouchedDraftIsTheCluster() {
        const auto preset = io::openCluster("v100x8");
        QVERIFY(*ClusterDraft(*preset).build() == *preset);
    }

    void aCopyHasItsOwnNameAndTheSameLinks() {
        ClusterDraft draft(*io::openCluster("v100x8"));
        draft.copyDevice(2);
        const auto cluster = draft.build();
        QCOMPARE(cluster->deviceCount(), 9);
        for (DeviceId other = 0; other < 8; ++other) {
            if (other != 2) {
                QVERIFY(cluster->link(8, other) == cluster->link(2, other));
                QVERIFY(cluster->link(other, 8) == cluster->link(other, 2));
            }
        }
        QVERIFY(cluster->link(8, 2).bytesPerSecond > 0);
        draft.removeDevice(8);
        QVERIFY(*draft.build() == *io::openCluster("v100x8"));
    }

    void oneDeviceCanBeCopiedAndStays() {
        ClusterDraft draft(cluster::uniformCluster(1));
        draft.removeDevice(0);
        QCOMPARE(draft.deviceCount(), 1);
        draft.copyDevice(0);
        QCOMPARE(draft.build()->deviceCount(), 2);
    }

    void anAddedDeviceIsPlainAndJoinedToAll() {
        Appearance appearance;
        FixedPrompts prompts;
        ClusterEditor editor(*io::openCluster("p100x4"), appearance, prompts);
        QTest::mouseClick(button(editor, QStringLiteral("Add device")), Qt::LeftButton);
        QTest::mouseClick(button(editor, QStringLiteral("Add device")), Qt::LeftButton);
        editor.accept();
        const auto preset = io::openCluster("p100x4");
        const auto plain = cluster::uniformCluster(2);
        const auto edited = editor.cluster();
        QCOMPARE(edited->deviceCount(), 6);
        QCOMPARE(edited->device(4).name, std::string("Device 0"));
        QCOMPARE(edited->device(5).name, std::string("Device 1"));
        QVERIFY(edited->device(5).peakFlops == plain.device(0).peakFlops);
        QVERIFY(edited->link(4, 5) == plain.link(0, 1));
        QVERIFY(edited->link(0, 5) == plain.link(0, 1));
        QVERIFY(edited->link(0, 1) == preset->link(0, 1));
    }

    void modelsKeepTheirPromises() {
        ClusterDraft draft(*io::openCluster("mixed"));
        Appearance appearance;
        DeviceTableModel devices(draft, appearance);
        LinkMatrixModel links(draft, appearance);
        QAbstractItemModelTester deviceTester(&devices);
        QAbstractItemModelTester linkTester(&links);
        devices.copy(0);
        links.reset();
        devices.remove(1);
        links.reset();
        QCOMPARE(devices.rowCount(), 4);

        QVERIFY(
            devices.setData(devices.index(0, DeviceTableModel::TeraflopsF32), 2.5, Qt::EditRole));
        QCOMPARE(draft.device(0).flopsPerSecond(graph::DType::F32), 2.5e12);
        QVERIFY(!devices.setData(devices.index(0, DeviceTableModel::Capacity),
                                 QStringLiteral("much"), Qt::EditRole));
        QVERIFY(!devices.setData(devices.index(0, DeviceTableModel::Capacity), -1, Qt::EditRole));

        QVERIFY(links.setData(links.index(0, 1), 7, Qt::EditRole));
        QCOMPARE(draft.link(1, 0).bytesPerSecond, 7e9);
        links.setBothWays(false);
        QVERIFY(links.setData(links.index(0, 1), 9, Qt::EditRole));
        QCOMPARE(draft.link(0, 1).bytesPerSecond, 9e9);
        QCOMPARE(draft.link(1, 0).bytesPerSecond, 7e9);
        QVERIFY(!links.setData(links.index(1, 1), 9, Qt::EditRole));
        const QString column = links.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString();
        QCOMPARE(links.headerData(1, Qt::Vertical, Qt::DisplayRole).toString(),
                 column + QStringLiteral("  ") + QString::fromStdString(draft.device(1).name));
    }

    void whatCannotBeUsedCannotBeAccepted() {
        Appearance appearance;
        appearance.setDark(false);
        FixedPrompts prompts;
        ClusterEditor editor(*io::openCluster("p100x4"), appearance, prompts);
        editor.show();
        auto* devices = editor.findChild<DeviceTableModel*>();
        devices->setData(devices->index(1, DeviceTableModel::Name),
                         devices->index(0, DeviceTableModel::Name).data(), Qt::EditRole);
        QVERIFY(!button(editor, QStringLiteral("Use this cluster"))->isEnabled());
        editor.accept();
        QCOMPARE(editor.result(), int(QDialog::Rejected));
        devices->setData(devices->index(1, DeviceTableModel::Name), QStringLiteral("another"),
                         Qt::EditRole);
        QTest::mouseClick(button(editor, QStringLiteral("Use this cluster")), Qt::LeftButton);
        QCOMPARE(editor.result(), int(QDialog::Accepted));
        QCOMPARE(editor.cluster()->device(1).name, std::string("another"));
    }

    void savesAndLoads() {
        QTemporaryDir folder;
        Appearance appearance;
        FixedPrompts prompts;
        prompts.path = folder.filePath(QStringLiteral("mine.json"));
        ClusterEditor editor(*io::openCluster("p100x4"), appearance, prompts);
        QTest::mouseClick(button(editor, QStringLiteral("Copy device")), Qt::LeftButton);
        QTest::mouseClick(button(editor, QStringLiteral("Save as…")), Qt::LeftButton);
        QCOMPARE(editor.source(), prompts.path);
        QCOMPARE(io::openCluster(prompts.path.toStdString())->deviceCount(), 5);

        editor.load(QStringLiteral("uniform:2"));
        editor.load(prompts.path);
        editor.accept();
        QCOMPARE(editor.cluster()->deviceCount(), 5);

        editor.load(folder.filePath(QStringLiteral("absent.json")));
        QVERIFY(!button(editor, QStringLiteral("Use this cluster"))->isEnabled());
    }

    void itCanGoWhileItIsShown() {
        const Appearance appearance;
        FixedPrompts prompts;
        auto editor =
            std::make_unique<ClusterEditor>(*io::openCluster("v100x8"), appearance, prompts);
        editor->resize(900, 640);
        editor->show();
        QVERIFY(QTest::qWaitForWindowExposed(editor.get()));
        editor->grab();
        editor.reset();
    }
};

QTEST_MAIN(TestClusterEditor)
#include "TestClusterEditor.moc"
