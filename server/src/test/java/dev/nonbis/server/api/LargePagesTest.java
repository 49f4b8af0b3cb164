package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.AuditLog;
import dev.nonbis.core.operation.Page;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A page ends at its bytes, and the pages together are the whole list. */
final class LargePagesTest {

    private static final int MOST_BYTES = 2 * Page.MAX_BYTES;

    private static final TenantId ACME = new TenantId("acme");

    private final TestPlane plane = new TestPlane();

    @Test
    void a_list_of_large_jobs_comes_in_short_pages_without_gaps() {
        var labels = new ArrayList<String>();
        for (int i = 0; i < 60; i++) {
            labels.add("\"n" + i + "\":\"" + "v".repeat(1000) + "\"");
        }
        var made = new ArrayList<String>();
        for (int i = 0; i < 60; i++) {
            var body = "{\"topic\":\"job.default\",\"labels\":{" + String.join(",", labels) + "}}";
            made.add(plane.post("/api/v1/jobs").body(body).send().string("job_id"));
        }
        made.sort(Comparator.reverseOrder());

        for (var filter : List.of("", "&state=PENDING", "&topic=job.default", "&label=n7:" + "v".repeat(1000))) {
            var pages = pages("/api/v1/jobs?limit=1000" + filter, "job_id");
            assertThat(pages).as(filter).hasSizeBetween(3, 6);
            assertThat(pages.stream().flatMap(List::stream)).as(filter).containsExactlyElementsOf(made);
        }
        assertThat(pages("/api/v1/jobs?limit=7", "job_id")).hasSize(9);
        assertThat(pages("/api/v1/jobs?limit=10", "job_id")).hasSize(6);
    }

    @Test
    void a_log_of_large_events_comes_in_short_pages_without_gaps() {
        for (int i = 0; i < 600; i++) {
            String id = plane.post("/api/v1/jobs")
                    .body("{\"topic\":\"job.default\"}")
                    .send()
                    .string("job_id");
            plane.post("/api/v1/jobs/" + id + "/cancel")
                    .body("{\"reason\":\"" + "\u20ac".repeat(1900) + "\"}")
                    .send();
        }
        long head = plane.get("/api/v1/audit/head").send().json().integer("seq").orElseThrow();

        var pages = pages("/api/v1/audit?limit=1000", "seq");
        assertThat(pages).hasSizeBetween(3, 8);
        assertThat(pages.stream().flatMap(List::stream))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, head).mapToObj(Long::toString).toList());

        var backwards = new ArrayList<Long>();
        var before = Optional.<Long>empty();
        boolean more = true;
        while (more) {
            var end = before;
            var part = plane.ports.store().read(tx -> AuditLog.before(tx, ACME, end, 1000));
            part.events().forEach(event -> backwards.add(event.seq()));
            before = Optional.of(backwards.getLast());
            more = part.more();
        }
        assertThat(backwards.reversed())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, head).boxed().toList());
    }

    /** What names the items of each page; there is one at least. */
    private List<List<String>> pages(String target, String name) {
        var pages = new ArrayList<List<String>>();
        var after = Optional.of("");
        while (after.isPresent()) {
            var answer = plane.get(target
                            + after.filter(text -> !text.isEmpty())
                                    .map("&after="::concat)
                                    .orElse(""))
                    .send();
            assertThat(answer.response().body().length).isLessThan(MOST_BYTES);
            var items = answer.json().array("items").map(JsonArray::items).orElseThrow();
            assertThat(items).isNotEmpty();
            pages.add(items.stream()
                    .map(item -> (JsonObject) item)
                    .map(item -> item.string(name)
                            .or(() -> item.integer(name).map(Object::toString))
                            .orElseThrow())
                    .toList());
            after = answer.json()
                    .string("next")
                    .or(() -> answer.json().integer("next").map(Object::toString));
        }
        return pages;
    }
}
