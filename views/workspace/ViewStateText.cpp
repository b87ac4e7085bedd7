#include "views/workspace/ViewStateText.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <array>

#include "views/workspace/ViewState.h"

namespace doppler::views {

namespace {

struct NamedColour {
    ColourBy value;
    const char* name;
};

constexpr std::array<NamedColour, 7> kColours{{
    {ColourBy::Device, "device"},
    {ColourBy::Kind, "kind"},
    {ColourBy::Cost, "cost"},
    {ColourBy::Slack, "slack"},
    {ColourBy::Criticality, "criticality"},
    {ColourBy::MoveGain, "gain"},
    {ColourBy::MeasuredError, "measured-error"},
}};

} // namespace

std::string viewStateText(const ViewState& state) {
    QJsonObject object;
    for (const NamedColour& colour : kColours) {
        if (colour.value == state.colourBy()) {
            object.insert(QStringLiteral("colourBy"), QLatin1String(colour.name));
        }
    }
    object.insert(QStringLiteral("criticalChain"), state.showCriticalChain());
    object.insert(QStringLiteral("links"), state.showLinks());
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

void applyViewStateText(ViewState& state, const std::string& text) {
    const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
    const QString name = object.value(QStringLiteral("colourBy")).toString();
    for (const NamedColour& colour : kColours) {
        if (name == QLatin1String(colour.name)) {
            state.setColourBy(colour.value);
        }
    }
    state.setShowCriticalChain(
        object.value(QStringLiteral("criticalChain")).toBool(state.showCriticalChain()));
    state.setShowLinks(object.value(QStringLiteral("links")).toBool(state.showLinks()));
}

} // namespace doppler::views
