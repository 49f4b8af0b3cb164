package dev.nonbis.core.store;

import java.util.List;
import java.util.function.Function;

/**
 * One kind of row: how its key reads as text, how its value reads as bytes, and by which indexes it can be found.
 *
 * @param order the place of this table in the fixed order of writes
 */
public record Table<K, V>(
        int order,
        String name,
        Function<K, String> keyText,
        Function<V, byte[]> encode,
        Function<byte[], V> decode,
        List<Index<V>> indexes) {

    public RowRef<K, V> row(K key) {
        return new RowRef<>(this, keyText.apply(key));
    }

    /**
     * The value of a stored row.
     *
     * @throws StoreDamaged when it cannot be decoded
     */
    V read(StoredRow row) {
        return read(row.key(), row.body());
    }

    V read(String key, byte[] body) {
        try {
            return decode.apply(body);
        } catch (RuntimeException undecodable) {
            throw new StoreDamaged(new RowRef<>(this, key), undecodable);
        }
    }

    // Tables are constants, so identity is right. Their hash is the same in every process, and with it the order of a
    // transaction's maps.
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
