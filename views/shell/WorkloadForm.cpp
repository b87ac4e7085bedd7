#include "views/shell/WorkloadForm.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>
#include <algorithm>
#include <limits>

namespace doppler::views {

namespace {

constexpr const char* kSize = "size";
constexpr int kDecimals = 3;
constexpr double kMostStepped = 1e6; // above this, arrows that add 1 are of no use

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

bool isTrue(const QString& value) {
    return value == QLatin1String("true") || value == QLatin1String("1");
}

} // namespace

WorkloadForm::WorkloadForm(const workload::WorkloadInfo& info, QWidget* parent)
    : QWidget(parent), name_(text(info.name)) {
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    std::vector<workload::Parameter> parameters = info.parameters;
    // The size comes first: it decides the others.
    std::stable_partition(parameters.begin(), parameters.end(),
                          [](const auto& parameter) { return parameter.name == kSize; });
    for (const workload::Parameter& parameter : parameters) {
        QWidget* editor = nullptr;
        fields_.push_back(makeField(parameter, editor));
        editor->setObjectName(text(parameter.name));
        editor->setToolTip(text(parameter.description));
        editor->setAccessibleName(text(parameter.name));
        editor->setAccessibleDescription(text(parameter.description));
        auto* label = new QLabel(text(parameter.name), this);
        label->setToolTip(text(parameter.description));
        label->setBuddy(editor);
        form->addRow(label, editor);
        if (parameter.name == kSize) {
            connect(static_cast<QComboBox*>(editor), &QComboBox::currentTextChanged, this,
                    &WorkloadForm::sizeChanged);
        }
    }
}

const std::string& WorkloadForm::standard(const workload::Parameter& parameter, bool tiny) const {
    return tiny && !parameter.tinyValue.empty() ? parameter.tinyValue : parameter.defaultValue;
}

bool WorkloadForm::isTiny() const {
    return std::any_of(fields_.begin(), fields_.end(), [](const Field& field) {
        return field.parameter.name == kSize && field.value() == QLatin1String("tiny");
    });
}

void WorkloadForm::sizeChanged() {
    const bool tiny = isTiny();
    for (const Field& field : fields_) {
        if (field.parameter.name != kSize && isSame(field, standard(field.parameter, tiny_))) {
            field.set(text(standard(field.parameter, tiny)));
        }
    }
    tiny_ = tiny;
}

bool WorkloadForm::isSame(const Field& field, const std::string& value) {
    const bool number = field.parameter.type == workload::Parameter::Type::Integer ||
                        field.parameter.type == workload::Parameter::Type::Real;
    return number ? field.value().toDouble() == text(value).toDouble()
                  : field.value() == text(value);
}

WorkloadForm::Field WorkloadForm::makeNumber(const workload::Parameter& parameter,
                                             QWidget*& editor) {
    const double highest = parameter.maximum > parameter.minimum
                               ? parameter.maximum
                               : std::numeric_limits<std::int32_t>::max();
    if (parameter.type == workload::Parameter::Type::Integer &&
        highest <= std::numeric_limits<std::int32_t>::max()) {
        auto* box = new QSpinBox(this);
        box->setRange(static_cast<int>(parameter.minimum), static_cast<int>(highest));
        box->setSingleStep(highest > kMostStepped ? 100 : 1);
        box->setValue(text(parameter.defaultValue).toInt());
        connect(box, &QSpinBox::valueChanged, this, &WorkloadForm::changed);
        editor = box;
        return {parameter, [box] { return QString::number(box->value()); },
                [box](const QString& value) { box->setValue(value.toInt()); }};
    }
    auto* box = new QDoubleSpinBox(this);
    box->setDecimals(parameter.type == workload::Parameter::Type::Integer ? 0 : kDecimals);
    box->setRange(parameter.minimum, highest);
    box->setSingleStep(0.1);
    box->setValue(text(parameter.defaultValue).toDouble());
    connect(box, &QDoubleSpinBox::valueChanged, this, &WorkloadForm::changed);
    editor = box;
    return {parameter,
            [box] { return QString::number(box->value(), 'g', QLocale::FloatingPointShortest); },
            [box](const QString& value) { box->setValue(value.toDouble()); }};
}

WorkloadForm::Field WorkloadForm::makeField(const workload::Parameter& parameter,
                                            QWidget*& editor) {
    switch (parameter.type) {
    case workload::Parameter::Type::Flag: {
        auto* box = new QCheckBox(this);
        box->setChecked(isTrue(text(parameter.defaultValue)));
        connect(box, &QCheckBox::toggled, this, &WorkloadForm::changed);
        editor = box;
        return {
            parameter,
            [box] { return box->isChecked() ? QStringLiteral("true") : QStringLiteral("false"); },
            [box](const QString& value) { box->setChecked(isTrue(value)); }};
    }
    case workload::Parameter::Type::Choice: {
        auto* box = new QComboBox(this);
        for (const std::string& choice : parameter.choices) {
            box->addItem(text(choice));
        }
        box->setCurrentText(text(parameter.defaultValue));
        connect(box, &QComboBox::currentTextChanged, this, &WorkloadForm::changed);
        editor = box;
        return {parameter, [box] { return box->currentText(); },
                [box](const QString& value) { box->setCurrentText(value); }};
    }
    default:
        return makeNumber(parameter, editor);
    }
}

QString WorkloadForm::source() const {
    QStringList settings;
    for (const Field& field : fields_) {
        const QString value = field.value();
        if (!isSame(field, standard(field.parameter, isTiny()))) {
            settings.append(QStringLiteral("%1=%2").arg(text(field.parameter.name), value));
        }
    }
    return settings.isEmpty() ? name_ : name_ + QLatin1Char(':') + settings.join(QLatin1Char(','));
}

void WorkloadForm::setValue(const QString& parameter, const QString& value) {
    for (const Field& field : fields_) {
        if (text(field.parameter.name) == parameter) {
            field.set(value);
        }
    }
}

} // namespace doppler::views
