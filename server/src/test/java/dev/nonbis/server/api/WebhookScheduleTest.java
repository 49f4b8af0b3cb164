package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.DeliverWebhooks;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.webhook.Webhook;
import dev.nonbis.core.webhook.WebhookSender;
import dev.nonbis.core.webhook.WebhookSender.Outcome;
import dev.nonbis.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a webhook is tried again, on a clock that is moved by hand. */
class WebhookScheduleTest {

    private static final Webhook.Key MIRROR = new Webhook.Key(new TenantId("acme"), "mirror");
    private static final List<Duration> WAITS = List.of(
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10),
            Duration.ofHours(14),
            Duration.ofHours(20),
            Duration.ofHours(24));

    private final TestPlane plane = new TestPlane();
    private final List<String> sent = new ArrayList<>();
    private Outcome outcome = new Outcome.Answered(500);
    private final DeliverWebhooks deliver = new DeliverWebhooks(plane.ports, (webhook, message) -> {
        sent.add(message.id());
        return outcome;
    });

    @BeforeEach
    void put() {
        plane.put("/api/v1/webhooks/mirror")
                .body("{\"url\":\"https://example.com/hook\"}")
                .send();
    }

    /** Deals with everything that is due; how many tries that were. */
    private int tries() {
        int before = sent.size();
        deliver.wakeIdle();
        while (deliver.due().anyMatch(MIRROR::equals)) {
            deliver.deliver(MIRROR);
        }
        return sent.size() - before;
    }

    private List<String> deliveries() {
        return plane
                .get("/api/v1/webhooks/mirror/deliveries")
                .send()
                .json()
                .array("items")
                .orElseThrow()
                .items()
                .stream()
                .map(item -> (JsonObject) item)
                .map(item -> item.integer("seq").orElseThrow() + " "
                        + item.string("status").orElseThrow() + " "
                        + item.integer("attempts").orElseThrow())
                .toList();
    }

    @Test
    void an_event_is_tried_ten_times_over_three_days_under_one_id_and_then_given_up_for_the_next() {
        plane.post("/api/v1/jobs").body("{\"topic\":\"job.a\"}").send();
        assertThat(tries()).isEqualTo(1);
        for (int i = 0; i < WAITS.size(); i++) {
            plane.clock.advance(WAITS.get(i).minusMillis(1));
            assertThat(tries()).as("just before wait %d is over", i).isZero();
            assertThat(deliveries()).containsExactly("1 retrying " + (i + 1));
            outcome = i == WAITS.size() - 1 ? new Outcome.Failed("the host is not known") : outcome;
            plane.clock.advance(Duration.ofMillis(1));
            if (i < WAITS.size() - 1) {
                assertThat(tries()).as("when wait %d is over", i).isEqualTo(1);
            }
        }

        // The last try of the first event, and the first of the second.
        assertThat(tries()).isEqualTo(2);
        assertThat(sent.subList(0, 10)).containsOnly(sent.getFirst());
        assertThat(sent.getLast()).isNotEqualTo(sent.getFirst());
        assertThat(deliveries()).containsExactly("2 retrying 1", "1 given_up 10");
    }

    @Test
    void after_a_success_the_waits_begin_anew() {
        plane.post("/api/v1/jobs").body("{\"topic\":\"job.a\"}").send();
        tries();
        plane.clock.advance(WAITS.get(0));
        tries();
        outcome = new Outcome.Answered(200);
        plane.clock.advance(WAITS.get(1));
        assertThat(tries()).isEqualTo(2);
        assertThat(deliveries()).containsExactly("2 delivered 1", "1 delivered 3");

        outcome = new Outcome.Answered(503);
        plane.post("/api/v1/jobs").body("{\"topic\":\"job.a\"}").send();
        tries();
        plane.clock.advance(WAITS.get(0));
        assertThat(tries()).isEqualTo(1);
    }

    @Test
    void a_webhook_that_wants_few_types_keeps_as_many_deliveries_as_any_and_none_when_it_is_deleted() {
        outcome = new Outcome.Answered(200);
        plane.put("/api/v1/webhooks/mirror")
                .body("{\"url\":\"https://example.com/hook\",\"types\":[\"job.cancelled\"]}")
                .send();
        for (int i = 0; i < 1_010; i++) {
            var job = plane.post("/api/v1/jobs").body("{\"topic\":\"job.a\"}").send();
            plane.post("/api/v1/jobs/" + job.string("job_id") + "/cancel").send();
        }
        tries();

        assertThat(sent).hasSize(1_010);
        assertThat(storedDeliveries()).isEqualTo(DeliverWebhooks.KEPT_DELIVERIES);

        plane.delete("/api/v1/webhooks/mirror").send();
        assertThat(storedDeliveries()).isZero();
    }

    private int storedDeliveries() {
        return plane.ports
                .store()
                .read(tx -> tx.scan(
                        Range.keysStartingWith(Tables.WEBHOOK_DELIVERIES, "").limit(10_000)))
                .size();
    }

    @Test
    void a_try_that_takes_as_long_as_it_may_is_not_made_by_a_second_server() {
        var second = new DeliverWebhooks(plane.ports, (webhook, message) -> {
            throw new AssertionError("a second try");
        });
        var first = new DeliverWebhooks(plane.ports, (webhook, message) -> {
            plane.clock.advance(WebhookSender.LONGEST_TRY);
            assertThat(second.due()).isEmpty();
            assertThat(second.deliver(MIRROR)).isFalse();
            return new Outcome.Answered(200);
        });

        first.deliver(MIRROR);

        assertThat(deliveries()).containsExactly("1 delivered 1");
    }

    @Test
    void a_redirect_is_a_failure_like_any_other() {
        outcome = new Outcome.Answered(302);
        assertThat(tries()).isEqualTo(1);
        assertThat(deliveries()).containsExactly("1 retrying 1");
    }
}
