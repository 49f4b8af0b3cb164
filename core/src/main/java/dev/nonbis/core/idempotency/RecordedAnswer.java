package dev.nonbis.core.idempotency;

/** An answer as it was first given, so that it can be given again byte for byte. */
public record RecordedAnswer(int status, String contentType, byte[] body) {}
