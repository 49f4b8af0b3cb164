package dev.nonbis.core.audit;

import dev.nonbis.core.identity.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Events that stand together in one row, because a row for each would cost more than the event. */
public record AuditPage(List<AuditEvent> events) {

    /** How many events a page has when it is full. */
    public static final int SIZE = 8;

    public static final AuditPage EMPTY = new AuditPage(List.of());

    public AuditPage {
        events = List.copyOf(events);
    }

    /** Where a page is found. */
    public record Key(TenantId tenant, long number) {

        /** The page of the event with this seq. */
        public static Key of(TenantId tenant, long seq) {
            return new Key(tenant, (seq - 1) / SIZE);
        }
    }

    public AuditPage and(AuditEvent event) {
        var more = new ArrayList<AuditEvent>(events.size() + 1);
        more.addAll(events);
        more.add(event);
        return new AuditPage(more);
    }

    /** Whether the next event belongs on another page; events may have been let go at its beginning. */
    public boolean isFull() {
        return !events.isEmpty() && events.getLast().seq() % SIZE == 0;
    }

    /** Whether the event with this seq is its first. */
    public boolean isBegunBy(long seq) {
        return !events.isEmpty() && events.getFirst().seq() == seq;
    }

    public Optional<AuditEvent> find(long seq) {
        return events.stream().filter(event -> event.seq() == seq).findFirst();
    }

    /** The page with another event at its place. */
    public AuditPage with(AuditEvent changed) {
        return new AuditPage(events.stream()
                .map(event -> event.seq() == changed.seq() ? changed : event)
                .toList());
    }

    /** The page without the events up to this one. */
    public AuditPage after(long seq) {
        return new AuditPage(events.stream().filter(event -> event.seq() > seq).toList());
    }
}
