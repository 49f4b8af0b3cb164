package dev.nonbis.client;

import java.io.IOException;

/** What one send came to. */
sealed interface Attempt {

    /** The call succeeded. */
    record Answered(Answer answer) implements Attempt {}

    /** The server refused or failed, and said so. */
    record Refused(Problem problem) implements Attempt {}

    /** Something answered, but not Nonbis: a proxy's error page, or half a body. */
    record Unintelligible(int status) implements Attempt {}

    /** The connection was never made. */
    record NotSent(IOException cause) implements Attempt {}

    /** The request may have arrived; no answer did. */
    record Lost(IOException cause) implements Attempt {}
}
