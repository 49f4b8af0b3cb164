package dev.nonbis.server.cli;

import java.util.Optional;

/** Tells a generated key before anything is sent, so that a user can repeat the request after any failure. */
final class KeyTalk {

    private KeyTalk() {}

    static void tell(Terminal terminal, Optional<String> given, String used) {
        if (given.isEmpty()) {
            terminal.err().println("key: " + used);
        }
    }
}
