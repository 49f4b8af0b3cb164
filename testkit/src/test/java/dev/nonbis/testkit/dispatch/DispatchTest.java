package dev.nonbis.testkit.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.bus.EmbeddedBus;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.Result.Status;
import dev.nonbis.core.dispatch.TopicRules;
import dev.nonbis.core.dispatch.TopicRules.LostWorker;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.job.TimelineEntry;
import dev.nonbis.core.operation.Dispatch;
import dev.nonbis.core.operation.DispatchListener;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.operation.PollWork;
import dev.nonbis.core.operation.Reconcile;
import dev.nonbis.core.operation.RecordResult;
import dev.nonbis.core.operation.StartJob;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.testkit.bus.FaultyBus;
import dev.nonbis.testkit.bus.FaultyBus.Crashed;
import dev.nonbis.testkit.bus.FaultyBus.Fault;
import dev.nonbis.testkit.store.FaultyBackend;
import dev.nonbis.testkit.store.MemoryBackend;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DispatchTest {

    private static final Duration BACK_OFF = Duration.ofSeconds(5);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_poll_hands_out_a_megabyte_and_leaves_the_others_as_they_are(boolean sizesAreKnown) {
        var plane = Plane.embedded();
        var jobs = new ArrayList<JobId>();
        for (int bytes : List.of(400_000, 400_000, 400_000, 1_500_000, 10)) {
            jobs.add(plane.submitLarge(bytes));
            plane.pass(Duration.ofMillis(1));
        }
        plane.dispatch();
        if (!sizesAreKnown) {
            plane.forgetSizesOfMessages();
        }

        assertThat(plane.poll(10))
                .extracting(delivery -> delivery.job().id())
                .containsExactlyElementsOf(jobs.subList(0, 3));
        assertThat(jobs.subList(3, 5)).allMatch(job -> plane.deliveries(job) == 0);
        assertThat(plane.poll(10)).extracting(delivery -> delivery.job().id()).containsExactly(jobs.get(3));
        var last = plane.poll(10);
        assertThat(last).extracting(delivery -> delivery.job().id()).containsExactly(jobs.get(4));
        assertThat(new String(last.getFirst().asked(), StandardCharsets.UTF_8))
                .isEqualTo("{\"input\":{\"x\":\"xxxxxxxxxx\"}}");
        assertThat(plane.poll(10)).isEmpty();
        assertThat(plane.start(jobs.get(3), "w", 1)).isInstanceOf(StartJob.Outcome.Started.class);
        assertThat(plane.job(jobs.get(3)).progress().executions()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_dispatched_write_that_fails_publishes_nothing_and_its_repetition_publishes_once(boolean embedded) {
        var plane = embedded ? Plane.embedded() : Plane.apart();
        var job = plane.submit();
        plane.storeFaults.then(FaultyBackend.Call.APPLY, FaultyBackend.Fault.REFUSED);

        assertThatThrownBy(plane::dispatch).isInstanceOf(StoreUnavailable.class);
        assertThat(plane.poll(10)).isEmpty();
        assertThat(plane.job(job).state()).isEqualTo(JobState.PENDING);
        assertThat(plane.told).containsExactly("retried dispatched_write");

        plane.dispatch();
        plane.dispatch();
        assertThat(plane.poll(10)).hasSize(1);
        assertThat(plane.job(job).progress().attempts()).isEqualTo(1);
        assertThat(plane.job(job).progress().executions()).isEqualTo(1);
    }

    @Test
    void a_dispatched_write_whose_reply_is_lost_is_published_within_ten_seconds() {
        var plane = Plane.apart();
        var job = plane.submit();
        plane.storeFaults.then(FaultyBackend.Call.APPLY, FaultyBackend.Fault.REPLY_LOST);
        assertThatThrownBy(plane::dispatch).isInstanceOf(StoreUnavailable.class);
        assertThat(plane.faultyBus.accepted()).isEmpty();

        plane.pass(Duration.ofSeconds(10));
        plane.reconcile();

        assertThat(plane.faultyBus.accepted()).hasSize(1);
        assertThat(plane.job(job).progress().executions()).isEqualTo(1);
    }

    @Test
    void two_failed_publishes_are_four_attempts_and_two_rollbacks_and_then_one_delivery() {
        var plane = Plane.apart();
        var job = plane.submit();
        plane.faultyBus.then(Fault.REFUSED).then(Fault.REFUSED);

        plane.dispatch();
        assertThat(plane.job(job).state()).isEqualTo(JobState.SCHEDULED);
        plane.dispatch();
        assertThat(plane.told).as("the back-off is kept").containsExactly("retried publish", "rolled back");
        plane.pass(BACK_OFF);
        plane.dispatch();

        assertThat(plane.job(job).progress().attempts()).isEqualTo(4);
        assertThat(plane.job(job).progress().executions()).isZero();
        assertThat(plane.told).containsExactly("retried publish", "rolled back", "retried publish", "rolled back");
        assertThat(plane.poll(10)).isEmpty();

        plane.pass(BACK_OFF);
        plane.dispatch();
        assertThat(plane.faultyBus.accepted()).hasSize(1);
        assertThat(plane.job(job).progress().executions()).isEqualTo(1);
        assertThat(plane.poll(10))
                .singleElement()
                .satisfies(delivery -> assertThat(delivery.fence()).isEqualTo(1));
    }

    @Test
    void a_rollback_that_fails_is_counted_and_the_job_moves_again_within_ten_seconds() {
        var plane = Plane.apart();
        var job = plane.submit();
        plane.faultyBus.then(Fault.REFUSED);
        plane.storeFaults
                .then(FaultyBackend.Call.APPLY, FaultyBackend.Fault.NONE)
                .then(FaultyBackend.Call.APPLY, FaultyBackend.Fault.REFUSED);

        plane.dispatch();
        assertThat(plane.job(job).state()).isEqualTo(JobState.DISPATCHED);
        assertThat(plane.told).containsExactly("retried publish", "rollback failed", "retried rollback_write");

        plane.pass(Duration.ofSeconds(9));
        plane.reconcile();
        assertThat(plane.faultyBus.accepted())
                .as("the intent still has its owner")
                .isEmpty();
        plane.pass(Duration.ofSeconds(1));
        plane.reconcile();
        assertThat(plane.faultyBus.accepted()).hasSize(1);
        assertThat(plane.poll(10)).hasSize(1);
    }

    @Test
    void a_server_killed_between_write_and_publish_is_replaced_within_ten_seconds() {
        var plane = Plane.apart();
        var job = plane.submit();
        plane.faultyBus.then(Fault.CRASH);
        assertThatThrownBy(plane::dispatch).isInstanceOf(Crashed.class);
        assertThat(plane.job(job).state()).isEqualTo(JobState.DISPATCHED);

        plane.pass(Duration.ofSeconds(10));
        plane.reconcile();
        plane.reconcile();
        plane.pass(Duration.ofSeconds(20));
        plane.reconcile();

        assertThat(plane.faultyBus.accepted()).hasSize(1);
        assertThat(plane.job(job).progress().attempts()).isEqualTo(1);
        runToSuccess(plane, job, 1);
    }

    @Test
    void a_publish_whose_reply_is_lost_is_repeated_under_the_same_name_and_absorbed_by_the_window() {
        var plane = Plane.apart();
        var job = plane.submit();
        plane.faultyBus.then(Fault.REPLY_LOST);

        plane.dispatch();
        assertThat(plane.poll(10))
                .as("the message of a job that is rolled back is not handed out")
                .isEmpty();
        assertThat(plane.job(job).progress().executions())
                .as("a worker may have seen it")
                .isEqualTo(1);
        plane.pass(Duration.ofSeconds(30));
        plane.dispatch();

        assertThat(plane.faultyBus.accepted()).hasSize(1);
        assertThat(plane.told).contains("broker_window publish");
        plane.pass(Duration.ofSeconds(30));
        runToSuccess(plane, job, 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"REFUSED", "REPLY_LOST", "BROKEN"})
    void a_late_rollback_does_not_undo_a_newer_intent(Fault late) {
        var plane = Plane.apart();
        var job = plane.submit();
        // The first server's publish hangs so long that another takes the intent over, publishes, and a worker has it.
        plane.faultyBus.then(late, () -> {
            plane.pass(Duration.ofSeconds(10));
            plane.reconcile();
            assertThat(plane.poll(10)).hasSize(1);
        });

        plane.dispatch();

        assertThat(plane.job(job).state()).isEqualTo(JobState.DISPATCHED);
        assertThat(plane.job(job).progress().intent().orElseThrow().published()).isTrue();
        assertThat(plane.job(job).progress().attempts()).isEqualTo(1);
        assertThat(plane.told).doesNotContain("rolled back");
        assertThat(plane.start(job, "w", 1)).isInstanceOf(StartJob.Outcome.Started.class);
    }

    @Test
    void a_late_rollback_does_not_undo_a_newer_intent_whose_publish_is_not_confirmed_yet() {
        var plane = Plane.apart();
        var job = plane.submit();
        plane.faultyBus.then(Fault.REFUSED, () -> {
            plane.pass(Duration.ofSeconds(10));
            // The second server has the intent now, and dies with it.
            plane.faultyBus.then(Fault.CRASH);
            assertThatThrownBy(plane::reconcile).isInstanceOf(Crashed.class);
        });

        plane.dispatch();

        assertThat(plane.job(job).state()).isEqualTo(JobState.DISPATCHED);
        assertThat(plane.job(job).progress().intent().orElseThrow().number()).isEqualTo(2);
        plane.pass(Duration.ofSeconds(10));
        plane.reconcile();
        runToSuccess(plane, job, 1);
    }

    @Test
    void a_late_confirmation_does_not_confirm_a_newer_intent() {
        var plane = Plane.apart();
        var job = plane.submit();
        plane.faultyBus.then(Fault.NONE, () -> {
            plane.pass(Duration.ofSeconds(10));
            plane.faultyBus.then(Fault.CRASH);
            assertThatThrownBy(plane::reconcile).isInstanceOf(Crashed.class);
        });

        plane.dispatch();

        assertThat(plane.job(job).progress().intent().orElseThrow().published())
                .as("the second server still owes its publish")
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_job_that_cannot_be_dispatched_stops_no_other_and_is_tried_again_later(boolean embedded) {
        var plane = embedded ? Plane.embedded() : Plane.apart();
        var before = plane.submit();
        plane.submit(Plane.ALICE, "job.bad", Optional.empty(), Optional.empty());
        var after = plane.submit();
        plane.brokenTopics.add("job.bad");
        var dispatch = new Dispatch(plane.dispatching);

        assertThat(dispatch.runOnce()).isEqualTo(3);
        assertThat(plane.job(before).state()).isEqualTo(JobState.DISPATCHED);
        assertThat(plane.job(after).state()).isEqualTo(JobState.DISPATCHED);
        assertThat(plane.told).containsExactly("retried dispatched_write", "failed");
        assertThat(dispatch.runOnce()).as("the loop has nothing to do").isZero();

        plane.pass(BACK_OFF);
        assertThat(dispatch.runOnce()).as("it is tried again").isEqualTo(1);
        plane.brokenTopics.clear();
        plane.pass(BACK_OFF);
        dispatch.runOnce();
        assertThat(plane.inState(JobState.DISPATCHED)).isEqualTo(3);
    }

    @Test
    void a_queue_full_of_jobs_that_cannot_be_dispatched_does_not_hide_those_behind_them() {
        var plane = Plane.embedded();
        for (int i = 0; i < 200; i++) {
            plane.stepOfNoRun("job.default", Duration.ofSeconds(1));
        }
        plane.pass(Duration.ofSeconds(1));
        var behind = plane.submit();
        var dispatch = new Dispatch(plane.dispatching);

        for (int i = 0; i < 4; i++) {
            dispatch.runOnce();
        }

        assertThat(plane.job(behind).state()).isEqualTo(JobState.DISPATCHED);
        assertThat(dispatch.runOnce()).isZero();
    }

    @Test
    void a_job_that_cannot_be_reconciled_stops_no_other_and_does_not_keep_the_loop_busy() {
        var plane = Plane.embedded();
        plane.stepOfNoRun("job.default", Duration.ofSeconds(5));
        var job = plane.submit(Plane.ALICE, "job.default", Optional.of(5_000L), Optional.empty());
        plane.pass(Duration.ofSeconds(5));
        var reconcile = new Reconcile(plane.dispatching);

        assertThat(reconcile.runOnce()).isEqualTo(2);
        assertThat(plane.job(job).state()).isEqualTo(JobState.TIMEOUT);
        assertThat(plane.told).containsExactly("failed");
        assertThat(reconcile.runOnce()).isZero();
    }

    @Test
    void a_publish_that_breaks_by_our_own_mistake_stops_no_other() {
        var plane = Plane.apart();
        var first = plane.submit();
        var second = plane.submit();
        plane.faultyBus.then(Fault.BROKEN);

        plane.dispatch();

        assertThat(List.of(plane.job(first).state(), plane.job(second).state()))
                .containsExactlyInAnyOrder(JobState.SCHEDULED, JobState.DISPATCHED);
        assertThat(plane.told).containsExactly("failed", "retried publish", "rolled back");
        plane.pass(BACK_OFF);
        plane.dispatch();
        assertThat(plane.poll(10)).hasSize(2);
    }

    @Test
    void a_job_that_no_worker_starts_is_dispatched_again_as_another_execution() {
        var plane = Plane.embedded();
        var job = plane.submit();
        plane.dispatch();
        plane.pass(Duration.ofSeconds(299));
        plane.reconcile();
        assertThat(plane.job(job).state()).isEqualTo(JobState.DISPATCHED);
        plane.pass(Duration.ofSeconds(1));
        plane.reconcile();
        assertThat(plane.job(job).state()).isEqualTo(JobState.SCHEDULED);
        plane.dispatch();

        assertThat(plane.poll(10))
                .singleElement()
                .satisfies(delivery -> assertThat(delivery.fence()).isEqualTo(2));
        assertThat(plane.job(job).progress().attempts()).isEqualTo(2);
        assertThat(plane.start(job, "w", 1)).isInstanceOf(StartJob.Outcome.Stale.class);
        assertThat(plane.told).containsExactly("worker_fence start");
    }

    @Test
    void a_worker_paused_past_its_lease_is_stale_and_the_newer_result_stands() {
        var plane = Plane.embedded();
        var job = plane.submit();
        plane.dispatch();
        plane.poll(1);
        assertThat(plane.start(job, "slow", 1)).isInstanceOf(StartJob.Outcome.Started.class);
        plane.pass(Duration.ofMinutes(15));
        plane.reconcile();
        plane.dispatch();
        plane.poll(1);
        plane.start(job, "fast", 2);

        assertThat(plane.result(job, "slow", 1, Status.FAILED)).isInstanceOf(RecordResult.Outcome.Stale.class);
        assertThat(plane.result(job, "fast", 2, Status.SUCCEEDED)).isInstanceOf(RecordResult.Outcome.Recorded.class);
        assertThat(plane.result(job, "slow", 1, Status.FAILED)).isInstanceOf(RecordResult.Outcome.Stale.class);
        assertThat(plane.job(job).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void a_held_topic_waits_for_a_human_and_takes_the_late_answer_of_the_worker_that_had_it() {
        var plane = Plane.embedded();
        plane.rules = new TopicRules(Duration.ofMinutes(5), Duration.ofMinutes(1), 50, LostWorker.HOLD);
        var job = plane.submit();
        plane.dispatch();
        plane.start(job, "w", 1);
        plane.pass(Duration.ofMinutes(1));
        plane.reconcile();
        assertThat(plane.job(job).state()).isEqualTo(JobState.UNKNOWN);

        assertThat(plane.result(job, "other", 1, Status.FAILED)).isInstanceOf(RecordResult.Outcome.Stale.class);
        assertThat(plane.result(job, "w", 1, Status.SUCCEEDED)).isInstanceOf(RecordResult.Outcome.Recorded.class);
        assertThat(plane.job(job).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void two_workers_race_for_one_delivery_and_one_starts() {
        var plane = Plane.embedded();
        var job = plane.submit();
        plane.dispatch();

        assertThat(plane.start(job, "a", 1)).isInstanceOf(StartJob.Outcome.Started.class);
        assertThat(plane.start(job, "b", 1)).isInstanceOf(StartJob.Outcome.ClaimedElsewhere.class);
        assertThat(plane.start(job, "a", 1)).isInstanceOf(StartJob.Outcome.AlreadyStarted.class);
        assertThat(plane.told).containsExactly("job_state start", "job_state start");
    }

    @Test
    void a_result_repeated_fifty_times_is_recorded_once_and_another_one_conflicts() {
        var plane = Plane.embedded();
        var job = plane.submit();
        plane.dispatch();
        plane.start(job, "w", 1);

        assertThat(plane.result(job, "w", 1, Status.SUCCEEDED)).isInstanceOf(RecordResult.Outcome.Recorded.class);
        for (int i = 1; i < 50; i++) {
            assertThat(plane.result(job, "w", 1, Status.SUCCEEDED))
                    .isInstanceOf(RecordResult.Outcome.AlreadyRecorded.class);
        }
        assertThat(plane.told).hasSize(49).containsOnly("result_record result");
        assertThat(plane.result(job, "w", 1, Status.FAILED)).isInstanceOf(RecordResult.Outcome.Conflict.class);
        assertThat(plane.result(job, "v", 1, Status.SUCCEEDED)).isInstanceOf(RecordResult.Outcome.Conflict.class);
        assertThat(plane.job(job).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void a_retryable_result_runs_again_later_under_a_higher_fence_and_its_repetition_is_recognised() {
        var plane = Plane.embedded();
        var job = plane.submit();
        plane.dispatch();
        plane.start(job, "w", 1);
        plane.result(job, "w", 1, Status.RETRYABLE);

        assertThat(plane.result(job, "w", 1, Status.RETRYABLE))
                .isInstanceOf(RecordResult.Outcome.AlreadyRecorded.class);
        plane.dispatch();
        assertThat(plane.poll(1)).as("the back-off is kept").isEmpty();
        plane.pass(BACK_OFF);
        plane.dispatch();
        assertThat(plane.poll(1))
                .singleElement()
                .satisfies(delivery -> assertThat(delivery.fence()).isEqualTo(2));
    }

    @ParameterizedTest
    @EnumSource(names = {"RETRYABLE"})
    void out_of_attempts_is_failed_with_a_dead_letter_when_every_worker_answered(Status status) {
        var plane = Plane.embedded();
        var job = plane.submit(Plane.ALICE, "job.default", Optional.empty(), Optional.of(2));
        for (int fence = 1; fence <= 2; fence++) {
            plane.dispatch();
            plane.start(job, "w", fence);
            plane.result(job, "w", fence, status);
            plane.pass(BACK_OFF);
        }

        assertThat(plane.job(job).state()).isEqualTo(JobState.FAILED);
        assertThat(letters(plane)).isEqualTo(1);
    }

    @Test
    void out_of_attempts_is_unknown_when_a_worker_had_started_and_never_answered() {
        var plane = Plane.embedded();
        var job = plane.submit(Plane.ALICE, "job.default", Optional.empty(), Optional.of(2));
        plane.dispatch();
        plane.start(job, "w", 1);
        plane.pass(Duration.ofMinutes(15));
        plane.reconcile();
        plane.dispatch();
        plane.pass(Duration.ofMinutes(5));
        plane.reconcile();

        assertThat(plane.job(job).state()).isEqualTo(JobState.UNKNOWN);
        assertThat(letters(plane)).isEqualTo(1);
    }

    @Test
    void out_of_attempts_after_an_answer_is_unknown_too_when_an_earlier_execution_never_answered() {
        var plane = Plane.embedded();
        var job = plane.submit(Plane.ALICE, "job.default", Optional.empty(), Optional.of(2));
        plane.dispatch();
        plane.start(job, "lost", 1);
        plane.pass(Duration.ofMinutes(15));
        plane.reconcile();
        plane.dispatch();
        plane.start(job, "w", 2);

        assertThat(plane.result(job, "w", 2, Status.RETRYABLE)).isInstanceOf(RecordResult.Outcome.Recorded.class);

        assertThat(plane.job(job).state())
                .as("what the lost worker did is still open")
                .isEqualTo(JobState.UNKNOWN);
        assertThat(letters(plane)).isEqualTo(1);
        assertThat(plane.result(job, "w", 2, Status.RETRYABLE))
                .isInstanceOf(RecordResult.Outcome.AlreadyRecorded.class);
    }

    @Test
    void a_late_retryable_answer_leaves_a_job_unknown_while_an_earlier_execution_is_open() {
        var plane = Plane.embedded();
        var job = plane.submit(Plane.ALICE, "job.default", Optional.empty(), Optional.of(2));
        for (int fence = 1; fence <= 2; fence++) {
            plane.dispatch();
            plane.start(job, "w" + fence, fence);
            plane.pass(Duration.ofMinutes(15));
            plane.reconcile();
        }
        assertThat(plane.job(job).state()).isEqualTo(JobState.UNKNOWN);

        assertThat(plane.result(job, "w2", 2, Status.RETRYABLE)).isInstanceOf(RecordResult.Outcome.Recorded.class);

        assertThat(plane.job(job).state()).isEqualTo(JobState.UNKNOWN);
        assertThat(letters(plane)).isEqualTo(1);
        // It has not moved, and its story does not say so.
        assertThat(plane.job(job).timeline().entries())
                .extracting(TimelineEntry::type)
                .endsWith("UNKNOWN", "result")
                .doesNotContainSequence("UNKNOWN", "UNKNOWN");
    }

    @Test
    void a_deadline_ends_what_no_worker_has_and_leaves_what_one_has() {
        var plane = Plane.embedded();
        var waiting = plane.submit(Plane.ALICE, "job.default", Optional.of(5_000L), Optional.empty());
        var running = plane.submit(Plane.ALICE, "job.default", Optional.of(5_000L), Optional.empty());
        plane.dispatch();
        plane.start(running, "w", 1);
        plane.pass(Duration.ofSeconds(5));

        assertThat(plane.start(waiting, "w", 1)).isInstanceOf(StartJob.Outcome.Stale.class);
        plane.reconcile();
        assertThat(plane.job(waiting).state()).isEqualTo(JobState.TIMEOUT);
        assertThat(plane.job(running).state()).isEqualTo(JobState.RUNNING);
        assertThat(plane.result(running, "w", 1, Status.SUCCEEDED)).isInstanceOf(RecordResult.Outcome.Recorded.class);
    }

    @Test
    void a_deadline_ends_a_job_that_was_never_dispatched() {
        var plane = Plane.embedded();
        var job = plane.submit(Plane.ALICE, "job.default", Optional.of(5_000L), Optional.empty());
        plane.pass(Duration.ofSeconds(6));
        plane.reconcile();

        assertThat(plane.job(job).state()).isEqualTo(JobState.TIMEOUT);
    }

    @ParameterizedTest
    @CsvSource({"30, broker_window publish", "119, broker_window publish", "121, job_state delivery"})
    void a_publish_repeated_at_the_edge_of_the_window_is_absorbed_by_the_layer_that_the_table_names(
            int seconds, String layer) {
        var plane = Plane.apart();
        var job = plane.submit();
        plane.dispatch();
        plane.poll(1);
        plane.start(job, "w", 1);
        var message = Message.of(plane.job(job));

        plane.pass(Duration.ofSeconds(seconds));
        if (plane.faultyBus.publish(message) == Bus.Published.DUPLICATE) {
            plane.told.add("broker_window publish");
        }
        assertThat(plane.poll(10)).as("nothing runs twice").isEmpty();

        assertThat(plane.told).containsExactly(layer);
        assertThat(plane.job(job).progress().executions()).isEqualTo(1);
    }

    @Test
    void a_clock_that_is_set_back_delays_what_was_written_before_and_repeats_nothing() {
        var plane = Plane.embedded();
        var waiting = plane.submit();
        var running = plane.submit();
        plane.dispatch();
        plane.start(running, "w", 1);
        plane.pass(Duration.ofHours(-1));

        var later = plane.submit();
        plane.dispatch();
        plane.reconcile();
        assertThat(plane.poll(10).stream().map(delivery -> delivery.job().id())).containsExactly(later);
        assertThat(plane.start(running, "other", 1)).isInstanceOf(StartJob.Outcome.ClaimedElsewhere.class);
        assertThat(plane.result(running, "w", 1, Status.SUCCEEDED)).isInstanceOf(RecordResult.Outcome.Recorded.class);

        plane.pass(Duration.ofHours(1));
        plane.reconcile();
        assertThat(plane.poll(10).stream().map(delivery -> delivery.job().id()))
                .contains(waiting)
                .doesNotContain(running);
        assertThat(plane.start(waiting, "w", 1)).isInstanceOf(StartJob.Outcome.Started.class);
        assertThat(plane.job(waiting).progress().executions()).isEqualTo(1);
    }

    @Test
    void a_clock_that_is_set_forward_ends_leases_early_and_the_fence_absorbs_what_that_repeats() {
        var plane = Plane.embedded();
        var job = plane.submit();
        plane.dispatch();
        plane.start(job, "w", 1);
        plane.pass(Duration.ofDays(1));
        plane.reconcile();
        plane.dispatch();
        plane.pass(Duration.ofDays(-1));

        assertThat(plane.result(job, "w", 1, Status.SUCCEEDED)).isInstanceOf(RecordResult.Outcome.Stale.class);
        assertThat(plane.start(job, "v", 2)).isInstanceOf(StartJob.Outcome.Started.class);
        assertThat(plane.result(job, "v", 2, Status.SUCCEEDED)).isInstanceOf(RecordResult.Outcome.Recorded.class);
    }

    @Test
    void the_end_of_a_job_that_shares_a_name_leaves_the_message_of_the_other() {
        var plane = Plane.embedded();
        var first = plane.submitNamed("one-name");
        var second = plane.submitNamed("one-name");
        plane.dispatch();
        assertThat(plane.told).containsExactly("broker_window publish");

        plane.cancel(second);

        assertThat(plane.poll(10).stream().map(delivery -> delivery.job().id())).containsExactly(first);
    }

    @Test
    void messages_of_executions_that_were_given_up_do_not_hide_what_is_behind_them() {
        var plane = Plane.apart();
        // A bus that hears nothing of what the store knows.
        var elsewhere = new EmbeddedBus(new DirectStore(new MemoryBackend()), plane.clock);
        var ports =
                new DispatchPorts(plane.ports, new FaultyBus(elsewhere), topic -> plane.rules, DispatchListener.SILENT);
        for (int i = 0; i < 5; i++) {
            plane.submit();
        }
        new Dispatch(ports).runOnce();
        plane.pass(Duration.ofMinutes(5));
        new Reconcile(ports).runOnce();
        new Dispatch(ports).runOnce();

        var wanted = new PollWork.Wanted(Plane.ALICE.tenant(), List.of("job.default"), 2);
        assertThat(new PollWork(ports).poll(wanted))
                .isNotEmpty()
                .allSatisfy(delivery -> assertThat(delivery.fence()).isEqualTo(2));
    }

    @Test
    void a_tenant_with_a_long_queue_does_not_hold_up_one_with_a_short_one() {
        var plane = Plane.embedded();
        for (int i = 0; i < 1500; i++) {
            plane.submit();
        }
        var gina = new Actor(new TenantId("globex"), "gina", Set.of(Role.ADMIN));
        plane.pass(Duration.ofSeconds(1));
        plane.submit(gina, "job.default", Optional.empty(), Optional.empty());

        plane.dispatch();

        assertThat(new PollWork(plane.dispatching).poll(new PollWork.Wanted(gina.tenant(), List.of("job.default"), 10)))
                .hasSize(1);
    }

    @Test
    void what_the_queue_has_no_room_for_waits_as_pending_and_follows_when_there_is() {
        var plane = Plane.embedded();
        for (int i = 0; i < 1010; i++) {
            plane.submit();
        }
        for (int i = 0; i < 20; i++) {
            plane.dispatch();
        }
        assertThat(plane.inState(JobState.DISPATCHED)).isEqualTo(1000);
        plane.poll(10).forEach(delivery -> plane.start(delivery.job().id(), "w", 1));
        plane.dispatch();

        assertThat(plane.inState(JobState.PENDING)).isZero();
    }

    private static int letters(Plane plane) {
        return new dev.nonbis.core.operation.DeadLetters(plane.dispatching)
                .list(Plane.ALICE.tenant(), Optional.empty(), 10)
                .items()
                .size();
    }

    private static void runToSuccess(Plane plane, JobId job, int fence) {
        assertThat(plane.poll(10)).hasSize(1);
        assertThat(plane.start(job, "w", fence)).isInstanceOf(StartJob.Outcome.Started.class);
        assertThat(plane.result(job, "w", fence, Status.SUCCEEDED)).isInstanceOf(RecordResult.Outcome.Recorded.class);
        assertThat(plane.job(job).state()).isEqualTo(JobState.SUCCEEDED);
    }
}
