package dev.nonbis.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.JobId;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BackoffTest {

    private static final JobId JOB = new JobId("job_01kjmrc7g04t9w2e6x8b1n5q7z");

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2", "2, 4", "3, 8", "4, 16", "5, 30", "6, 30", "1000, 30"})
    void the_wait_doubles_with_up_to_a_second_of_jitter_and_ends_at_thirty(int failuresBefore, int seconds) {
        var wait = Backoff.after(failuresBefore, JOB);

        assertThat(wait).isBetween(Duration.ofSeconds(seconds), Duration.ofSeconds(Math.min(30, seconds + 1)));
    }
}
