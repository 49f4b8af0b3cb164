package dev.nonbis.server.cli;

/** Keeps the process alive while a server runs, and drains the server when the process is told to end. */
final class Serving {

    private Serving() {}

    static ExitCode untilStopped(RunningServer server) {
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "drain"));
        try {
            server.awaitStop();
            return ExitCode.DONE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            server.close();
            return ExitCode.ERROR;
        }
    }
}
