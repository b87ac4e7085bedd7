#include "views/shell/StartPage.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include "core/place/Registry.h"
#include "core/workload/Workload.h"
#include "views/icons/Icons.h"
#include "views/shell/AboutText.h"
#include "views/shell/Card.h"
#include "views/shell/DropHint.h"
#include "views/shell/ElidedLabel.h"
#include "views/shell/OpenDocument.h"
#include "views/shell/RecentFiles.h"
#include "views/shell/SampleCard.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {

constexpr int kMostWidth = 1360;
constexpr int kSideColumn = 328;
constexpr int kLeastSideColumn = 288; // room for the words of its cards
constexpr std::size_t kMostRecent = 5;

std::vector<Sample> samples() {
    return {
        {QStringLiteral("chainmm"), StartPage::tr("Matrix chain"),
         QStringLiteral("(A B) + (C (D E))"),
         StartPage::tr("Start here: small enough to follow every op")},
        {QStringLiteral("ffnn"), StartPage::tr("Feed-forward network"),
         QStringLiteral("softmax(relu(X W1) W2)"),
         StartPage::tr("Wide layers, and a softmax that must gather")},
        {QStringLiteral("llama-block"), StartPage::tr("Llama block"),
         StartPage::tr("attention and gated FFN, sequence 4096"),
         StartPage::tr("Communication dominates: placement matters most")},
        {QStringLiteral("llama-layer"), StartPage::tr("Llama, one layer"),
         StartPage::tr("embedding, block, vocabulary 32000"),
         StartPage::tr("The graph most results are reported on")},
    };
}

/// The sample as it will open, coloured by a rule that takes no time.
SamplePreview makePreview(const std::string& source, LayoutLibrary& layouts,
                          const std::stop_token& stop) {
    SamplePreview preview;
    preview.graph = workload::generate(source);
    preview.layout = layouts.best(*preview.graph, stop).layout;
    place::PlaceRequest request;
    request.problem = sim::makeProblem(preview.graph, io::openCluster("uniform:4"),
                                       cost::CostModel::Published, sim::SimOptions::published());
    request.stop = stop;
    preview.assignment = place::makePlacer("critical-path")->place(request).assignment;
    return preview;
}

IconName iconOf(RecentEntry::Kind kind) {
    switch (kind) {
    case RecentEntry::Kind::Session:
        return IconName::Layers;
    default:
        return IconName::Graph;
    }
}

} // namespace

StartPage::StartPage(const Appearance& appearance, RecentFiles& recent, QWidget* parent)
    : QWidget(parent), appearance_(appearance), recent_(recent) {
    auto* content = new QWidget(this);
    content->setMaximumWidth(kMostWidth);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 40, 0, 24);
    column->setSpacing(0);
    auto* title = new QLabel(tr("Doppler Workbench"), content);
    title->setFont(fontOfSize(28, true));
    column->addWidget(title);
    column->addSpacing(10);
    auto* claim = new QLabel(tr("Decide which device runs each operation of a dataflow graph, and "
                                "see when it finishes, why, and how far from the best possible."),
                             content);
    claim->setFont(fontOfSize(15));
    claim->setWordWrap(true);
    muted_.push_back(claim);
    column->addWidget(claim);
    column->addSpacing(24);

    auto* body = new QHBoxLayout();
    body->setSpacing(48);
    QWidget* side = makeOpenColumn();
    side->setMinimumWidth(kLeastSideColumn);
    side->setMaximumWidth(kSideColumn);
    body->addWidget(side, 1);
    body->addWidget(makeSamples(), 3);
    column->addLayout(body);
    column->addStretch(1);
    column->addSpacing(24);
    column->addWidget(makeFoot());

    auto* middle = new QWidget(this);
    middle->setAutoFillBackground(true);
    middle->setBackgroundRole(QPalette::Base);
    auto* centred = new QHBoxLayout(middle);
    centred->setContentsMargins(40, 0, 40, 0);
    centred->addStretch(1);
    centred->addWidget(content, 1000);
    centred->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(middle);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);

    connect(&recent, &RecentFiles::changed, this, [this] {
        if (isVisible()) { // else they are read when it is shown
            fillRecent();
        }
    });
    connect(&appearance, &Appearance::changed, this, &StartPage::applyTheme);
    fillRecent();
    applyTheme();
}

QLabel* StartPage::heading(const QString& text) {
    auto* label = new QLabel(text, this);
    label->setFont(fontOfSize(13, true));
    return label;
}

QWidget* StartPage::makeOpenColumn() {
    auto* column = new QWidget(this);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(heading(tr("Open")));
    auto* open = new Card(Card::Look::Framed, IconName::Open, appearance_, column);
    open->setObjectName(QStringLiteral("start.open"));
    open->setTexts(tr("Open a graph or session…"), tr("Graph, session, assignment, trace"),
                   QStringLiteral("Ctrl+O"));
    connect(open, &Card::clicked, this, &StartPage::openRequested);
    layout->addWidget(open);
    auto* create = new Card(Card::Look::Framed, IconName::Plus, appearance_, column);
    create->setObjectName(QStringLiteral("start.workload"));
    create->setTexts(tr("New from a workload…"), tr("Transformers, convolutions, random, …"),
                     QStringLiteral("Ctrl+N"));
    connect(create, &Card::clicked, this, &StartPage::workloadRequested);
    layout->addWidget(create);
    cluster_ = new Card(Card::Look::Framed, IconName::Chip, appearance_, column);
    cluster_->setObjectName(QStringLiteral("start.cluster"));
    setCluster({});
    connect(cluster_, &Card::clicked, this, &StartPage::askForCluster);
    layout->addWidget(cluster_);
    layout->addWidget(new DropHint(appearance_, column));
    layout->addSpacing(16);
    recentHeading_ = heading(tr("Recent"));
    layout->addWidget(recentHeading_);
    auto* recent = new QVBoxLayout();
    recent->setSpacing(0);
    for (std::size_t i = 0; i < kMostRecent; ++i) {
        auto* row = new Card(Card::Look::Plain, IconName::Graph, appearance_, column);
        connect(row, &Card::clicked, this, [this, i] {
            if (i < shownRecent_.size()) {
                // A copy: the list changes while the entry is being opened.
                const RecentEntry entry = shownRecent_[i];
                Q_EMIT recentRequested(entry);
            }
        });
        recent->addWidget(row);
        recentRows_.push_back(row);
    }
    layout->addLayout(recent);
    layout->addStretch(1);
    return column;
}

QWidget* StartPage::makeSamples() {
    auto* column = new QWidget(this);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* head = new QHBoxLayout();
    head->setSpacing(10);
    head->addWidget(heading(tr("Samples")));
    auto* remark =
        new ElidedLabel(tr("open ready to use, with four devices and published costs"), column);
    remark->setFont(fontOfSize(12));
    muted_.push_back(remark);
    head->addWidget(remark, 1);
    layout->addLayout(head);
    auto* grid = new QGridLayout();
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(20);
    int index = 0;
    for (const Sample& sample : views::samples()) {
        auto* card = new SampleCard(sample, index == 0, appearance_, column);
        connect(card, &SampleCard::clicked, this,
                [this, source = sample.source] { Q_EMIT sampleRequested(source); });
        grid->addWidget(card, index / 2, index % 2);
        samples_.push_back(card);
        ++index;
    }
    setFocusProxy(samples_.front());
    layout->addLayout(grid);
    layout->addStretch(1);
    return column;
}

QWidget* StartPage::makeFoot() {
    auto* foot = new QWidget(this);
    auto* layout = new QHBoxLayout(foot);
    layout->setContentsMargins(0, 12, 0, 0);
    layout->setSpacing(8);
    machineIcon_ = new QLabel(foot);
    machine_ = new QLabel(foot);
    machine_->setTextFormat(Qt::RichText);
    machine_->setWordWrap(true);
    keys_ = new QLabel(foot);
    keys_->setTextFormat(Qt::RichText);
    connect(keys_, &QLabel::linkActivated, this, &StartPage::keysRequested);
    layout->addWidget(machineIcon_);
    layout->addWidget(machine_, 1);
    layout->addWidget(keys_);
    return foot;
}

void StartPage::setCluster(const QString& source) {
    cluster_->setTexts(tr("Set up a cluster…"),
                       source.isEmpty() ? tr("Preset, file, or this machine")
                                        : tr("%1, for the next graph").arg(titleOf(source)),
                       QStringLiteral("Ctrl+K"));
}

void StartPage::askForCluster() {
    Q_EMIT clusterRequested(cluster_->mapToGlobal(QPoint(0, cluster_->height())));
}

// The rows stay and change what they say: rows that wait to be deleted would still be painted.
void StartPage::fillRecent() {
    shownRecent_ = recent_.entries();
    recentHeading_->setVisible(!shownRecent_.empty());
    const QDateTime now = QDateTime::currentDateTime();
    for (std::size_t i = 0; i < recentRows_.size(); ++i) {
        Card* row = recentRows_[i];
        row->setVisible(i < shownRecent_.size());
        if (i < shownRecent_.size()) {
            const RecentEntry& entry = shownRecent_[i];
            row->setIcon(iconOf(entry.kind));
            row->setTexts(titleOf(entry.source), entry.summary,
                          RecentFiles::whenText(entry.when, now));
            row->setToolTip(entry.source);
        }
    }
}

void StartPage::loadPreviews() {
    if (loading_) {
        return;
    }
    loading_ = true;
    // Asking for GPUs may load a driver.
    jobs_.start<QString>(
        {tr("This machine"), false, true}, [](JobContext&) { return machineText(); },
        [this](const QString& text) {
            machineText_ = text;
            applyTheme();
        });
    for (SampleCard* card : samples_) {
        jobs_.start<SamplePreview>(
            {card->sample().title, false, true},
            [source = card->sample().source.toStdString(), this](JobContext& context) {
                return makePreview(source, layouts_, context.stopToken());
            },
            [card](SamplePreview preview) { card->setPreview(std::move(preview)); });
    }
}

void StartPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    loadPreviews();
    fillRecent();
}

void StartPage::applyTheme() {
    const Theme& theme = appearance_.theme();
    for (QLabel* label : muted_) {
        QPalette colours = label->palette();
        // Which of the two a label uses depends on what it stands on.
        colours.setColor(QPalette::WindowText, theme.secondary);
        colours.setColor(QPalette::Text, theme.secondary);
        label->setPalette(colours);
    }
    const QString muted = theme.secondary.name();
    machine_->setText(QStringLiteral("<b>%1</b> <span style='color:%2'>%3</span>")
                          .arg(tr("This machine:"), muted, machineText_.toHtmlEscaped()));
    keys_->setText(QStringLiteral("<a href='keys' style='color:%1; text-decoration:none'>%2</a>")
                       .arg(theme.link.name(), tr("Keyboard help &nbsp;?")));
    machineIcon_->setPixmap(
        icon(IconName::Info, theme, theme.secondary).pixmap(QSize(16, 16), devicePixelRatioF()));
    update();
}

void StartPage::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), appearance_.theme().base);
}

} // namespace doppler::views
