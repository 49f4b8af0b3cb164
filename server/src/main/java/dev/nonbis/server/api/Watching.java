package dev.nonbis.server.api;

import dev.nonbis.server.metrics.Metrics;
import dev.nonbis.server.tracing.Tracing;

/** Who is told what handlers see. */
public record Watching(Metrics metrics, Tracing tracing) {}
