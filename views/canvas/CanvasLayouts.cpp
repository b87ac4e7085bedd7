#include "views/canvas/CanvasLayouts.h"

#include "views/layout/LayeredLayout.h"

namespace doppler::views {

namespace {
/// Better layouts that come sooner than this are waited for, so that the picture does not jump.
constexpr int kPreviewDelayMs = 250;
constexpr int kLookAtOnce = 20'000; // ops and edges
} // namespace

CanvasLayouts::CanvasLayouts(JobRunner& jobs, std::shared_ptr<LayoutLibrary> library,
                             QObject* parent)
    : QObject(parent), jobs_(jobs), library_(std::move(library)) {
    previewTimer_.setSingleShot(true);
    previewTimer_.setInterval(kPreviewDelayMs);
    connect(&previewTimer_, &QTimer::timeout, this, &CanvasLayouts::showPreview);
}

void CanvasLayouts::setRunning(bool running) {
    if (running_ != running) {
        running_ = running;
        Q_EMIT runningChanged();
    }
}

void CanvasLayouts::showPreview() {
    if (running_ && preview_) {
        Q_EMIT ready(preview_);
        preview_.reset();
    }
}

void CanvasLayouts::startFolded(int request, std::shared_ptr<const graph::FoldState> fold) {
    setRunning(true);
    job_ = jobs_.start<std::shared_ptr<const FoldedLayout>>(
        {.title = tr("Layout"), .owner = this},
        [wanted = graph_, fold = std::move(fold)](JobContext& context) {
            return foldedLayout(*wanted, fold, context.stopToken());
        },
        [this, request](const std::shared_ptr<const FoldedLayout>& layout) {
            if (request == request_) {
                setRunning(false);
                Q_EMIT folded(layout);
            }
        },
        [this, request](const QString& message) {
            if (request == request_) {
                setRunning(false);
                Q_EMIT foldGivenUp();
                Q_EMIT notice(message);
            }
        });
    connect(job_, &Job::finished, this, [this, request] {
        if (request == request_ && running_) { // cancelled
            setRunning(false);
            Q_EMIT foldGivenUp();
        }
    });
}

void CanvasLayouts::request(std::shared_ptr<const graph::Graph> graph,
                            std::shared_ptr<const graph::FoldState> fold) {
    if (job_) {
        job_->cancel();
    }
    const int request = ++request_;
    const bool same = graph_ == graph;
    graph_ = std::move(graph);
    preview_.reset();
    previewTimer_.stop();
    if (!graph_) {
        setRunning(false);
        Q_EMIT ready(nullptr);
        return;
    }
    if (fold) {
        if (!same) {
            Q_EMIT ready(nullptr);
        }
        startFolded(request, std::move(fold));
        return;
    }
    const bool isLarge = graph_->opCount() + graph_->edgeCount() > kLookAtOnce;
    // Those of large graphs are looked for in the background.
    if (auto kept = isLarge ? nullptr : library_->kept(*graph_)) {
        setRunning(false);
        Q_EMIT ready(std::move(kept));
        return;
    }
    Q_EMIT ready(nullptr);
    setRunning(true);
    previewTimer_.start();
    job_ = jobs_.start<LayoutLibrary::Result>(
        {.title = tr("Layout"), .owner = this},
        [this, request, wanted = graph_, library = library_](JobContext& context) {
            if (LayoutLibrary::suitsGraphviz(*wanted)) {
                auto preview = layeredLayout(*wanted, context.stopToken());
                context.post([this, request, preview] {
                    if (request == request_) {
                        preview_ = preview;
                        if (!previewTimer_.isActive()) {
                            showPreview();
                        }
                    }
                });
            }
            return library->best(*wanted, context.stopToken());
        },
        [this, request](LayoutLibrary::Result result) {
            if (request != request_) {
                return;
            }
            setRunning(false);
            Q_EMIT ready(result.layout);
            if (!result.note.isEmpty()) {
                Q_EMIT notice(result.note);
            }
        },
        [this, request](const QString& message) {
            if (request == request_) {
                setRunning(false);
                Q_EMIT notice(message);
            }
        });
    // Cancelled by the user: the preview is what there is.
    connect(job_, &Job::finished, this, [this, request] {
        if (request == request_ && running_) {
            previewTimer_.stop();
            showPreview();
            setRunning(false);
        }
    });
}

} // namespace doppler::views
