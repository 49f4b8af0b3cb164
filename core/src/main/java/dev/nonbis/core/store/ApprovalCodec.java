package dev.nonbis.core.store;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.approval.Approval.Decision;
import dev.nonbis.core.approval.Approval.Kind;
import dev.nonbis.core.approval.Approval.Remarks;
import dev.nonbis.core.approval.Approval.Status;
import dev.nonbis.core.approval.Approval.Subject;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;

final class ApprovalCodec {

    private ApprovalCodec() {}

    static byte[] encode(Approval approval) {
        var subject = approval.subject();
        var json = JsonObject.builder()
                .put("tenant", subject.tenant().value())
                .put("id", subject.id())
                .put("submitted_by", subject.submittedBy())
                .put("request_hash", subject.requestHash())
                .put("trace", subject.trace().text())
                .put("requested", Timestamps.micros(approval.requestedAt()))
                .put("expires", Timestamps.micros(approval.expiresAt()))
                .putString("rule", approval.rule())
                .put("status", approval.status().name());
        approval.decision().ifPresent(decision -> json.put("decision", encode(decision)));
        return Json.write(json.build());
    }

    static Approval decode(byte[] body) {
        var row = new Row(body);
        var subject = new Subject(
                new TenantId(row.string("tenant")),
                row.string("id"),
                row.string("submitted_by"),
                row.string("request_hash"),
                Trace.ofText(row.string("trace")));
        return new Approval(
                subject,
                row.instant("requested"),
                row.instant("expires"),
                row.json().string("rule"),
                Status.valueOf(row.string("status")),
                row.json().object("decision").map(json -> decode(new Row(json))));
    }

    private static JsonObject encode(Decision decision) {
        return JsonObject.builder()
                .put("kind", decision.kind().name())
                .put("by", decision.by())
                .put("at", Timestamps.micros(decision.at()))
                .put("request", decision.requestId())
                .putString("reason", decision.remarks().reason())
                .putString("note", decision.remarks().note())
                .build();
    }

    private static Decision decode(Row row) {
        return new Decision(
                Kind.valueOf(row.string("kind")),
                row.string("by"),
                row.instant("at"),
                row.string("request"),
                new Remarks(row.json().string("reason"), row.json().string("note")));
    }
}
