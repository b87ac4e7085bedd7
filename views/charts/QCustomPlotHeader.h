#pragma once

/// The plotting library's header, which is written with Qt's keyword macros; our own code is not.

#include <QObject>

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach
