package dev.nonbis.core.store;

import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.idempotency.Admission.Keyed;
import dev.nonbis.core.idempotency.Fingerprint;
import dev.nonbis.core.idempotency.IdempotencyKey;
import dev.nonbis.core.idempotency.RecordedAnswer;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.util.Optional;

/** Three lines: what is known of the request, its canonical body, its answer. */
final class AdmissionCodec {

    private static final byte[] NOTHING = {};

    private AdmissionCodec() {}

    static byte[] encode(Admission admission) {
        var about =
                JsonObject.builder().put("request", admission.requestId()).put("at", Timestamps.micros(admission.at()));
        admission.keyed().ifPresent(keyed -> {
            about.put("key", keyed.key().value())
                    .put("fingerprint", keyed.fingerprint().value());
            keyed.expiresAt().ifPresent(at -> about.put("expires", Timestamps.micros(at)));
            about.put("status", keyed.answer().status())
                    .put("content_type", keyed.answer().contentType());
        });
        byte[] answer = admission.keyed().map(keyed -> keyed.answer().body()).orElse(NOTHING);
        return Lines.join(Json.write(about.build()), admission.body(), answer);
    }

    static Admission decode(byte[] body) {
        var parts = Lines.split(body);
        var about = new Row(parts.get(0));
        Optional<Keyed> keyed = about.json()
                .string("key")
                .map(key -> new Keyed(
                        IdempotencyKey.of(key),
                        new Fingerprint(about.string("fingerprint")),
                        about.time("expires"),
                        new RecordedAnswer((int) about.integer("status"), about.string("content_type"), parts.get(2))));
        return new Admission(about.string("request"), about.instant("at"), parts.get(1), keyed);
    }
}
