#include "tests/support/SharedData.h"
