package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.job.JobState;
import dev.nonbis.core.operation.CountJobs;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.testkit.store.CountedBackend;
import dev.nonbis.testkit.store.MemoryBackend;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CountJobsTest {

    private final CountedBackend backend = new CountedBackend(new MemoryBackend());
    private final TestPlane plane = new TestPlane(new DirectStore(backend), Policy.ALLOW_ALL, Settings.DEFAULTS);
    private final CountJobs counted = new CountJobs(plane.ports);

    private String submit(String as) {
        return plane.post("/api/v1/jobs")
                .as(as)
                .body("{\"topic\":\"job.default\"}")
                .send()
                .string("job_id");
    }

    @Test
    void the_sums_follow_every_tenant_and_every_server_sees_the_same() {
        var job = submit(TestPlane.ACME);
        submit(TestPlane.GLOBEX);
        assertThat(counted.count()).containsEntry(JobState.PENDING, 2L);

        plane.clock.advance(Duration.ofMinutes(30));
        plane.post("/api/v1/jobs/" + job + "/cancel").send();
        assertThat(counted.count()).containsEntry(JobState.PENDING, 1L).containsEntry(JobState.CANCELLED, 1L);

        assertThat(new CountJobs(plane.ports).count()).isEqualTo(counted.count());
    }

    @Test
    void a_tenant_whose_counts_have_not_changed_is_not_read_again() {
        submit(TestPlane.ACME);
        submit(TestPlane.GLOBEX);
        counted.count();
        plane.clock.advance(Duration.ofMinutes(10));
        counted.count();
        submit(TestPlane.GLOBEX);

        long before = backend.rows();
        counted.count();
        assertThat(backend.rows() - before).isEqualTo(1);
    }

    @Test
    void a_change_by_a_server_whose_clock_is_far_behind_is_counted_within_the_hour() {
        submit(TestPlane.ACME);
        plane.clock.advance(Duration.ofMinutes(10));
        counted.count();
        plane.clock.advance(Duration.ofMinutes(-10));
        submit(TestPlane.ACME);
        plane.clock.advance(Duration.ofMinutes(11));
        counted.count();
        plane.clock.advance(Duration.ofHours(1));

        assertThat(counted.count()).containsEntry(JobState.PENDING, 2L);
    }
}
