package dev.nonbis.core.store;

import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.identity.Timestamps;

/** The request's id, its time and its canonical body. */
final class AdmissionCodec {

    private static final int WORDS_BYTES = 64;

    private AdmissionCodec() {}

    static byte[] encode(Admission admission) {
        var row = new Packer(WORDS_BYTES + admission.body().length);
        put(row, admission);
        return row.end();
    }

    static Admission decode(byte[] body) {
        return get(new Unpacker(body));
    }

    static void put(Packer row, Admission admission) {
        row.text(admission.requestId())
                .number(Timestamps.micros(admission.at()))
                .bytes(admission.body());
    }

    static Admission get(Unpacker row) {
        return new Admission(row.text(), Timestamps.ofMicros(row.number()), row.bytes());
    }
}
