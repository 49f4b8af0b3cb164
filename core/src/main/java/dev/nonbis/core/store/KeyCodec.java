package dev.nonbis.core.store;

import dev.nonbis.core.idempotency.Fingerprint;
import dev.nonbis.core.idempotency.IdempotencyKey;
import dev.nonbis.core.idempotency.KeyRecord;
import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.idempotency.RecordedAnswer;
import dev.nonbis.core.idempotency.Sent;
import dev.nonbis.core.idempotency.StoredKey;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The id of what the key made, as text, and behind it what a repeated request has to be told, packed. Every repeated request reads one of
 * these. Most answers are kept as what stands in their slots.
 */
public final class KeyCodec {

    private static final List<Form> ANSWERS = List.of(new Form(
            "{\"job_id\":\"",
            "\",\"state\":\"",
            "\",\"trace_id\":\"",
            "\",\"request_hash\":\"",
            "\",\"created_at\":\"",
            "\"}"));

    // The bytes of most rows, so that few of them have to grow.
    private static final int USUAL_BYTES = 256;
    private static final char VERSION_END = ':';
    private static final char GAP = ' ';

    private KeyCodec() {}

    static String keyText(KeyScope scope) {
        return scope.tenant().value() + "/" + scope.operation().word() + "/"
                + scope.key().value();
    }

    /** The scope that a row's key names; none does when it is damaged. */
    public static Optional<KeyScope> scope(String keyText) {
        var parts = keyText.split("/", 3);
        try {
            return parts.length < 3
                    ? Optional.empty()
                    : Operation.of(parts[1])
                            .map(operation ->
                                    new KeyScope(new TenantId(parts[0]), operation, IdempotencyKey.of(parts[2])));
        } catch (IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }

    static byte[] encode(StoredKey stored) {
        var key = stored.record()
                .orElseThrow(() -> new IllegalStateException("a key that could not be read is written again"));
        byte[] subject = bytes(key.subject());
        byte[] fingerprint = bytes(key.fingerprint().value());
        int versionEnd = key.fingerprint().value().indexOf(VERSION_END) + 1;
        byte[] digest = Arrays.copyOfRange(fingerprint, versionEnd, fingerprint.length);
        var row = new Packer(subject, GAP, USUAL_BYTES)
                .optional(key.expiresAt().map(Timestamps::micros))
                .text(key.requestId())
                .text(key.sent().digest())
                .text(fingerprint, 0, versionEnd)
                .text(digest, 0, digest.length)
                .number(key.answer().status())
                .text(key.answer().contentType());
        byte[] answer = key.answer().body();
        var filled = Form.filled(ANSWERS, answer, 0);
        row.flag(filled.isPresent());
        if (filled.isPresent()) {
            row.number(filled.get().form()).slots(filled.get().slots(), null, subject, digest);
        } else {
            row.bytes(answer);
        }
        return row.number(stored.checksum()).end();
    }

    // A damaged row may show it by any exception; it is its reader's to say so.
    static StoredKey decode(byte[] body) {
        try {
            return decodeIntact(body);
        } catch (RuntimeException damaged) {
            return StoredKey.UNREADABLE;
        }
    }

    private static StoredKey decodeIntact(byte[] body) {
        int gap = 0;
        while (body[gap] != GAP) {
            gap++;
        }
        byte[] subject = Arrays.copyOf(body, gap);
        var row = new Unpacker(body, gap + 1);
        var expires = row.optional().map(Timestamps::ofMicros);
        var requestId = row.text();
        var sent = new Sent(row.text());
        var version = row.text();
        var digest = row.text();
        int status = (int) row.number();
        var contentType = row.text();
        byte[] answer = row.flag()
                ? row.slots(ANSWERS.get((int) row.number()), null, subject, bytes(digest))
                        .text()
                : row.bytes();
        var key = new KeyRecord(
                new String(subject, StandardCharsets.UTF_8),
                expires,
                requestId,
                sent,
                new Fingerprint(version + digest),
                new RecordedAnswer(status, contentType, answer));
        return new StoredKey(Optional.of(key), (int) row.number());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
