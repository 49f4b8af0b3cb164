package dev.nonbis.bench.torture;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the server shows of one tenant when nothing is under way. */
record World(String tenant, List<Listed> jobs, List<Listed> runs, List<Event> events) {

    /** A job or run in a list; a step's job names its run. */
    record Listed(String id, String state, Optional<String> run) {}

    /** An audit event's type and subject. */
    record Event(String type, String subject) {}

    /** What the client knows of the same tenant: ids that were acknowledged, and cancels that were sent and acknowledged. */
    record Known(Set<String> jobs, Set<String> runs, Set<String> cancelSent, Set<String> cancelled) {}
}
