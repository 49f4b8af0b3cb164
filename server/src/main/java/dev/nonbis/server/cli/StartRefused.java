package dev.nonbis.server.cli;

/** A server cannot start for a reason that the operator can remove. */
public final class StartRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String next;

    /** What happened, in one line, and what the operator should do about it. */
    public StartRefused(String what, String next) {
        super(what);
        this.next = next;
    }

    public String next() {
        return next;
    }
}
