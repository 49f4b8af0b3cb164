package dev.nonbis.core.store;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.Job.Origin;
import dev.nonbis.core.job.Job.Spec;
import dev.nonbis.core.job.Job.StepRef;
import dev.nonbis.core.job.JobState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The job, and the request that asked for it if it is kept here; times are told from when the job was made. */
final class JobCodec {

    private static final int USUAL_BYTES = 512;

    private JobCodec() {}

    static byte[] encode(Job job) {
        var row = new Packer(USUAL_BYTES)
                .text(job.id().value())
                .text(job.tenant().value())
                .text(job.state().name());
        put(row, job.spec());
        put(row, job.origin());
        long created = Timestamps.micros(job.origin().createdAt());
        row.optional(job.due().map(at -> Timestamps.micros(at) - created)).bytes(ProgressCodec.encode(job.progress()));
        TimelineCodec.put(row, job.origin().createdAt(), job.duplicates(), job.timeline());
        // Older servers end before it.
        if (job.origin().bytesApart() > 0) {
            row.number(job.origin().bytesApart());
        }
        return row.end();
    }

    static Job decode(byte[] body) {
        var row = new Unpacker(body);
        var id = new JobId(row.text());
        var tenant = new TenantId(row.text());
        var state = JobState.valueOf(row.text());
        var spec = spec(row);
        var origin = origin(row);
        long created = Timestamps.micros(origin.createdAt());
        var job = new Job(
                id,
                tenant,
                spec,
                origin,
                state,
                row.optional().map(since -> Timestamps.ofMicros(created + since)),
                ProgressCodec.decode(row.bytes()),
                TimelineCodec.duplicates(row),
                TimelineCodec.timeline(row, origin.createdAt()));
        return row.hasMore() ? job.askedApart((int) row.number()) : job;
    }

    private static void put(Packer row, Spec spec) {
        row.text(spec.topic()).number(spec.labels().size());
        spec.labels().forEach((name, value) -> row.text(name).text(value));
        row.optional(spec.deadlineMs()).optional(spec.maxAttempts().map(Integer::longValue));
    }

    private static Spec spec(Unpacker row) {
        return new Spec(row.text(), labels(row), row.optional(), row.optional().map(Long::intValue));
    }

    private static Map<String, String> labels(Unpacker row) {
        int count = row.count();
        var labels = LinkedHashMap.<String, String>newLinkedHashMap(count);
        for (int i = 0; i < count; i++) {
            labels.put(row.text(), row.text());
        }
        return labels;
    }

    private static void put(Packer row, Origin origin) {
        row.text(origin.submittedBy())
                .text(origin.trace().text())
                .text(origin.requestHash())
                .number(Timestamps.micros(origin.createdAt()))
                .flag(origin.step().isPresent());
        origin.step().ifPresent(step -> row.text(step.run().value()).text(step.step()));
        row.flag(origin.asked().isPresent());
        origin.asked().ifPresent(asked -> AdmissionCodec.put(row, asked));
    }

    private static Origin origin(Unpacker row) {
        return new Origin(
                row.text(),
                Trace.ofText(row.text()),
                row.text(),
                Timestamps.ofMicros(row.number()),
                row.flag() ? Optional.of(new StepRef(new RunId(row.text()), row.text())) : Optional.empty(),
                row.flag() ? Optional.of(AdmissionCodec.get(row)) : Optional.empty(),
                0);
    }
}
