package dev.nonbis.testkit.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.bus.BusUnavailable;
import dev.nonbis.core.dispatch.Announcement;
import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.dispatch.Result.Status;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.operation.AnnounceResults;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.testkit.bus.FaultyBus.Fault;
import dev.nonbis.testkit.store.FaultyBackend;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AnnounceResultsTest {

    private final Plane plane = Plane.apart();
    private final AnnounceResults announce = new AnnounceResults(plane.dispatching);

    private JobId started() {
        var id = plane.submit();
        plane.dispatch();
        plane.start(id, "w", 1);
        return id;
    }

    @Test
    void each_recorded_result_is_told_once_under_its_name() {
        var id = started();
        plane.result(id, "w", 1, Status.RETRYABLE);
        plane.result(id, "w", 1, Status.RETRYABLE);
        plane.pass(Duration.ofMinutes(1));
        plane.dispatch();
        plane.start(id, "w", 2);
        plane.result(id, "w", 2, Status.SUCCEEDED);

        assertThat(announce.runOnce()).isEqualTo(2);
        assertThat(announce.runOnce()).isZero();

        assertThat(plane.faultyBus.announced())
                .extracting(Announcement::id)
                .containsExactly(MessageId.result(id, 1), MessageId.result(id, 2));
        assertThat(plane.faultyBus.announced())
                .extracting(Announcement::status)
                .containsExactly(Status.RETRYABLE, Status.SUCCEEDED);
    }

    @Test
    void what_the_bus_refuses_is_owed_still() {
        plane.result(started(), "w", 1, Status.SUCCEEDED);
        plane.faultyBus.then(Fault.REFUSED);

        assertThatThrownBy(announce::runOnce).isInstanceOf(BusUnavailable.class);
        assertThat(plane.faultyBus.announced()).isEmpty();

        assertThat(announce.runOnce()).isEqualTo(1);
        assertThat(plane.faultyBus.announced()).hasSize(1);
    }

    @Test
    void who_dies_after_telling_leaves_it_to_be_told_again_under_the_same_name() {
        plane.result(started(), "w", 1, Status.SUCCEEDED);
        plane.storeFaults.then(FaultyBackend.Call.APPLY, FaultyBackend.Fault.REFUSED);

        assertThatThrownBy(announce::runOnce).isInstanceOf(StoreUnavailable.class);
        assertThat(announce.runOnce()).isEqualTo(1);

        assertThat(plane.faultyBus.announced()).hasSize(2);
        assertThat(plane.faultyBus.announced())
                .extracting(Announcement::id)
                .containsOnly(plane.faultyBus.announced().getFirst().id());
    }

    @Test
    void a_result_that_is_not_recorded_is_not_told() {
        var id = started();
        plane.result(id, "another", 1, Status.SUCCEEDED);
        plane.result(id, "w", 7, Status.SUCCEEDED);

        assertThat(announce.runOnce()).isZero();
    }

    @Test
    void on_the_embedded_bus_nothing_is_owed() {
        var embedded = Plane.embedded();
        var id = embedded.submit();
        embedded.dispatch();
        embedded.start(id, "w", 1);
        embedded.result(id, "w", 1, Status.SUCCEEDED);

        assertThat(new AnnounceResults(embedded.dispatching).runOnce()).isZero();
    }
}
