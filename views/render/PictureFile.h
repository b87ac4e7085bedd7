#pragma once

#include <QPainter>
#include <QSize>
#include <QString>
#include <functional>

namespace doppler::views {

/// Whether `path` ends in .png, .svg or .pdf; else `error` says so.
bool isPicturePath(const QString& path, QString* error);

/// Writes what `paint` draws on a surface of `size` pixels to `path`, as its ending says. The
/// painter comes scaled to 100 % pixels; PNG files have twice as many for sharp text. False with
/// a message in `error` if the ending is unknown or the file cannot be written.
bool writePicture(const QString& path, QSize size, const QString& title,
                  const std::function<void(QPainter&)>& paint, QString* error);

} // namespace doppler::views
