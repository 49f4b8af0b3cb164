package dev.nonbis.server.drill;

import java.util.Collection;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How often which word came, in words. */
final class Tally {

    private Tally() {}

    static String of(Collection<String> words) {
        var counts = new TreeMap<String, Integer>();
        words.forEach(word -> counts.merge(word, 1, Integer::sum));
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " × " + entry.getKey())
                .collect(Collectors.joining(", "));
    }
}
