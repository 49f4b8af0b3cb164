package dev.nonbis.server.config;

/** Turns a written value into a typed one. */
@FunctionalInterface
interface Reader<T> {

    T read(Scalar scalar) throws BadValue;
}
