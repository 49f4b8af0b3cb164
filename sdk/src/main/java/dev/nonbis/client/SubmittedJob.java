package dev.nonbis.client;

import java.time.Instant;

/**
 * A job that exists.
 *
 * @param requestHash what the job was asked to do, as lowercase hex SHA-256 of the canonical request
 * @param answer the whole answer; {@link Answer#replayed} says whether the job had existed before
 */
public record SubmittedJob(
        String jobId, String state, String traceId, String requestHash, Instant createdAt, Answer answer) {

    static SubmittedJob of(Answer answer) {
        var body = answer.body();
        return new SubmittedJob(
                body.path("job_id").asString(),
                body.path("state").asString(),
                body.path("trace_id").asString(),
                body.path("request_hash").asString(),
                Instant.parse(body.path("created_at").asString()),
                answer);
    }
}
