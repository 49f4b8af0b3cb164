package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobsTest {

    private final TestPlane plane = new TestPlane();

    private String submit(String body) {
        plane.clock.advance(Duration.ofMillis(5));
        return plane.post("/api/v1/jobs").body(body).send().string("job_id");
    }

    private static List<String> ids(TestPlane.Answer page) {
        return page.items().stream()
                .map(job -> job.string("job_id").orElseThrow())
                .toList();
    }

    @Test
    void an_admitted_job_says_what_the_contract_says() {
        String body = "{\"topic\":\"job.default\",\"prompt\":\"do\",\"input\":{\"b\":2,\"a\":1}}";
        var answer = plane.post("/api/v1/jobs")
                .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .body(body)
                .send();

        assertThat(answer.json().members().keySet())
                .containsExactly("job_id", "state", "trace_id", "request_hash", "created_at");
        assertThat(answer.string("job_id")).matches("job_[0-9a-z]{26}");
        assertThat(answer.string("state")).isEqualTo("PENDING");
        assertThat(answer.string("trace_id")).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(answer.string("request_hash"))
                .isEqualTo(Sha256.hex(Json.canonical(Json.parse(body.getBytes(StandardCharsets.UTF_8)))));
        assertThat(answer.string("created_at")).isEqualTo("2026-03-01T12:00:00.000000Z");
    }

    @Test
    void a_job_can_be_read_back_whole() {
        String id = submit(
                "{\"topic\":\"job.x.y\",\"prompt\":\"p\",\"input\":[1,{\"k\":null}],\"labels\":{\"team\":\"a\"},\"deadline_ms\":5000,\"max_attempts\":3}");
        var job = plane.get("/api/v1/jobs/" + id).send().json();

        assertThat(job.string("topic")).contains("job.x.y");
        assertThat(job.string("prompt")).contains("p");
        assertThat(new String(Json.write(job.get("input").orElseThrow()), StandardCharsets.UTF_8))
                .isEqualTo("[1,{\"k\":null}]");
        assertThat(job.object("labels").orElseThrow().string("team")).contains("a");
        assertThat(job.integer("deadline_ms")).contains(5000L);
        assertThat(job.integer("max_attempts")).contains(3L);
        assertThat(job.string("submitted_by")).contains("alice");
    }

    @Test
    void a_list_is_newest_first_and_pages_without_gaps() {
        var made = new ArrayList<String>();
        for (int i = 0; i < 25; i++) {
            made.addFirst(submit("{\"topic\":\"job.default\"}"));
        }

        var seen = new ArrayList<String>();
        String target = "/api/v1/jobs?limit=10";
        while (true) {
            var page = plane.get(target).send();
            seen.addAll(ids(page));
            var next = page.json().string("next");
            if (next.isEmpty()) {
                break;
            }
            target = "/api/v1/jobs?limit=10&after=" + next.get();
        }

        assertThat(seen).containsExactlyElementsOf(made);
    }

    @Test
    void what_matches_little_is_found_on_the_first_page_whichever_filter_is_the_narrow_one() {
        String wanted = submit("{\"topic\":\"job.rare\",\"labels\":{\"k\":\"v\"}}");
        for (int i = 0; i < 5_500; i++) {
            submit("{\"topic\":\"job.default\",\"labels\":{\"k\":\"v\"}}");
        }

        for (var filters : List.of("state=PENDING&topic=job.rare", "label=k:v&topic=job.rare&state=PENDING")) {
            var page = plane.get("/api/v1/jobs?" + filters).send();
            assertThat(ids(page)).as(filters).containsExactly(wanted);
            assertThat(page.json().string("next")).as(filters).isEmpty();
        }
    }

    @Test
    void filters_are_applied_before_the_limit() {
        String wanted = submit("{\"topic\":\"job.rare\",\"labels\":{\"k\":\"v:w\"}}");
        for (int i = 0; i < 30; i++) {
            submit("{\"topic\":\"job.common\",\"labels\":{\"k\":\"other\"}}");
        }
        String cancelled = submit("{\"topic\":\"job.common\"}");
        plane.post("/api/v1/jobs/" + cancelled + "/cancel").send();

        assertThat(ids(plane.get("/api/v1/jobs?topic=job.rare&limit=1").send())).containsExactly(wanted);
        assertThat(ids(plane.get("/api/v1/jobs?label=k:v:w&limit=1").send())).containsExactly(wanted);
        assertThat(ids(plane.get("/api/v1/jobs?state=CANCELLED&limit=1").send()))
                .containsExactly(cancelled);
        assertThat(ids(plane.get("/api/v1/jobs?state=PENDING&topic=job.rare&limit=1")
                        .send()))
                .containsExactly(wanted);
        assertThat(ids(plane.get("/api/v1/jobs?label=k:other&topic=job.rare").send()))
                .isEmpty();
        assertThat(ids(plane.get("/api/v1/jobs?topic=job.rar").send())).isEmpty();
    }

    @Test
    void a_bad_query_is_refused() {
        for (String query :
                List.of("state=NOPE", "limit=0", "limit=1001", "limit=x", "after=x", "label=x", "unknown=1")) {
            assertThat(plane.get("/api/v1/jobs?" + query).send().code())
                    .as(query)
                    .isEqualTo("invalid_query");
        }
    }

    @Test
    void cancelling_is_told_apart_from_having_cancelled() {
        String id = submit("{\"topic\":\"job.default\"}");

        assertThat(plane.post("/api/v1/jobs/" + id + "/cancel")
                        .body("{\"reason\":\"r\"}")
                        .send()
                        .string("status"))
                .isEqualTo("cancelled");
        assertThat(plane.post("/api/v1/jobs/" + id + "/cancel").send().string("status"))
                .isEqualTo("already_cancelled");
        assertThat(plane.auditEvents(TestPlane.ACME)).isEqualTo(2);
        var timeline = plane.get("/api/v1/jobs/" + id + "/timeline").send().items();
        assertThat(timeline.stream().map(entry -> entry.string("type").orElseThrow()))
                .containsExactly("PENDING", "CANCELLED");
        assertThat(timeline.getLast().object("data").orElseThrow().string("by")).contains("alice");
    }

    @Test
    void only_an_operator_may_override_the_message_id() {
        String body = "{\"topic\":\"job.default\",\"labels\":{\"nonbis.bus_msg_id\":\"x\"}}";

        assertThat(plane.post("/api/v1/jobs")
                        .as("acme-submitter")
                        .body(body)
                        .send()
                        .code())
                .isEqualTo("reserved_label");
        assertThat(plane.post("/api/v1/jobs")
                        .as("acme-operator")
                        .body(body)
                        .send()
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_repeat_by_a_caller_who_may_less_is_checked_like_a_first_request() {
        String body = "{\"topic\":\"job.default\",\"labels\":{\"nonbis.bus_msg_id\":\"x\"}}";
        plane.post("/api/v1/jobs").as("acme-operator").key("k").body(body).send();

        var repeated = plane.post("/api/v1/jobs")
                .as("acme-submitter")
                .key("k")
                .body(body)
                .send();

        assertThat(repeated.code()).isEqualTo("reserved_label");
    }

    @Test
    void nothing_of_one_tenant_is_visible_to_another() {
        String job = submit("{\"topic\":\"job.default\",\"labels\":{\"a\":\"b\"}}");
        plane.put("/api/v1/workflows/w")
                .body("{\"steps\":[{\"id\":\"a\",\"topic\":\"job.default\"}]}")
                .send();
        String run = plane.post("/api/v1/workflows/w/runs")
                .key("k")
                .body("{}")
                .send()
                .string("run_id");

        for (String path : List.of(
                "/api/v1/jobs/" + job,
                "/api/v1/jobs/" + job + "/timeline",
                "/api/v1/runs/" + run,
                "/api/v1/runs/" + run + "/timeline",
                "/api/v1/workflows/w",
                "/api/v1/idempotency-keys/runs/k",
                "/api/v1/tenants/acme/limits")) {
            assertThat(plane.get(path).as(TestPlane.GLOBEX).send().status())
                    .as(path)
                    .isEqualTo(404);
        }
        assertThat(plane.post("/api/v1/jobs/" + job + "/cancel")
                        .as(TestPlane.GLOBEX)
                        .send()
                        .status())
                .isEqualTo(404);
        assertThat(plane.post("/api/v1/runs/" + run + "/cancel")
                        .as(TestPlane.GLOBEX)
                        .send()
                        .status())
                .isEqualTo(404);
        assertThat(plane.post("/api/v1/workflows/w/runs")
                        .as(TestPlane.GLOBEX)
                        .body("{}")
                        .send()
                        .status())
                .isEqualTo(404);
        assertThat(plane.delete("/api/v1/idempotency-keys/runs/k")
                        .as(TestPlane.GLOBEX)
                        .body("{\"reason\":\"r\"}")
                        .send()
                        .status())
                .isEqualTo(404);
        for (String list : List.of(
                "/api/v1/jobs",
                "/api/v1/jobs?state=PENDING",
                "/api/v1/jobs?label=a:b",
                "/api/v1/runs",
                "/api/v1/workflows",
                "/api/v1/audit")) {
            assertThat(plane.get(list).as(TestPlane.GLOBEX).send().items())
                    .as(list)
                    .isEmpty();
        }
        assertThat(plane.get("/api/v1/jobs/" + job).send().string("state")).isEqualTo("PENDING");
    }

    @Test
    void a_foreign_id_and_an_unknown_id_look_the_same() {
        String job = submit("{\"topic\":\"job.default\"}");
        var foreign =
                plane.get("/api/v1/jobs/" + job).as(TestPlane.GLOBEX).send().json();
        var unknown = plane.get("/api/v1/jobs/job_00000000000000000000000000")
                .as(TestPlane.GLOBEX)
                .send()
                .json();

        assertThat(withoutInstance(foreign)).isEqualTo(withoutInstance(unknown));
    }

    @Test
    void every_effect_has_one_event_and_the_chain_holds() {
        submit("{\"topic\":\"job.default\"}");
        String second = submit("{\"topic\":\"job.default\"}");
        plane.post("/api/v1/jobs/" + second + "/cancel").send();
        var events = plane.get("/api/v1/audit").send().items();

        assertThat(events.stream().map(event -> event.string("type").orElseThrow()))
                .containsExactly("job.submitted", "job.submitted", "job.cancelled");
        String previous = "0".repeat(64);
        for (int i = 0; i < events.size(); i++) {
            var event = events.get(i);
            var chained = JsonObject.builder();
            event.members().forEach((name, value) -> {
                if (!name.equals("hash") && !name.equals("data")) {
                    chained.put(name, value);
                }
            });
            assertThat(event.integer("seq")).contains(i + 1L);
            assertThat(event.string("prev_hash")).contains(previous);
            assertThat(event.string("data_hash"))
                    .contains(Sha256.hex(Json.canonical(event.get("data").orElseThrow())));
            assertThat(event.string("hash")).contains(Sha256.hex(Json.canonical(chained.build())));
            previous = event.string("hash").orElseThrow();
        }
        assertThat(plane.get("/api/v1/audit/head").send().string("hash")).isEqualTo(previous);
        assertThat(plane.get("/api/v1/audit?after=2").send().items()).hasSize(1);
        assertThat(plane.get("/api/v1/audit?limit=2").send().json().integer("next"))
                .contains(2L);
    }

    private static JsonObject withoutInstance(JsonObject problem) {
        var rest = JsonObject.builder();
        problem.members().forEach((name, value) -> {
            if (!name.equals("instance")) {
                rest.put(name, value);
            }
        });
        return rest.build();
    }
}
