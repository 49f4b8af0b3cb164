package dev.nonbis.core.store;

import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.identity.Timestamps;
import java.nio.charset.StandardCharsets;

/** Two lines: the request's id and time, and its canonical body. */
final class AdmissionCodec {

    private static final char GAP = ' ';

    private AdmissionCodec() {}

    static byte[] encode(Admission admission) {
        return Lines.join(words(admission), admission.body());
    }

    /** The first line. */
    static byte[] words(Admission admission) {
        String words = admission.requestId() + GAP + Timestamps.micros(admission.at());
        return words.getBytes(StandardCharsets.US_ASCII);
    }

    static Admission decode(byte[] body) {
        var parts = Lines.split(body);
        return of(parts.get(0), parts.get(1));
    }

    static Admission of(byte[] first, byte[] canonical) {
        var words = new String(first, StandardCharsets.US_ASCII);
        int gap = words.indexOf(GAP);
        return new Admission(
                words.substring(0, gap), Timestamps.ofMicros(Long.parseLong(words.substring(gap + 1))), canonical);
    }
}
