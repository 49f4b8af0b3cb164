package dev.nonbis.server.api;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.dispatch.Result;
import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.job.Timeline;
import dev.nonbis.core.operation.Page;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.payment.Receipt;
import dev.nonbis.core.run.Run;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonSlice;
import dev.nonbis.json.JsonText;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonString;
import dev.nonbis.server.http.Response;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** How things look from outside. */
final class Views {

    private Views() {}

    /** What a list shows of a job: all but what was asked. */
    static JsonObject.Builder job(Job job) {
        var labels = JsonObject.builder();
        job.spec().labels().forEach(labels::put);
        var json = JsonObject.builder()
                .put("job_id", job.id().value())
                .put("state", job.state().name())
                .put("topic", job.spec().topic())
                .put("labels", labels.build());
        job.spec().deadlineMs().ifPresent(ms -> json.put("deadline_ms", ms));
        job.spec().maxAttempts().ifPresent(n -> json.put("max_attempts", n));
        job.origin()
                .step()
                .ifPresent(step -> json.put("run_id", step.run().value()).put("step", step.step()));
        json.put("attempts", job.progress().attempts())
                .put("executions", job.progress().executions());
        if (job.state() == JobState.RUNNING) {
            job.progress()
                    .claim()
                    .ifPresent(claim -> json.put("worker_id", claim.worker().id())
                            .put("heard_at", Timestamps.format(claim.heardAt())));
        }
        return json.put("trace_id", job.origin().traceId())
                .put("request_hash", job.origin().requestHash())
                .put("submitted_by", job.origin().submittedBy())
                .put("created_at", Timestamps.format(job.origin().createdAt()));
    }

    /** What was asked of a job, from the canonical form of its request. */
    static void putAsked(JsonText text, byte[] request) {
        var members = JsonSlice.members(request);
        text.putSlice("prompt", Optional.ofNullable(members.get("prompt")))
                .putSlice("input", Optional.ofNullable(members.get("input")));
    }

    /** What a worker said of a job. */
    static void putResult(JsonText text, Result result) {
        text.put("status", result.content().status().word())
                .putSlice("output", result.content().output())
                .putSlice("error", result.content().error())
                .put("worker_id", result.worker().id())
                .put("fence", result.fence())
                .put("recorded_at", Timestamps.format(result.at()));
    }

    static JsonObject.Builder run(Run run) {
        var steps = JsonObject.builder();
        run.steps().forEach((id, state) -> steps.put(id, state.name()));
        var json = JsonObject.builder()
                .put("run_id", run.id().value())
                .put("state", run.state().name())
                .put("workflow", run.origin().workflow())
                .put("version", run.origin().version())
                .put("steps", steps.build())
                .put("trace_id", run.origin().traceId())
                .put("request_hash", run.origin().requestHash())
                .put("started_by", run.origin().startedBy())
                .put("created_at", Timestamps.format(run.origin().createdAt()));
        run.endedAt().ifPresent(at -> json.put("ended_at", Timestamps.format(at)));
        return json;
    }

    static JsonObject.Builder approval(Approval approval) {
        var subject = approval.subject();
        var json = JsonObject.builder()
                .put("job_id", subject.id())
                .put("kind", PaymentId.of(subject.id()).isPresent() ? "payment" : "job")
                .put("status", word(approval.status()))
                .put("submitted_by", subject.submittedBy())
                .put("request_hash", subject.requestHash())
                .put("trace_id", subject.traceId())
                .put("requested_at", Timestamps.format(approval.requestedAt()))
                .put("expires_at", Timestamps.format(approval.expiresAt()))
                .putString("matched_rule_id", approval.rule());
        approval.decision()
                .ifPresent(decision -> json.put(
                        "decision",
                        JsonObject.builder()
                                .put("kind", word(decision.kind()))
                                .put("by", decision.by())
                                .put("at", Timestamps.format(decision.at()))
                                .putString("reason", decision.remarks().reason())
                                .putString("note", decision.remarks().note())
                                .build()));
        return json;
    }

    /** A decision as both its maker and whoever repeats it are told; only the prefix of the status differs. */
    static JsonObject.Builder decision(Approval approval, Approval.Decision decision, String prefix) {
        String kind = word(decision.kind());
        return JsonObject.builder()
                .put("job_id", approval.subject().id())
                .put("status", prefix + kind)
                .put(kind + "_by", decision.by())
                .put(kind + "_at", Timestamps.format(decision.at()))
                .put("trace_id", approval.subject().traceId());
    }

    /** A payment as it stands: like the answer to its request, with the last decision, and every receipt. */
    static JsonObject payment(Payment payment) {
        return listedPayment(payment)
                .put("receipt", payment.receipts().getLast())
                .put("receipts", new JsonArray(List.copyOf(payment.receipts())))
                .build();
    }

    /** A payment without its receipts. */
    static JsonObject.Builder listedPayment(Payment payment) {
        var json = JsonObject.builder();
        Receipt.outcome(json, payment.id(), payment.origin(), payment.decision());
        return json.put("agent_id", payment.origin().agentId())
                .put(
                        "amount",
                        JsonObject.builder()
                                .put("value", payment.origin().amountUsd())
                                .put("currency", "USD")
                                .build())
                .put("submitted_by", payment.origin().submittedBy())
                .put("trace_id", payment.origin().traceId())
                .put("created_at", Timestamps.format(payment.origin().createdAt()))
                .put("decided_by", payment.decision().by())
                .put("decided_at", Timestamps.format(payment.decision().at()));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static JsonObject timeline(String idName, String id, Timeline timeline) {
        var items = timeline.entries().stream()
                .<JsonValue>map(entry -> JsonObject.builder()
                        .put("at", Timestamps.format(entry.at()))
                        .put("type", entry.type())
                        .put("data", entry.data())
                        .build())
                .toList();
        return JsonObject.builder()
                .put(idName, id)
                .put("items", new JsonArray(items))
                .build();
    }

    static JsonObject event(AuditEvent event) {
        var json = JsonObject.builder();
        if (Json.parse(event.chained()) instanceof JsonObject chained) {
            chained.members().forEach(json::put);
        }
        return json.put("hash", event.hash())
                .put("data", event.isRedacted() ? JsonNull.NULL : Json.parse(event.data()))
                .build();
    }

    /** A page whose rows' keys are {@code tenant/id}. */
    static <T> Response page(Page<T> page, Function<T, JsonObject> view) {
        return page(
                page.items(), view, page.lastSeen().map(key -> new JsonString(key.substring(key.indexOf('/') + 1))));
    }

    static <T> Response page(List<T> items, Function<T, JsonObject> view, Optional<? extends JsonValue> next) {
        var text = new JsonText().putEach("items", items, view);
        if (next.isPresent()) {
            text.put("next", next.get());
        } else {
            text.put("next", JsonNull.NULL);
        }
        return new Response(200, Response.JSON, Map.of(), text.end());
    }
}
