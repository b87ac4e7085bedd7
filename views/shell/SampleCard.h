#pragma once

#include <QAbstractButton>
#include <memory>

#include "core/sim/Problem.h"
#include "views/layout/GraphLayout.h"

namespace doppler::views {

class Appearance;

/// A sample of the start page and what is said about it.
struct Sample {
    QString source; ///< workload text
    QString title;
    QString formula;
    QString remark;
};

/// The real graph of a sample, laid out and placed.
struct SamplePreview {
    std::shared_ptr<const graph::Graph> graph;
    std::shared_ptr<const GraphLayout> layout;
    sim::Assignment assignment;
};

/// Offers one sample with a small picture of it.
class SampleCard : public QAbstractButton {
    Q_OBJECT

public:
    /// `suggested`: the one to begin with.
    SampleCard(const Sample& sample, bool suggested, const Appearance& appearance,
               QWidget* parent = nullptr);

    const Sample& sample() const { return sample_; }
    void setPreview(SamplePreview preview);
    bool hasPreview() const { return preview_.layout != nullptr; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    void paintEvent(QPaintEvent* event) override;
    void paintPicture(QPainter& painter, const QRectF& area) const;
    void paintTexts(QPainter& painter, const QRect& area) const;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

    Sample sample_;
    bool suggested_;
    const Appearance& appearance_;
    SamplePreview preview_;
};

} // namespace doppler::views
