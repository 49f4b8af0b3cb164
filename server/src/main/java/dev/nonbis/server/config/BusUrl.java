package dev.nonbis.server.config;

/** What carries work to the workers. */
public sealed interface BusUrl {

    /** A table of the same store. */
    record Embedded() implements BusUrl {}
}
