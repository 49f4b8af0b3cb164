package dev.nonbis.core.store;

/** The name of one row. */
public record RowRef<K, V>(Table<K, V> table, String key) {

    /** Whose the row is, by the text before the first slash of its key: a tenant's, with few exceptions. */
    public String owner() {
        int slash = key.indexOf('/');
        return slash < 0 ? key : key.substring(0, slash);
    }
}
