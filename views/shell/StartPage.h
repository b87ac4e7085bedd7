#pragma once

#include <QWidget>
#include <vector>

#include "views/jobs/JobRunner.h"
#include "views/layout/LayoutLibrary.h"
#include "views/shell/RecentFiles.h"

class QLabel;
class QVBoxLayout;

namespace doppler::views {

class Appearance;
class Card;
class SampleCard;

/// What one sees with nothing open: ways to open something, samples, recent files, this machine.
class StartPage : public QWidget {
    Q_OBJECT

public:
    StartPage(const Appearance& appearance, RecentFiles& recent, QWidget* parent = nullptr);

    const std::vector<SampleCard*>& samples() const { return samples_; }
    /// Says which cluster the next graph will get; empty: the usual one.
    void setCluster(const QString& source);
    /// As if the cluster's card was pressed.
    void askForCluster();

Q_SIGNALS:
    void openRequested();
    void workloadRequested();
    void clusterRequested(const QPoint& globalPosition);
    void sampleRequested(const QString& source);
    void recentRequested(const doppler::views::RecentEntry& entry);
    void keysRequested();

private:
    QWidget* makeOpenColumn();
    QWidget* makeSamples();
    QWidget* makeFoot();
    void fillRecent();
    void loadPreviews();
    void applyTheme();
    QLabel* heading(const QString& text);
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

    const Appearance& appearance_;
    RecentFiles& recent_;
    Card* cluster_ = nullptr;
    std::vector<Card*> recentRows_; ///< those without an entry are hidden
    std::vector<RecentEntry> shownRecent_;
    QLabel* recentHeading_ = nullptr;
    std::vector<SampleCard*> samples_;
    std::vector<QLabel*> muted_;
    QLabel* machine_ = nullptr;
    QLabel* keys_ = nullptr;
    QLabel* machineIcon_ = nullptr;
    QString machineText_;
    bool loading_ = false;
    LayoutLibrary layouts_;
    JobRunner jobs_; // last: its threads end before the rest goes
};

} // namespace doppler::views
