package dev.nonbis.core.idempotency;

import dev.nonbis.core.identity.Timestamps;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A key's record as it is stored, with a checksum over all of it and over the name of the key. What is read is used only if the checksum is
 * that of what was written under the same key, so that neither an altered record nor another key's is ever replayed.
 *
 * <p>The checksum is a CRC32C, because it has to detect damage and not malice: whoever can write to the store can write a checksum as well. It
 * finds every change within 32 bits in a row and one in 2^32 others escapes it. Every replay computes it; on the machine that the benchmarks
 * run on it takes 0.1 µs for a usual record, where SHA-256 takes 1.8 µs.
 *
 * @param record empty when the row could not be decoded
 */
public record StoredKey(Optional<KeyRecord> record, int checksum) {

    public static final StoredKey UNREADABLE = new StoredKey(Optional.empty(), 0);

    public static StoredKey of(KeyScope scope, KeyRecord record) {
        return new StoredKey(Optional.of(record), checksum(scope, record));
    }

    /** The record, if it is what was written under this key. */
    public Optional<KeyRecord> intact(KeyScope scope) {
        return record.filter(read -> checksum == checksum(scope, read));
    }

    private static int checksum(KeyScope scope, KeyRecord key) {
        var crc = new CRC32C();
        add(crc, scope.tenant().value());
        add(crc, scope.operation().word());
        add(crc, scope.key().value());
        add(crc, key.subject());
        add(crc, key.expiresAt().map(Timestamps::micros).orElse(Long.MIN_VALUE));
        add(crc, key.requestId());
        add(crc, key.sent().digest());
        add(crc, key.fingerprint().value());
        add(crc, key.answer().status());
        add(crc, key.answer().contentType());
        add(crc, key.answer().body());
        return (int) crc.getValue();
    }

    private static void add(CRC32C crc, String text) {
        add(crc, text.getBytes(StandardCharsets.UTF_8));
    }

    // The length keeps a part from continuing in the next one.
    private static void add(CRC32C crc, byte[] part) {
        add(crc, part.length);
        crc.update(part);
    }

    private static void add(CRC32C crc, long number) {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            crc.update((int) (number >>> shift));
        }
    }
}
