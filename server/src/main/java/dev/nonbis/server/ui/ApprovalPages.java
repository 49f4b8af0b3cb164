package dev.nonbis.server.ui;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.InvisibleText;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.http.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What waits for a human, and the human's word. */
public final class ApprovalPages {

    private static final Set<String> DECISIONS = Set.of("approve", "reject");
    private static final Pages.Page INBOX = new Pages.Page("approvals.jte", "Approvals", "approvals");
    private static final Pages.Page ONE = new Pages.Page("approval.jte", "Approval", "approvals");
    private static final Pages.Page DECIDED = new Pages.Page("decided.jte", "Decided", "approvals");
    private static final String PAGE = "50";

    private final Api api;
    private final Pages pages;
    private final Sessions sessions;
    private final Store store;

    ApprovalPages(Api api, Pages pages, Sessions sessions, Store store) {
        this.store = store;
        this.api = api;
        this.pages = pages;
        this.sessions = sessions;
    }

    /** One question in a list. */
    public record Row(
            String id, String kind, String about, String askedBy, String askedAt, Left left, Optional<Made> made) {}

    /** How long there is still time. */
    public record Left(String until, String text, boolean soon) {}

    /** The decision, once there is one. */
    public record Made(String kind, String by, String at, Optional<String> reason, Optional<String> note) {}

    /**
     * One question with everything that a decision should rest on.
     *
     * @param hindrance why the visitor cannot decide; empty when nothing is in the way
     */
    public record Detail(
            Row row,
            String status,
            String hash,
            String trace,
            Optional<String> rule,
            String payload,
            String hindrance) {

        public boolean hasInvisibleCharacters() {
            return InvisibleText.isIn(payload);
        }

        public boolean isWaiting() {
            return status.equals("waiting");
        }
    }

    /** The inbox: what waits, and one of it opened. */
    public record Inbox(List<Row> rows, Optional<Detail> open, Optional<String> next) {}

    /** What was decided. */
    public record Decided(List<Row> rows, Optional<String> next) {}

    Response inbox(Visit visit) {
        var answer = list(visit, "waiting");
        var rows = rows(answer, visit);
        var open = visit.query("at")
                .or(() -> rows.stream().findFirst().map(Row::id))
                .flatMap(id -> detail(visit, id));
        return pages.show(visit, INBOX, new Inbox(rows, open, answer.next()));
    }

    Response decided(Visit visit) {
        var answer = list(visit, "decided");
        return pages.show(visit, DECIDED, new Decided(rows(answer, visit), answer.next()));
    }

    Response one(Visit visit) {
        String id = visit.request().pathParam("id");
        return detail(visit, id)
                .map(detail -> pages.show(visit, ONE, detail))
                .orElseGet(() -> Missing.show(pages, visit, "approval", id));
    }

    Response decide(Visit visit, Form form) {
        String id = visit.request().pathParam("id");
        String call = form.text("decision");
        String back = form.text("from").equals("inbox") ? "/approvals" : "/approvals/" + Show.segment(id);
        // A decision is final, so a form that does not say which, or about what, decides nothing.
        if (!DECISIONS.contains(call) || form.filled("request_hash").isEmpty()) {
            return sessions.telling(
                    Told.bad(id + ": the form does not say what is decided. Nothing was."), Pages.redirect(back));
        }
        var body = JsonObject.builder()
                .putString("reason", form.filled("reason"))
                .putString("request_hash", form.filled("request_hash"))
                .build();
        var answer = api.post(visit, "/api/v1/approvals/" + Show.segment(id) + "/" + call, body);
        return sessions.telling(told(id, answer), Pages.redirect(back));
    }

    private static Told told(String id, Api.Answer answer) {
        if (!answer.isGood()) {
            return Told.bad(id + ": " + answer.why());
        }
        var json = answer.json();
        String payment = json.string("payment_status")
                .map(status -> " The payment is " + status
                        + json.string("deny_code")
                                .map(code -> " (" + code + ")")
                                .orElse("") + ".")
                .orElse("");
        return switch (json.string("status").orElse("")) {
            case "approved" -> Told.good("You approved " + id + "." + payment);
            case "rejected" -> Told.good("You rejected " + id + "." + payment);
            case "already_approved" ->
                Told.plain(id + " was approved before, by "
                        + json.string("approved_by").orElse("somebody") + " at "
                        + Show.time(json.string("approved_at").orElse("")) + " UTC (already_approved)." + payment);
            case "already_rejected" ->
                Told.plain(id + " was rejected before, by "
                        + json.string("rejected_by").orElse("somebody") + " at "
                        + Show.time(json.string("rejected_at").orElse("")) + " UTC (already_rejected)." + payment);
            default -> Told.plain(id + ": " + json.string("status").orElse("done"));
        };
    }

    private Api.Answer list(Visit visit, String status) {
        var query = new java.util.HashMap<>(Map.of("status", status, "limit", PAGE));
        visit.query("after").ifPresent(after -> query.put("after", after));
        return api.get(visit, "/api/v1/approvals", query);
    }

    private List<Row> rows(Api.Answer answer, Visit visit) {
        return answer.items().stream().map(item -> row(item, visit)).toList();
    }

    private Row row(JsonObject json, Visit visit) {
        var made = json.object("decision")
                .map(decision -> new Made(
                        decision.string("kind").orElse(""),
                        decision.string("by").orElse(""),
                        decision.string("at").orElse(""),
                        decision.string("reason"),
                        decision.string("note")));
        String id = json.string("job_id").orElse("");
        return new Row(
                id,
                json.string("kind").orElse("job"),
                about(visit, id),
                json.string("submitted_by").orElse(""),
                json.string("requested_at").orElse(""),
                left(json.string("expires_at").orElse(""), visit.now()),
                made);
    }

    private static Left left(String until, Instant now) {
        var left = Duration.between(now, Timestamps.parse(until));
        return left.isNegative()
                ? new Left(until, "too late", true)
                : new Left(until, Show.span(left), left.compareTo(Duration.ofDays(1)) < 0);
    }

    private Optional<Detail> detail(Visit visit, String id) {
        var answer = api.get(visit, "/api/v1/approvals/" + Show.segment(id));
        if (!answer.isGood()) {
            return Optional.empty();
        }
        var json = answer.json();
        var row = row(json, visit);
        return Optional.of(new Detail(
                row,
                json.string("status").orElse(""),
                json.string("request_hash").orElse(""),
                json.string("trace_id").orElse(""),
                json.string("matched_rule_id"),
                answer.pretty("request").orElse("The request is not kept any more."),
                hindrance(visit, row)));
    }

    /** What is asked about, in a word or two. */
    private String about(Visit visit, String id) {
        return JobId.of(id)
                .flatMap(job -> store.find(Tables.JOBS, new Tables.JobKey(visit.tenant(), job)))
                .map(job -> job.spec().topic())
                .or(() -> PaymentId.of(id)
                        .flatMap(payment -> store.find(Tables.PAYMENTS, new Payment.Key(visit.tenant(), payment)))
                        .map(payment -> "Pay " + payment.origin().amountUsd() + " USD"))
                .orElse(id);
    }

    private static String hindrance(Visit visit, Row row) {
        if (!visit.may(Role.APPROVER)) {
            return "Only an approver decides.";
        }
        return row.askedBy().equals(visit.actor().subject())
                ? "You asked for this yourself. Unless the server is configured to allow that, somebody else has to decide."
                : "";
    }
}
