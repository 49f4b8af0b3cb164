package dev.nonbis.server.ui;

import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.operation.Admissions;
import dev.nonbis.core.operation.ListKeys;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.Store;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonValue;
import dev.nonbis.server.http.Masked;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.metrics.Recent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Requests that carried a key: found by the key, with what came again, and the inspector of one key. */
public final class RequestPages {

    private static final Pages.Page LIST = new Pages.Page("requests.jte", "Requests", "requests");
    private static final Pages.Page KEY = new Pages.Page("key.jte", "Key", "requests");
    private static final int PAGE = 50;

    private final Api api;
    private final Pages pages;
    private final Sessions sessions;
    private final Store store;
    private final ListKeys listKeys;
    private final Recent recent;

    RequestPages(Api api, Pages pages, Sessions sessions, Store store, Recent recent) {
        this.api = api;
        this.pages = pages;
        this.sessions = sessions;
        this.store = store;
        this.listKeys = new ListKeys(store);
        this.recent = recent;
    }

    /** A settled key. */
    public record Row(String operation, String key, String subject, String request, int status, String expires) {}

    /** A request that came again. */
    public record Repeat(
            String operation,
            String key,
            String subject,
            String request,
            String answered,
            String ago,
            List<Change> changes) {}

    /** A member that differs: what was first, what was sent now, both masked. */
    public record Change(String pointer, String first, String sent) {}

    /** What is looked for, and what was found. */
    public record Requests(
            String operation, String key, List<String> operations, List<Row> rows, List<Repeat> repeats) {}

    /** One key. */
    public record Key(
            Row row, String fingerprint, String created, long replays, long mismatches, List<Repeat> repeats) {}

    Response list(Visit visit) {
        requireOperator(visit);
        String word = visit.query("operation").orElse("jobs");
        var operation = Operation.of(word).orElse(Operation.JOBS);
        String key = visit.query("key").orElse("");
        var rows = listKeys.startingWith(visit.tenant(), operation, key, visit.now(), PAGE).stream()
                .map(RequestPages::row)
                .toList();
        var repeats = recent.repeats(visit.tenant()).stream()
                .filter(seen -> key.isEmpty() || seen.repeat().key().startsWith(key))
                .limit(PAGE)
                .map(seen -> repeat(visit, seen))
                .toList();
        var operations = Arrays.stream(Operation.values()).map(Operation::word).toList();
        return pages.show(visit, LIST, new Requests(operation.word(), key, operations, rows, repeats));
    }

    Response key(Visit visit) {
        requireOperator(visit);
        String operation = visit.query("operation").orElse("jobs");
        String key = visit.query("key").orElse("");
        var answer = api.get(visit, path(operation, key));
        if (!answer.isGood()) {
            return Missing.show(pages, visit, "key", key);
        }
        var json = answer.json();
        var row = new Row(
                operation,
                key,
                json.string("subject").orElse(""),
                json.string("original_request_id").orElse(""),
                json.integer("status").orElse(0L).intValue(),
                json.string("expires_at").map(Show::time).orElse("never"));
        var repeats = recent.repeats(visit.tenant()).stream()
                .filter(seen -> seen.repeat().key().equals(key)
                        && seen.repeat().operation().word().equals(operation))
                .map(seen -> repeat(visit, seen))
                .toList();
        return pages.show(
                visit,
                KEY,
                new Key(
                        row,
                        json.string("fingerprint").orElse(""),
                        json.string("created_at").orElse(""),
                        json.integer("replays").orElse(0L),
                        json.integer("mismatches").orElse(0L),
                        repeats));
    }

    Response release(Visit visit, Form form) {
        String operation = form.text("operation");
        String key = form.text("key");
        var answer = api.delete(visit, path(operation, key), JobPages.reason(form));
        if (answer.isGood()) {
            return sessions.telling(
                    Told.good("The key " + key + " is free again; the log says that you released it."),
                    Pages.redirect("/requests?operation=" + Show.segment(operation)));
        }
        return sessions.telling(
                Told.bad(answer.why()),
                Pages.redirect("/requests/key?operation=" + Show.segment(operation) + "&key=" + Show.segment(key)));
    }

    private static String path(String operation, String key) {
        return "/api/v1/idempotency-keys/" + Show.segment(operation) + "/" + Show.segment(key);
    }

    // As the API's routes for keys ask it.
    private static void requireOperator(Visit visit) {
        if (!visit.may(Role.OPERATOR)) {
            throw new Refusal(Problem.of(ProblemCode.FORBIDDEN, "Keys are for operators."));
        }
    }

    private static Row row(ListKeys.Found found) {
        var record = found.record();
        return new Row(
                found.scope().operation().word(),
                found.scope().key().value(),
                record.subject(),
                record.requestId(),
                record.answer().status(),
                record.expiresAt().map(Show::time).orElse("never"));
    }

    private Repeat repeat(Visit visit, Recent.Seen seen) {
        var repeat = seen.repeat();
        var first = repeat.differences().isEmpty() ? Optional.<JsonValue>empty() : first(visit, repeat.subject());
        var changes = repeat.differences().stream()
                .map(difference -> new Change(
                        difference.pointer().isEmpty() ? "the whole body" : difference.pointer(),
                        first.map(body -> Masked.at(body, difference.pointer())).orElse("not kept"),
                        difference.sent()))
                .toList();
        return new Repeat(
                repeat.operation().word(),
                repeat.key(),
                repeat.subject(),
                repeat.requestId(),
                repeat.answered().name().toLowerCase(Locale.ROOT),
                Show.span(seen.ago()) + " ago",
                changes);
    }

    private Optional<JsonValue> first(Visit visit, String subject) {
        return Admissions.find(store::find, visit.tenant(), subject).map(admission -> Json.parse(admission.body()));
    }

    /** Where the thing behind an id is shown. */
    public static String address(String subject) {
        if (subject.startsWith("run_")) {
            return "/runs/" + subject;
        }
        return subject.startsWith("pay_") ? "/payments/" + subject : "/jobs/" + subject;
    }
}
