package dev.nonbis.core.lease;

import java.util.Optional;

/**
 * Who does a piece of work, and how often it has said so.
 *
 * @param holder empty when the last one gave it up
 */
public record Lease(Optional<String> holder, long beat) {

    /** What nobody has held yet. */
    public static final Lease FREE = new Lease(Optional.empty(), 0);

    public boolean isHeldBy(String server) {
        return holder.filter(server::equals).isPresent();
    }

    public Lease takenBy(String server) {
        return new Lease(Optional.of(server), beat + 1);
    }

    public Lease givenUp() {
        return new Lease(Optional.empty(), beat + 1);
    }
}
