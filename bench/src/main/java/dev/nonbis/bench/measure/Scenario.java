package dev.nonbis.bench.measure;

import dev.nonbis.bench.load.Phase;
import java.util.List;
import java.util.Optional;

/** Named phases that are measured in turn; ratios are taken to the baseline, where the server offers one. */
public record Scenario(String name, Optional<Phase> baseline, List<Phase> phases) {}
