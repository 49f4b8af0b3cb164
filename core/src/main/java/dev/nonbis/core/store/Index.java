package dev.nonbis.core.store;

import java.util.Set;
import java.util.function.Function;

/** A named order in which rows can be found: each row stands under zero or more texts. */
public record Index<V>(String name, Function<V, Set<String>> entries) {}
