#include "core/learn/Trainer.h"

#include "core/learn/Training.h"

namespace doppler::learn {

TrainResult train(const TrainRequest& request) {
    return Training(request).run();
}

} // namespace doppler::learn
