package dev.nonbis.client;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Some of a list.
 *
 * @param next what to pass as {@code after} for the next page; empty on the last one
 */
public record Page(List<JsonNode> items, Optional<String> next, Answer answer) {

    public Page {
        items = List.copyOf(items);
    }

    static Page of(Answer answer) {
        var next = answer.body().path("next");
        return new Page(
                answer.body().path("items").valueStream().toList(),
                next.isMissingNode() || next.isNull() ? Optional.empty() : Optional.of(next.asString()),
                answer);
    }
}
