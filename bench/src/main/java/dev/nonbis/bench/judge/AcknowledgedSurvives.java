package dev.nonbis.bench.judge;

import dev.nonbis.bench.judge.Exchange.Reply;
import dev.nonbis.bench.judge.Export.OfTenant;
import dev.nonbis.bench.torture.CanonicalForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** G2. What an answer said was done is there at the end, and is as the answer said. */
final class AcknowledgedSurvives implements Checker {

    private static final Set<String> OF_THE_DECISION =
            Set.of("status", "decision", "deny_code", "policy_hash", "audit_event_id");
    private static final List<String> OUTCOME = List.of(
            "payment_id",
            "status",
            "decision",
            "deny_code",
            "matched_rule_id",
            "request_hash",
            "policy_hash",
            "audit_event_id");

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var found = new ArrayList<Violation>();
        for (var exchange : history.exchanges()) {
            exchange.reply()
                    .filter(reply -> exchange.sent().method().equals("POST"))
                    .flatMap(reply -> missing(exchange, reply, export.of(exchange.tenant())))
                    .ifPresent(what -> found.add(new Violation(
                            Guarantee.G2,
                            exchange.tenant() + " POST " + exchange.sent().path() + " got "
                                    + exchange.reply().orElseThrow().body() + ", but " + what)));
        }
        return found;
    }

    private static Optional<String> missing(Exchange exchange, Reply reply, OfTenant tenant) {
        if (exchange.operation().isPresent()) {
            return SameAnswers.isRecorded(reply) ? made(exchange, reply, tenant) : Optional.empty();
        }
        if (!reply.isSuccess()) {
            return Optional.empty();
        }
        var path = exchange.sent().path();
        var id = Texts.segment(path, 3);
        var verb = Texts.segment(path, 4);
        return switch (Texts.segment(path, 2) + " " + verb) {
            case "jobs cancel" -> inState(tenant.jobs().get(id), "CANCELLED");
            case "runs cancel" -> inState(tenant.runs().get(id), "CANCELLED");
            case "jobs start" -> started(exchange, tenant.jobs().get(id));
            case "jobs result" -> resulted(exchange, tenant.jobs().get(id));
            case "jobs resolve" ->
                told(tenant.jobs().get(id), "resolution", exchange.sent().json().path("outcome"));
            case "dlq retry" ->
                tenant.jobs().containsKey(reply.json().path("retried_as").asString(""))
                        ? Optional.empty()
                        : Optional.of("there is no such job");
            default -> Optional.empty();
        };
    }

    private static Optional<String> made(Exchange exchange, Reply reply, OfTenant tenant) {
        var answer = reply.json();
        var thing = switch (exchange.operation().orElseThrow()) {
            case "jobs" -> tenant.jobs().get(answer.path("job_id").asString(""));
            case "runs" -> tenant.runs().get(answer.path("run_id").asString(""));
            default -> tenant.payments().get(answer.path("payment_id").asString(""));
        };
        if (thing == null) {
            return Optional.of("there is no such thing");
        }
        var hash = CanonicalForm.sha256(exchange.sent().json());
        if (!thing.path("request_hash").asString("").equals(hash)) {
            return Optional.of("it was made by another request: " + thing);
        }
        return switch (exchange.operation().orElseThrow()) {
            case "jobs" -> asTold(reply, thing);
            case "payments" -> asDecided(answer, thing);
            default -> Optional.empty();
        };
    }

    private static Optional<String> asTold(Reply reply, JsonNode job) {
        if (!reply.isSuccess()) {
            return inState(job, "DENIED");
        }
        var answer = reply.json();
        for (var member : List.of("trace_id", "created_at")) {
            if (!answer.path(member).equals(job.path(member))) {
                return Optional.of("its " + member + " is " + job.path(member));
            }
        }
        var first = job.path("timeline").path(0).path("type");
        return first.equals(answer.path("state")) ? Optional.empty() : Optional.of("it began as " + first);
    }

    // A human may have decided since, with a receipt of that decision behind the first one.
    private static Optional<String> asDecided(JsonNode answer, JsonNode payment) {
        if (!answer.path("receipt").equals(payment.path("receipts").path(0))) {
            return Optional.of("its first receipt is another: " + payment);
        }
        var mayDiffer = answer.path("status").asString("").equals("requires_human") ? OF_THE_DECISION : Set.of();
        for (var member : OUTCOME) {
            if (!mayDiffer.contains(member) && !answer.path(member).equals(payment.path(member))) {
                return Optional.of("its " + member + " is " + payment.path(member));
            }
        }
        var last = payment.path("receipt");
        for (var member : OUTCOME) {
            if (!last.path(member).equals(payment.path(member))) {
                return Optional.of("its last receipt says otherwise: " + payment);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> inState(@Nullable JsonNode thing, String state) {
        if (thing == null) {
            return Optional.of("there is no such thing");
        }
        var is = thing.path("state").asString("");
        return is.equals(state) ? Optional.empty() : Optional.of("it is " + is);
    }

    private static Optional<String> started(Exchange exchange, @Nullable JsonNode job) {
        if (job == null) {
            return Optional.of("there is no such job");
        }
        var sent = exchange.sent().json();
        for (var entry : job.path("timeline")) {
            var type = entry.path("type").asString("");
            var data = entry.path("data");
            if (type.equals("entries_folded")
                    || (type.equals("RUNNING")
                            && data.path("worker").equals(sent.path("worker_id"))
                            && data.path("fence").equals(sent.path("fence")))) {
                return Optional.empty();
            }
        }
        return Optional.of("its timeline does not tell of it: " + job.path("timeline"));
    }

    private static Optional<String> resulted(Exchange exchange, @Nullable JsonNode job) {
        return switch (exchange.sent().json().path("status").asString("")) {
            case "succeeded" -> inState(job, "SUCCEEDED").or(() -> kept(exchange, job));
            case "failed" -> inState(job, "FAILED").or(() -> kept(exchange, job));
            default -> told(job, "result", exchange.sent().json().path("status"));
        };
    }

    private static Optional<String> kept(Exchange exchange, @Nullable JsonNode job) {
        var result = job == null ? exchange.sent().json() : job.path("result");
        for (var member : List.of("status", "output", "error", "worker_id", "fence")) {
            var sent = exchange.sent().json().path(member);
            if (!isNothing(sent) && !sent.equals(result.path(member))) {
                return Optional.of("its result is " + result);
            }
        }
        return Optional.empty();
    }

    private static boolean isNothing(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private static Optional<String> told(@Nullable JsonNode job, String member, JsonNode word) {
        if (job == null) {
            return Optional.of("there is no such job");
        }
        for (var entry : job.path("timeline")) {
            if (entry.path("type").asString("").equals("entries_folded")
                    || entry.path("data").path(member).equals(word)) {
                return Optional.empty();
            }
        }
        return Optional.of("its timeline does not tell of it: " + job.path("timeline"));
    }
}
