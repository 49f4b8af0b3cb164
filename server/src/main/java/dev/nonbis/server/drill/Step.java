package dev.nonbis.server.drill;

/** What was tried, what the documents promise, and what the server did. */
public record Step(String drill, String what, String expected, String seen) {

    public boolean isAsExpected() {
        return expected.equals(seen);
    }
}
