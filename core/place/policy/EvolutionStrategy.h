#pragma once

#include <cstdint>
#include <vector>

#include "core/place/Random.h"

namespace doppler::place {

/// Which correlations a strategy learns.
enum class Covariance : std::uint8_t {
    Diagonal, ///< one scale a coordinate: soon learnt, for many coordinates (sep-CMA-ES)
    Full,     ///< all of them: for tens of coordinates and thousands of generations
};

/// CMA-ES, which minimises a function of real numbers by samples alone (Hansen and Ostermeier 2001;
/// Hansen's tutorial, arXiv 1604.00772). The diagonal form: Ros and Hansen 2008. The full form
/// keeps a Cholesky factor of the covariance and updates it (Krause, Arbones, Igel 2016).
///
///     EvolutionStrategy strategy(start, scales, 40, Covariance::Diagonal);
///     while (...) {
///         const auto& samples = strategy.ask(random);
///         strategy.tell(values of samples);
///     }
class EvolutionStrategy {
public:
    /// Starts at `mean` with standard deviations `scales`; `population` samples a generation.
    EvolutionStrategy(std::vector<double> mean, std::vector<double> scales, int population,
                      Covariance covariance);

    /// The samples of the next generation.
    const std::vector<std::vector<double>>& ask(Random& random);
    /// Their values, lower is better.
    void tell(const std::vector<double>& values);

    const std::vector<double>& mean() const { return mean_; }
    double step() const { return step_; }

    /// All that changes over the generations, to go on later. Diagonal only.
    struct State {
        std::vector<double> mean, scales, stepPath, scalePath;
        double step = 1;
    };
    State state() const;
    void restore(const State& state);

private:
    std::size_t size() const { return mean_.size(); }
    void transform(const std::vector<double>& z, std::vector<double>& y) const;
    void updateFull(const std::vector<std::vector<double>>& chosen);
    void updateDiagonal(const std::vector<std::vector<double>>& chosen);
    void addToFactor(std::vector<double> direction, double weight);

    Covariance covariance_;
    std::vector<double> mean_;
    std::vector<double> scales_; ///< Diagonal: of the distribution; Full: of the coordinates
    std::vector<double> factor_; ///< Full: lower triangular, row-major
    std::vector<double> stepPath_;
    std::vector<double> scalePath_;
    double step_ = 1;

    std::vector<double> rankWeights_;
    double effective_ = 0; ///< number of samples that the weighted mean is worth
    double stepRate_ = 0, stepDamping_ = 0, pathRate_ = 0, rankOneRate_ = 0, rankManyRate_ = 0;
    double expectedNorm_ = 0;

    std::vector<std::vector<double>> normal_;
    std::vector<std::vector<double>> moved_; ///< normal_ after the covariance
    std::vector<std::vector<double>> samples_;
};

} // namespace doppler::place
