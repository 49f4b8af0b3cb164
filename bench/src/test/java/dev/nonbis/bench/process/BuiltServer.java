package dev.nonbis.bench.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;

/** The server's jar of this tree, for tests that start, kill and start it again. */
public final class BuiltServer {

    private BuiltServer() {}

    public static ServerCommand command() throws IOException, InterruptedException {
        var command = ServerCommand.ofThisTree();
        assumeTrue(command.available(), () -> "the server is not built: " + command.jar());
        return command.forShortLives();
    }
}
