package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.audit.EventTypes;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.PutWebhook;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.store.CommitListener;
import dev.nonbis.core.store.GroupCommit;
import dev.nonbis.core.webhook.Webhook;
import dev.nonbis.testkit.store.MemoryBackend;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WebhooksApiTest {

    private static final String URL = "https://example.com/hook?token=secret";

    private final TestPlane plane = new TestPlane();

    @Test
    void sixteen_hundred_calls_at_once_store_no_more_than_the_limit() throws InterruptedException, ExecutionException {
        var settings = new GroupCommit.Settings(64, 5_000, Set.of(), CommitListener.SILENT, System::nanoTime);
        try (var store = new GroupCommit(new MemoryBackend(), settings);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var full = new TestPlane(store, Policy.ALLOW_ALL, Settings.DEFAULTS);
            var put = new PutWebhook(full.ports);
            var actor = new Actor(new TenantId("acme"), "alice", Set.of(Role.ADMIN));
            var target = new Webhook.Target(URL, List.of());
            var calls = IntStream.range(0, 1_600)
                    .<Callable<PutWebhook.Result>>mapToObj(i -> () -> put.put(actor, "w" + i, target, "whsec_"))
                    .toList();

            int stored = 0;
            for (var result : callers.invokeAll(calls)) {
                stored += result.get() instanceof PutWebhook.Result.Stored ? 1 : 0;
            }

            assertThat(stored).isEqualTo(PutWebhook.MOST);
            var ids = full.get("/api/v1/webhooks").send().items().stream()
                    .map(webhook -> webhook.string("webhook_id").orElseThrow())
                    .toList();
            assertThat(ids).hasSize(PutWebhook.MOST);
            assertThat(put.put(actor, "another", target, "whsec_")).isInstanceOf(PutWebhook.Result.TooMany.class);
            put.delete(actor, ids.getFirst());
            assertThat(put.put(actor, "another", target, "whsec_")).isInstanceOf(PutWebhook.Result.Stored.class);
        }
    }

    @Test
    void a_type_that_is_not_in_the_list_is_refused_at_its_place() {
        var refused = plane.put("/api/v1/webhooks/mirror")
                .body("{\"url\":\"" + URL + "\",\"types\":[\"job.cancelled\",\"job.canceled\"]}")
                .send();

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text()).contains("invalid_field").contains("/types/1");
        for (var type : EventTypes.ALL) {
            assertThat(plane.put("/api/v1/webhooks/mirror")
                            .body("{\"url\":\"" + URL + "\",\"types\":[\"" + type + "\"]}")
                            .send()
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void the_query_of_a_url_is_not_in_the_audit_log() {
        plane.put("/api/v1/webhooks/mirror").body("{\"url\":\"" + URL + "\"}").send();

        var log = plane.get("/api/v1/audit").send();
        assertThat(log.text()).contains("\"url\":\"https://example.com/hook\"").doesNotContain("secret");
    }
}
