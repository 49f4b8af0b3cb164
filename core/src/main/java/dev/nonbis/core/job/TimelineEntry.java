package dev.nonbis.core.job;

import dev.nonbis.json.JsonObject;
import java.time.Instant;

/** One thing that happened to a job or a run, in the order in which it was recorded. */
public record TimelineEntry(Instant at, String type, JsonObject data) {}
