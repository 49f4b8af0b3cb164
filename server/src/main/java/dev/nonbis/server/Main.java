package dev.nonbis.server;

import dev.nonbis.server.cli.NonbisCommand;
import dev.nonbis.server.cli.Terminal;

/** The entry of the runnable jar. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(new NonbisCommand(Terminal.ofProcess(), Server::start).run(args));
    }
}
