package dev.nonbis.core.store;

import dev.nonbis.core.dispatch.Announcement;
import dev.nonbis.core.dispatch.DeadLetter;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.core.dispatch.QueuedMessage.Depth;
import dev.nonbis.core.dispatch.Result;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.identity.Worker;
import dev.nonbis.core.job.JobState;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonSlice;
import dev.nonbis.json.JsonText;
import java.util.Optional;

/** Messages, depths of queues, results, announcements of them, and dead letters. */
final class DispatchCodec {

    private DispatchCodec() {}

    static byte[] encode(QueuedMessage queued) {
        var message = queued.message();
        var json = new JsonText()
                .put("id", message.id().value())
                .put("subject", message.subject())
                .put("tenant", message.tenant().value())
                .put("job", message.job().value())
                .put("execution", message.execution())
                .put("accepted", Timestamps.micros(queued.acceptedAt()))
                .put("deliveries", queued.deliveries());
        if (message.bytes() > 0) {
            json.put("bytes", message.bytes());
        }
        queued.visibleAt().ifPresent(at -> json.put("visible", Timestamps.micros(at)));
        return json.end();
    }

    static QueuedMessage decodeMessage(byte[] body) {
        var row = new Row(body);
        var message = new Message(
                new MessageId(row.string("id")),
                row.string("subject"),
                new TenantId(row.string("tenant")),
                new JobId(row.string("job")),
                (int) row.integer("execution"),
                Trace.NONE,
                row.json().integer("bytes").orElse(0L).intValue());
        return new QueuedMessage(
                message, row.instant("accepted"), row.time("visible"), (int) row.integer("deliveries"));
    }

    static byte[] encode(Depth depth) {
        return Json.write(JsonObject.builder().put("waiting", depth.waiting()).build());
    }

    static Depth decodeDepth(byte[] body) {
        return new Depth(new Row(body).integer("waiting"));
    }

    static byte[] encode(Result result) {
        return new JsonText()
                .put("status", result.content().status().name())
                .putSlice("output", result.content().output())
                .putSlice("error", result.content().error())
                .put("fence", result.fence())
                .put("worker", result.worker().id())
                .put("by", result.worker().subject())
                .put("at", Timestamps.micros(result.at()))
                .put("request", result.requestId())
                .end();
    }

    static Result decodeResult(byte[] body) {
        var members = JsonSlice.members(body);
        var output = Optional.ofNullable(members.remove("output"));
        var error = Optional.ofNullable(members.remove("error"));
        var rest = JsonObject.builder();
        members.forEach((name, value) -> rest.put(name, value.parse()));
        var row = new Row(rest.build());
        var content = new Result.Content(Result.Status.valueOf(row.string("status")), output, error);
        return new Result(
                content,
                (int) row.integer("fence"),
                new Worker(row.string("by"), row.string("worker")),
                row.instant("at"),
                row.string("request"));
    }

    static byte[] encode(Announcement announcement) {
        return Json.write(JsonObject.builder()
                .put("tenant", announcement.key().tenant().value())
                .put("job", announcement.key().job().value())
                .put("execution", announcement.key().execution())
                .put("topic", announcement.topic())
                .put("status", announcement.status().name())
                .put("state", announcement.state().name())
                .put("at", Timestamps.micros(announcement.at()))
                .put("trace", announcement.trace().text())
                .build());
    }

    static Announcement decodeAnnouncement(byte[] body) {
        var row = new Row(body);
        return new Announcement(
                new Announcement.Key(new TenantId(row.string("tenant")), new JobId(row.string("job")), (int)
                        row.integer("execution")),
                row.string("topic"),
                Result.Status.valueOf(row.string("status")),
                JobState.valueOf(row.string("state")),
                row.instant("at"),
                Trace.ofText(row.string("trace")));
    }

    static byte[] encode(DeadLetter letter) {
        var json = JsonObject.builder()
                .put("tenant", letter.tenant().value())
                .put("job", letter.job().value())
                .put("topic", letter.topic())
                .put("state", letter.state().name())
                .put("why", letter.why())
                .put("at", Timestamps.micros(letter.at()))
                .putString("message", letter.message());
        letter.retry()
                .ifPresent(retry -> json.put(
                        "retry",
                        JsonObject.builder()
                                .put("job", retry.job().value())
                                .put("by", retry.by())
                                .put("at", Timestamps.micros(retry.at()))
                                .put("request", retry.requestId())
                                .build()));
        return Json.write(json.build());
    }

    static DeadLetter decodeLetter(byte[] body) {
        var row = new Row(body);
        return new DeadLetter(
                new TenantId(row.string("tenant")),
                new JobId(row.string("job")),
                row.string("topic"),
                JobState.valueOf(row.string("state")),
                row.string("why"),
                row.instant("at"),
                row.json().object("retry").map(json -> retry(new Row(json))),
                row.json().string("message"));
    }

    private static DeadLetter.Retry retry(Row row) {
        return new DeadLetter.Retry(
                new JobId(row.string("job")), row.string("by"), row.instant("at"), row.string("request"));
    }
}
