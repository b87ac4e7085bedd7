#pragma once

#include <QPainter>
#include <QWidget>
#include <memory>

#include "core/sim/Problem.h"
#include "core/sim/Report.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

/// One part of the report: a heading with a remark on its right, then what a subclass paints.
class ReportSection : public QWidget {
    Q_OBJECT

public:
    ReportSection(const Appearance& appearance, const QString& title, QWidget* parent = nullptr);

    void setData(std::shared_ptr<const sim::Problem> problem,
                 std::shared_ptr<const sim::Report> report);

protected:
    static constexpr int kHeading = 26;
    static constexpr double kChip = 18;

    virtual QString remark() const = 0;
    /// Height of what is below the heading.
    virtual double bodyHeight() const = 0;
    virtual void paintBody(QPainter& painter, const QRectF& body) = 0;
    /// After new data; problem() and report() are set.
    virtual void update() = 0;
    /// What a tooltip says there; asked for only where there is data.
    virtual QString toolTipAt(QPointF position) const = 0;

    bool hasData() const { return problem_ != nullptr && report_ != nullptr; }
    const sim::Problem& problem() const { return *problem_; }
    const sim::Report& report() const { return *report_; }
    const Theme& theme() const { return appearance_.theme(); }
    int deviceCount() const { return hasData() ? problem_->deviceCount() : 0; }
    /// Width of the widest device chip.
    double chipColumn() const;
    /// "B, GPU 1".
    QString deviceText(DeviceId device) const;
    QRectF body() const;
    void setTitle(const QString& title);

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    const Appearance& appearance_;
    QString title_;
    std::shared_ptr<const sim::Problem> problem_;
    std::shared_ptr<const sim::Report> report_;
};

} // namespace doppler::views
