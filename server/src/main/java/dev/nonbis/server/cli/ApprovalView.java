package dev.nonbis.server.cli;

import dev.nonbis.client.Answer;
import dev.nonbis.json.InvisibleText;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What a human reads before deciding: who asks, until when, and exactly what would run. */
final class ApprovalView {

    private final JsonNode approval;
    private final Instant now;
    private final List<String> lines = new ArrayList<>();

    ApprovalView(JsonNode approval, Instant now) {
        this.approval = approval;
        this.now = now;
    }

    /**
     * Computes the digest anew from what will be shown: a decision bound to it is then about what the human has read, whatever stood
     * between the server and this screen.
     */
    static void requireHashOfRequest(Answer answer) {
        boolean same = Json.parse(answer.text().getBytes(StandardCharsets.UTF_8)) instanceof JsonObject approval
                && approval.get("request")
                        .map(request -> Sha256.hex(Json.canonical(request)))
                        .equals(approval.string("request_hash"));
        if (!same) {
            throw new CommandFailed(
                    ExitCode.ERROR,
                    "the request_hash is not the digest of the request that came with it",
                    "decide nothing; find out what stands between you and the server");
        }
    }

    List<String> lines() {
        var job = approval.path("job");
        line("job", text(approval, "job_id") + ", " + text(job, "state"));
        line("topic", text(job, "topic"));
        if (job.has("run_id")) {
            line("step", text(job, "step") + " of " + text(job, "run_id"));
        }
        line("asked by", text(approval, "submitted_by") + " at " + text(approval, "requested_at"));
        line("rule", approval.has("matched_rule_id") ? text(approval, "matched_rule_id") : "-");
        boolean waiting = text(approval, "status").equals("waiting");
        if (waiting) {
            line("expires", text(approval, "expires_at") + ", " + left(text(approval, "expires_at")));
        }
        decision();
        line("hash", text(approval, "request_hash"));
        lines.add("");
        lines.add(waiting ? "would run:" : "was asked about:");
        String request = approval.path("request").toPrettyString();
        if (InvisibleText.isIn(request)) {
            lines.add("note: it contains invisible characters, shown as escapes such as \\u202e");
        }
        request.lines().map(Report::visible).forEach(lines::add);
        if (waiting) {
            commands();
        }
        return List.copyOf(lines);
    }

    private void decision() {
        var decision = approval.path("decision");
        switch (text(approval, "status")) {
            case "decided" -> {
                line(
                        "decision",
                        text(decision, "kind") + " by " + text(decision, "by") + " at " + text(decision, "at"));
                for (String remark : List.of("reason", "note")) {
                    if (decision.has(remark)) {
                        line(remark, text(decision, remark));
                    }
                }
            }
            case "closed" -> line("decision", "none: it was cancelled first");
            default -> line("decision", "none yet");
        }
    }

    private void commands() {
        String target = text(approval, "job_id") + " --digest " + text(approval, "request_hash");
        lines.add("");
        lines.add("to decide about exactly this:");
        lines.add("  nonbis approvals approve " + target);
        lines.add("  nonbis approvals reject " + target + " -m REASON");
    }

    private void line(String name, String value) {
        lines.add(name + " ".repeat(Math.max(1, 10 - name.length())) + value);
    }

    private static String text(JsonNode object, String name) {
        return Report.visible(object.path(name).asString("-"));
    }

    private String left(String expires) {
        try {
            var left = Duration.between(now, Instant.parse(expires));
            if (!left.isPositive()) {
                return "which is over";
            }
            if (left.toDays() > 0) {
                return "in " + left.toDays() + " d " + left.toHoursPart() + " h";
            }
            return left.toHours() > 0
                    ? "in " + left.toHours() + " h " + left.toMinutesPart() + " min"
                    : "in " + left.toMinutes() + " min " + left.toSecondsPart() + " s";
        } catch (DateTimeParseException e) {
            return "at a time that cannot be read";
        }
    }
}
