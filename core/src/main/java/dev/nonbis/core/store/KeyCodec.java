package dev.nonbis.core.store;

import dev.nonbis.core.idempotency.Fingerprint;
import dev.nonbis.core.idempotency.IdempotencyKey;
import dev.nonbis.core.idempotency.KeyRecord;
import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.idempotency.RecordedAnswer;
import dev.nonbis.core.idempotency.Sent;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/** Two lines: words about the key, and the answer. Every repeated request reads one of these, so the words need no parser. */
public final class KeyCodec {

    private static final char GAP = ' ';
    private static final String NEVER = "-";
    private static final int WORDS = 7;

    private KeyCodec() {}

    static String keyText(KeyScope scope) {
        return scope.tenant().value() + "/" + scope.operation().word() + "/"
                + scope.key().value();
    }

    /** The scope that a row's key names. */
    public static KeyScope scope(String keyText) {
        int first = keyText.indexOf('/');
        int second = keyText.indexOf('/', first + 1);
        var operation = Operation.of(keyText.substring(first + 1, second))
                .orElseThrow(() -> new IllegalStateException("a stored key names no operation"));
        return new KeyScope(
                new TenantId(keyText.substring(0, first)), operation, IdempotencyKey.of(keyText.substring(second + 1)));
    }

    static byte[] encode(KeyRecord key) {
        String words = key.subject()
                + GAP
                + key.expiresAt()
                        .map(at -> Long.toString(Timestamps.micros(at)))
                        .orElse(NEVER)
                + GAP
                + key.requestId()
                + GAP
                + key.sent().digest()
                + GAP
                + key.fingerprint().value()
                + GAP
                + key.answer().status()
                + GAP
                + key.answer().contentType();
        return Lines.join(
                words.getBytes(StandardCharsets.US_ASCII), key.answer().body());
    }

    static KeyRecord decode(byte[] body) {
        var parts = Lines.split(body);
        var words = new String(parts.get(0), StandardCharsets.US_ASCII).split(" ", WORDS);
        var expires = words[1].equals(NEVER)
                ? Optional.<Instant>empty()
                : Optional.of(Timestamps.ofMicros(Long.parseLong(words[1])));
        var answer = new RecordedAnswer(Integer.parseInt(words[5]), words[6], parts.get(1));
        return new KeyRecord(words[0], expires, words[2], new Sent(words[3]), new Fingerprint(words[4]), answer);
    }
}
