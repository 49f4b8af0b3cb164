package dev.nonbis.bench.measure;

/** How fast the store still grew when it held so many keys. */
public record Growth(long keys, double perSecond) {}
