package dev.nonbis.bench.sim;

/** The server is dead: nothing of it runs on. */
final class Crashed extends Error {

    private static final long serialVersionUID = 1L;

    Crashed() {
        super("the server is dead", null, false, false);
    }
}
