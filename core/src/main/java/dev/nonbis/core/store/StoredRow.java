package dev.nonbis.core.store;

/** A row as a back end keeps it; the version goes up by one with each write. */
public record StoredRow(String key, long version, byte[] body) {}
