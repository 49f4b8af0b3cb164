package dev.nonbis.core.store;

/** The name of one row. */
public record RowRef<K, V>(Table<K, V> table, String key) {}
