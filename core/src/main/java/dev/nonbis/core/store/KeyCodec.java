package dev.nonbis.core.store;

import dev.nonbis.core.idempotency.IdempotencyKey;
import dev.nonbis.core.idempotency.KeyRecord;
import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A key's row is the one that lies at random among a million others, so it is as small as can be: a subject and, maybe, a time. */
public final class KeyCodec {

    private static final char GAP = ' ';

    private KeyCodec() {}

    static String keyText(KeyScope scope) {
        return scope.tenant() + "/" + scope.operation().word() + "/"
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
        String text = key.expiresAt()
                .map(at -> key.subject() + GAP + Timestamps.micros(at))
                .orElse(key.subject());
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static KeyRecord decode(byte[] body) {
        var text = new String(body, StandardCharsets.US_ASCII);
        int gap = text.indexOf(GAP);
        return gap < 0
                ? new KeyRecord(text, Optional.empty())
                : new KeyRecord(
                        text.substring(0, gap),
                        Optional.of(Timestamps.ofMicros(Long.parseLong(text.substring(gap + 1)))));
    }
}
