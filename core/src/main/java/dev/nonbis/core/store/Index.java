package dev.nonbis.core.store;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A named order in which rows can be found: each row stands under zero or more texts.
 *
 * @param single whether no row stands under more than one text, so that a database can keep it in the row itself
 */
public record Index<V>(String name, boolean single, Function<V, Set<String>> entries) {

    /** An order in which each row stands once or not at all. */
    public static <V> Index<V> ofOne(String name, Function<V, Optional<String>> entry) {
        return new Index<>(name, true, value -> entry.apply(value).map(Set::of).orElse(Set.of()));
    }

    /** An order in which a row may stand more than once. */
    public static <V> Index<V> ofMany(String name, Function<V, Set<String>> entries) {
        return new Index<>(name, false, entries);
    }
}
