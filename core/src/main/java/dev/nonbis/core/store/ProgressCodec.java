package dev.nonbis.core.store;

import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.identity.Worker;
import dev.nonbis.core.job.Progress;
import dev.nonbis.core.job.Progress.Claim;
import dev.nonbis.core.job.Progress.Counts;
import dev.nonbis.core.job.Progress.Intent;
import dev.nonbis.core.job.Progress.Resolution;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonText;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonBool;
import dev.nonbis.json.JsonValue.JsonNumber;
import java.util.Arrays;

/** A job's progress; a job that nobody has touched yet has no word of it. */
final class ProgressCodec {

    private ProgressCodec() {}

    static byte[] encode(Progress progress) {
        if (progress.equals(Progress.NONE)) {
            return Packer.nothing();
        }
        var json = new JsonText();
        var counts = progress.counts();
        json.put(
                "counts",
                numbers(
                        counts.attempts(),
                        counts.forgiven(),
                        counts.intents(),
                        counts.execution(),
                        counts.executions(),
                        counts.failedPublishes()));
        progress.intent()
                .ifPresent(intent ->
                        json.put("intent", intent.number()).put("published", new JsonBool(intent.published())));
        progress.claim()
                .ifPresent(claim -> json.put("worker", claim.worker().id())
                        .put("by", claim.worker().subject())
                        .put("fence", claim.fence())
                        .put("start_request", claim.requestId())
                        .put("heard", Timestamps.micros(claim.heardAt())));
        if (progress.outstanding()) {
            json.put("outstanding", new JsonBool(true));
        }
        progress.resolution()
                .ifPresent(word -> json.put(
                        "resolution",
                        JsonObject.builder()
                                .put("outcome", word.outcome())
                                .put("by", word.by())
                                .put("at", Timestamps.micros(word.at()))
                                .put("request", word.requestId())
                                .build()));
        return json.end();
    }

    static Progress decode(byte[] body) {
        if (body.length == 0) {
            return Progress.NONE;
        }
        var row = new Row(body);
        var json = row.json();
        int[] n = json.array("counts").orElseThrow().items().stream()
                .mapToInt(item -> item instanceof JsonNumber number ? (int) number.value() : 0)
                .toArray();
        return new Progress(
                new Counts(n[0], n[1], n[2], n[3], n[4], n[5]),
                json.integer("intent")
                        .map(number -> new Intent(
                                number.intValue(), json.bool("published").orElse(false))),
                json.string("worker")
                        .map(worker -> new Claim(
                                new Worker(row.string("by"), worker),
                                (int) row.integer("fence"),
                                row.string("start_request"),
                                row.instant("heard"))),
                json.bool("outstanding").orElse(false),
                json.object("resolution").map(word -> resolution(new Row(word))));
    }

    private static Resolution resolution(Row row) {
        return new Resolution(row.string("outcome"), row.string("by"), row.instant("at"), row.string("request"));
    }

    private static JsonArray numbers(int... numbers) {
        return new JsonArray(Arrays.stream(numbers)
                .<JsonValue>mapToObj(number -> new JsonNumber(number))
                .toList());
    }
}
