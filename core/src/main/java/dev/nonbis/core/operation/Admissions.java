package dev.nonbis.core.operation;

import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tables.JobKey;
import dev.nonbis.core.store.Tx;
import java.util.Optional;

/** What was asked for, beside what it made: in the job's own row where it is small, otherwise in a row that never changes. */
public final class Admissions {

    // A job's row is written again with each of its moves.
    private static final int SMALL_BYTES = 2048;

    private Admissions() {}

    /** Looks rows up; every kind of transaction can. */
    public interface Lookup {
        <K, V> Optional<V> find(Table<K, V> table, K key);
    }

    public static Optional<Admission> find(Lookup rows, TenantId tenant, String subject) {
        return JobId.of(subject)
                .flatMap(id -> rows.find(Tables.JOBS, new JobKey(tenant, id)))
                .flatMap(job -> job.origin().asked())
                .or(() -> rows.find(Tables.ADMISSIONS, new Admission.Key(tenant, subject)));
    }

    /** What was asked for when this job was made. */
    public static Optional<Admission> find(Lookup rows, Job job) {
        return job.origin()
                .asked()
                .or(() -> rows.find(
                        Tables.ADMISSIONS,
                        new Admission.Key(job.tenant(), job.id().value())));
    }

    /** What was asked for when the thing was made; its absence is our mistake. */
    static Admission get(Lookup rows, TenantId tenant, String subject) {
        return find(rows, tenant, subject)
                .orElseThrow(() -> new IllegalStateException("nothing tells what was asked for " + subject));
    }

    /** Keeps what was asked for; the job, if it is one, has just been inserted by the same block. */
    static void keep(Tx tx, TenantId tenant, String subject, Admission admission) {
        int bytes = admission.body().length;
        var key = JobId.of(subject).map(id -> new JobKey(tenant, id));
        boolean apart = key.isEmpty() || bytes > SMALL_BYTES;
        if (apart) {
            tx.insert(Tables.ADMISSIONS, new Admission.Key(tenant, subject), admission);
        }
        if (key.isPresent()) {
            var job = tx.get(Tables.JOBS, key.get());
            tx.update(Tables.JOBS, key.get(), apart ? job.askedApart(bytes) : job.asked(admission));
        }
    }
}
