package dev.nonbis.bench.torture;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.torture.Violation.Rule;
import dev.nonbis.bench.torture.World.Event;
import dev.nonbis.bench.torture.World.Known;
import dev.nonbis.bench.torture.World.Listed;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Reads everything that the server shows of a tenant, page by page. */
final class Inspector {

    private static final int PAGE = 1_000;

    private final Client client;
    private final History history;

    Inspector(Client client, History history) {
        this.client = client;
        this.history = history;
    }

    World look(String tenant, Known known) throws IOException {
        List<Listed> jobs = new ArrayList<>();
        for (var job : list(tenant, Operation.JOBS)) {
            jobs.add(known.jobs().contains(job.id()) || job.run().isPresent() ? job : withOwner(tenant, job));
        }
        List<Event> events = new ArrayList<>();
        var chain = new AuditChain(tenant);
        follow(
                chain,
                event -> events.add(new Event(
                        event.path("type").asString(""), event.path("subject").asString(""))));
        return new World(tenant, jobs, list(tenant, Operation.RUNS), events);
    }

    private List<Listed> list(String tenant, Operation operation) throws IOException {
        List<Listed> all = new ArrayList<>();
        pages(tenant, operation.objectsPath() + "?limit=" + PAGE, "", item -> {
            var id = item.path(operation.idMember()).asString(item.path("id").asString(""));
            var owner = operation == Operation.JOBS ? runNamedIn(item) : Optional.<String>empty();
            all.add(new Listed(id, item.path("state").asString(""), owner));
        });
        return all;
    }

    /** A list may leave out what the object itself says. */
    private Listed withOwner(String tenant, Listed job) throws IOException {
        var full = Json.parse(ok(client.get(tenant, Operation.JOBS.objectsPath() + "/" + job.id()))
                .body());
        return new Listed(job.id(), job.state(), runNamedIn(full));
    }

    private static Optional<String> runNamedIn(JsonNode node) {
        if (node.isString()) {
            return Optional.of(node.stringValue()).filter(text -> text.startsWith("run_"));
        }
        return node.valueStream().flatMap(child -> runNamedIn(child).stream()).findFirst();
    }

    /** Follows the tenant's chain from where it stands to its head. */
    void follow(AuditChain chain, Consumer<JsonNode> onEvent) throws IOException {
        pages(
                chain.tenant(),
                "/api/v1/audit?limit=" + PAGE,
                chain.seq() == 0 ? "" : Long.toString(chain.seq()),
                event -> {
                    chain.follow(event).ifPresent(history.violations::add);
                    onEvent.accept(event);
                });
        var head =
                Json.parse(ok(client.get(chain.tenant(), "/api/v1/audit/head")).body());
        if (chain.seq() > 0
                && (head.path("seq").asLong(-1) != chain.seq()
                        || !head.path("hash").asString("").equals(chain.hash()))) {
            history.violations.add(new Violation(
                    Rule.AUDIT_CHAIN_VERIFIES,
                    chain.tenant() + ": the head is " + head + " and the last event " + chain.seq() + " "
                            + chain.hash()));
        }
    }

    private void pages(String tenant, String path, String after, Consumer<JsonNode> onItem) throws IOException {
        var from = after;
        do {
            var query = from.isEmpty() ? path : path + "&after=" + URLEncoder.encode(from, StandardCharsets.UTF_8);
            var page = Json.parse(ok(client.get(tenant, query)).body());
            page.path("items").forEach(onItem);
            from = page.path("next").asString("");
        } while (!from.isEmpty());
    }

    private static Answer ok(Answer answer) throws IOException {
        if (answer.status() != 200) {
            throw new IOException("a list could not be read: " + answer);
        }
        return answer;
    }
}
