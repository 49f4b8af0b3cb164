package dev.nonbis.server.cli;

/** What a script learns from a command's exit. */
enum ExitCode {
    DONE(0, "done, or replayed"),
    ERROR(1, "an error, or a job or run that failed, timed out or was cancelled"),
    USAGE(2, "the command was not understood"),
    DENIED(3, "denied by policy or by a human"),
    AUTHENTICATION(4, "the credential is missing, unknown or not allowed to do this"),
    CONFLICT(5, "the request contradicts what is recorded"),
    UNKNOWN(6, "it may or may not have taken effect"),
    PENDING(8, "not finished yet");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    int code() {
        return code;
    }

    String meaning() {
        return meaning;
    }

    /** What a job's or a run's state means for whoever waits for it. */
    static ExitCode ofState(String state) {
        return switch (state) {
            case "SUCCEEDED" -> DONE;
            case "FAILED", "TIMEOUT", "CANCELLED" -> ERROR;
            case "DENIED" -> DENIED;
            case "UNKNOWN" -> UNKNOWN;
            default -> PENDING;
        };
    }
}
