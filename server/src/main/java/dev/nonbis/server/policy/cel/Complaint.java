package dev.nonbis.server.policy.cel;

import java.nio.file.Path;

/** One reason not to take a policy. Lines and columns count from one; {@code entry} is empty when the file as a whole is at fault. */
public record Complaint(Path file, int line, int column, String entry, String reason) {

    /** One line: where, which entry, why. */
    @Override
    public String toString() {
        String place = file + ":" + line + ":" + column;
        return entry.isEmpty() ? place + ": " + reason : place + ": " + entry + ": " + reason;
    }
}
