package dev.nonbis.server.cli;

/** A command ends without success: what happened, and what to do next. Caught where the command line was entered. */
final class CommandFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ExitCode exit;
    private final String next;

    CommandFailed(ExitCode exit, String what, String next) {
        super(what);
        this.exit = exit;
        this.next = next;
    }

    ExitCode exit() {
        return exit;
    }

    String next() {
        return next;
    }
}
