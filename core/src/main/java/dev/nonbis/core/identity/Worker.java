package dev.nonbis.core.identity;

/**
 * A worker of one tenant. The same {@code worker_id} under another subject is another worker, so that no credential can act on what another
 * one has started.
 *
 * @param id what the worker calls itself
 */
public record Worker(String subject, String id) {

    /** Whether the two differ in their subjects alone. */
    public boolean isNamesakeOf(Worker other) {
        return id.equals(other.id) && !subject.equals(other.subject);
    }
}
