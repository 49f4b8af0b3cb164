package dev.nonbis.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.idempotency.Fingerprint;
import dev.nonbis.core.idempotency.IdempotencyKey;
import dev.nonbis.core.idempotency.KeyRecord;
import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.idempotency.RecordedAnswer;
import dev.nonbis.core.idempotency.Sent;
import dev.nonbis.core.idempotency.StoredKey;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.Job.Duplicates;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.job.Progress;
import dev.nonbis.core.job.Timeline;
import dev.nonbis.core.job.TimelineEntry;
import dev.nonbis.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RowCodecsTest {

    private static final Instant AT = Instant.parse("2026-03-01T12:00:00.123456Z");
    private static final KeyScope SCOPE = new KeyScope(new TenantId("acme"), Operation.JOBS, IdempotencyKey.of("k"));
    private static final String JOB = "job_01m7kmk06rth9bmaftgq091tps";
    private static final String REQUEST = "req_01m7kmk05zw3j9h2bd00000003";
    private static final String DIGEST = "0123456789abcdef".repeat(4);
    private static final String ANSWER = "{\"job_id\":\"" + JOB + "\",\"state\":\"PENDING\",\"trace_id\":\""
            + DIGEST.substring(32) + "\",\"request_hash\":\"" + DIGEST
            + "\",\"created_at\":\"2026-03-01T12:00:00.123456Z\"}";

    @Test
    void a_key_comes_back_with_its_answer_byte_for_byte() {
        for (String answer : List.of(
                ANSWER,
                ANSWER.replace(JOB, "job_01m7kmk06rth9bmaftgq091tpx"),
                ANSWER.replace("PENDING", "\\\"\u00e9"),
                ANSWER.replace(DIGEST, DIGEST.toUpperCase(java.util.Locale.ROOT)),
                ANSWER + " ",
                " " + ANSWER,
                "{\"job_id\":\"\"}",
                "{\"run_id\":\"run_01m7kmk06rth9bmaftgq091tps\"}",
                "")) {
            for (var expires : List.of(Optional.<Instant>empty(), Optional.of(AT))) {
                for (String fingerprint : List.of("v1:" + DIGEST, DIGEST, "v12:", "")) {
                    var key = new KeyRecord(
                            JOB,
                            expires,
                            REQUEST,
                            new Sent(DIGEST),
                            new Fingerprint(fingerprint),
                            new RecordedAnswer(200, "application/json", answer.getBytes(StandardCharsets.UTF_8)));

                    assertThat(KeyCodec.decode(KeyCodec.encode(StoredKey.of(SCOPE, key)))
                                    .intact(SCOPE)
                                    .orElseThrow())
                            .usingRecursiveComparison()
                            .isEqualTo(key);
                }
            }
        }
    }

    @Test
    void the_usual_answer_takes_little_room() {
        var answer = new RecordedAnswer(200, "application/json", ANSWER.getBytes(StandardCharsets.UTF_8));
        var key =
                new KeyRecord(JOB, Optional.of(AT), REQUEST, new Sent(DIGEST), new Fingerprint("v1:" + DIGEST), answer);

        assertThat(KeyCodec.encode(StoredKey.of(SCOPE, key))).hasSizeLessThan(210);
    }

    @Test
    void a_job_comes_back_with_all_that_it_may_have() {
        var labels = new LinkedHashMap<String, String>();
        labels.put("team", "\u00e9");
        labels.put("", "");
        var note = JsonObject.builder().put("execution", 1).build();
        var bare = new Job(
                new JobId(JOB),
                new TenantId("acme"),
                new Job.Spec("job.default", Map.of(), Optional.empty(), Optional.empty()),
                new Job.Origin("alice", Trace.NONE, DIGEST, AT, Optional.empty()),
                JobState.DENIED,
                Optional.empty(),
                Progress.NONE,
                Duplicates.NONE,
                new Timeline(List.of()));
        var full = new Job(
                new JobId("job-1"),
                new TenantId("acme"),
                new Job.Spec("job.default", labels, Optional.of(5L), Optional.of(50)),
                new Job.Origin(
                        "alice",
                        new Trace(DIGEST.substring(32), Optional.of("b7ad6b7169203331-01")),
                        DIGEST,
                        AT,
                        Optional.of(new Job.StepRef(new RunId("run_1"), "pay")),
                        Optional.of(new Admission(REQUEST, AT.plusMillis(3), new byte[] {1, 2, 3})),
                        0),
                JobState.RUNNING,
                Optional.of(AT.minusSeconds(100_000)),
                Progress.NONE.intended().published(),
                new Duplicates(3, 4),
                new Timeline(List.of(
                        new TimelineEntry(AT, "PENDING", JsonObject.EMPTY),
                        new TimelineEntry(AT.plusSeconds(9), "SCHEDULED", note))));

        for (var job : List.of(bare, full, bare.askedApart(1_000_000), full.askedApart(2_049))) {
            var back = JobCodec.decode(JobCodec.encode(job));

            assertThat(back).usingRecursiveComparison().isEqualTo(job);
            assertThat(back.spec().labels().keySet())
                    .containsExactlyElementsOf(job.spec().labels().keySet());
        }
    }
}
