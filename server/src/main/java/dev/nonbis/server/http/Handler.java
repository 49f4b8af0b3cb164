package dev.nonbis.server.http;

/** Answers one call; a {@link Refusal} thrown from here becomes its problem. */
@FunctionalInterface
public interface Handler {
    Response handle(Call call);
}
