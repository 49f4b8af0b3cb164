package dev.nonbis.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.JobId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MessageIdTest {

    private static final JobId JOB = new JobId("job_01kjmrc7g04t9w2e6x8b1n5q7z");

    @ParameterizedTest
    @CsvSource({
        ",         1, jobreq:job_01kjmrc7g04t9w2e6x8b1n5q7z",
        ",         2, jobreq:job_01kjmrc7g04t9w2e6x8b1n5q7z:2",
        ",        17, jobreq:job_01kjmrc7g04t9w2e6x8b1n5q7z:17",
        "mine,     1, jobreq:job.refund:mine",
        "mine,     2, jobreq:job.refund:mine:2",
        "approval:job_1, 1, jobreq:job.refund:approval:job_1",
        "approval:job_1, 3, jobreq:job.refund:approval:job_1:3"
    })
    void a_request_is_named_by_override_or_job_and_from_the_second_on_by_execution(
            @Nullable String override, int execution, String expected) {
        assertThat(MessageId.request(JOB, "job.refund", Optional.ofNullable(override), execution)
                        .value())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"1, jobres:job_01kjmrc7g04t9w2e6x8b1n5q7z:1", "2, jobres:job_01kjmrc7g04t9w2e6x8b1n5q7z:2"})
    void a_result_is_named_by_job_and_execution(int execution, String expected) {
        assertThat(MessageId.result(JOB, execution).value()).isEqualTo(expected);
    }
}
