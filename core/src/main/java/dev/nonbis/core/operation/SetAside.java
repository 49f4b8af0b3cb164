package dev.nonbis.core.operation;

import dev.nonbis.core.dispatch.Backoff;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tables.JobKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Settles many jobs in one write, and each by itself when one of them makes that impossible. The one is set aside and tried again
 * later, so that it neither stops the others nor keeps a loop busy. Only a mistake of ours or a damaged row gets here, so what is
 * remembered need not survive a restart.
 */
final class SetAside {

    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

    private final BiConsumer<Job, RuntimeException> onFailure;
    private final Map<JobKey, Aside> aside = new HashMap<>();

    /** How often a job failed in a row, and from when on it may be tried again. */
    private record Aside(int failures, Instant until) {}

    /** {@code onFailure} hears of each job that cannot be settled even by itself. */
    SetAside(BiConsumer<Job, RuntimeException> onFailure) {
        this.onFailure = onFailure;
    }

    /** How many may stand in front of those that can be settled. */
    int size() {
        return aside.size();
    }

    boolean holds(Job job, Instant now) {
        var found = aside.get(Tables.key(job));
        return found != null && found.until().isAfter(now);
    }

    /** What the writes returned: one when all goes well. Trouble of the store is not the jobs' fault, and is thrown. */
    <R> List<R> settle(List<Job> jobs, Instant now, Function<List<Job>, R> write) {
        aside.values().removeIf(old -> old.until().plus(FORGOTTEN_AFTER).isBefore(now));
        try {
            var result = write.apply(jobs);
            if (!aside.isEmpty()) {
                jobs.forEach(job -> aside.remove(Tables.key(job)));
            }
            return List.of(result);
        } catch (StoreUnavailable e) {
            throw e;
        } catch (RuntimeException oneIsBad) {
            return jobs.size() == 1 ? failed(jobs.getFirst(), now, oneIsBad) : oneByOne(jobs, now, write);
        }
    }

    private <R> List<R> oneByOne(List<Job> jobs, Instant now, Function<List<Job>, R> write) {
        var results = new ArrayList<R>();
        for (var job : jobs) {
            results.addAll(settle(List.of(job), now, write));
        }
        return results;
    }

    private <R> List<R> failed(Job job, Instant now, RuntimeException why) {
        aside.compute(Tables.key(job), (key, before) -> {
            int failures = before == null ? 0 : before.failures();
            return new Aside(failures + 1, now.plus(Backoff.after(failures, job.id())));
        });
        onFailure.accept(job, why);
        return List.of();
    }
}
