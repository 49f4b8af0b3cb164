package dev.nonbis.server.store.sql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The rows that come to stand under one text, and those that no longer do. */
final class PostingsChange {

    final String entry;
    private final List<String> added = new ArrayList<>();
    private final List<String> removed = new ArrayList<>();

    PostingsChange(String entry) {
        this.entry = entry;
    }

    void add(String id) {
        added.add(id);
    }

    void remove(String id) {
        removed.add(id);
    }

    void sort() {
        added.sort(TextOrder.OF_BYTES);
        removed.sort(TextOrder.OF_BYTES);
    }

    boolean isDone() {
        return added.isEmpty() && removed.isEmpty();
    }

    /** The row that comes, if that is all. */
    Optional<String> single() {
        return added.size() == 1 && removed.isEmpty() ? Optional.of(added.getFirst()) : Optional.empty();
    }

    /** The last row that it is about. */
    String last() {
        if (added.isEmpty() || removed.isEmpty()) {
            return added.isEmpty() ? removed.getLast() : added.getLast();
        }
        return TextOrder.OF_BYTES.compare(added.getLast(), removed.getLast()) > 0 ? added.getLast() : removed.getLast();
    }

    /** Changes the chunk in which the last row belongs. What is before that chunk is left to be done. */
    List<PostingsChunk> applyTo(PostingsChunk chunk) {
        return chunk.changed(takeFrom(chunk.low(), added), takeFrom(chunk.low(), removed));
    }

    private static List<String> takeFrom(String low, List<String> ids) {
        int found = Collections.binarySearch(ids, low, TextOrder.OF_BYTES);
        var behind = ids.subList(found < 0 ? -found - 1 : found, ids.size());
        var taken = List.copyOf(behind);
        behind.clear();
        return taken;
    }
}
