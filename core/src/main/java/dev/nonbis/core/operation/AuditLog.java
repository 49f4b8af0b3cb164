package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditPage;
import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.TenantState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A tenant's log as one list, whether events stand on full pages or still with the tenant. What was let go is not in it. While a database
 * cannot take what was acknowledged, the tenant's row may be newer than the pages that are listed: then the list ends with the pages, so
 * that nobody goes past events that he has not seen.
 */
public final class AuditLog {

    private AuditLog() {}

    /**
     * A part of the log.
     *
     * @param more whether there are others behind it, in the direction in which it was read
     */
    public record Part(List<AuditEvent> events, boolean more) {}

    /** The events after this one, oldest first, however large they are. */
    public static List<AuditEvent> after(ReadTx tx, TenantId tenant, long seq, int limit) {
        return after(tx, tenant, seq, limit, Integer.MAX_VALUE).events();
    }

    /** The events after this one, oldest first; it ends with the page of the log that reaches so many bytes. */
    public static Part after(ReadTx tx, TenantId tenant, long seq, int limit, int bytes) {
        long from = Math.max(seq, dropped(tx, tenant));
        // The page before the one where the next event stands; there is none before the first.
        var before = Optional.of(AuditPage.Key.of(tenant, from + 1).number())
                .filter(number -> number > 0)
                .map(number ->
                        Tables.AUDIT.row(new AuditPage.Key(tenant, number - 1)).key());
        var events = new ArrayList<AuditEvent>();
        var range = pages(tenant).after(before).limit(pagesFor(limit + 1)).bytes(bytes);
        var pages = tx.scan(range);
        for (var hit : pages) {
            events.addAll(hit.row().after(from).events());
        }
        if (!range.isExhaustedBy(pages)) {
            return part(events, limit, true);
        }
        long reached = events.isEmpty() ? from : events.getLast().seq();
        var open = open(tx, tenant).after(reached);
        if (open.isBegunBy(reached + 1)) {
            events.addAll(open.events());
        }
        return part(events, limit, false);
    }

    private static Part part(List<AuditEvent> events, int limit, boolean isCut) {
        boolean more = !events.isEmpty() && (isCut || events.size() > limit);
        return new Part(List.copyOf(events.subList(0, Math.min(limit, events.size()))), more);
    }

    /** The events before this one, newest first; from the end when there is none given. */
    public static Part before(ReadTx tx, TenantId tenant, Optional<Long> seq, int limit) {
        long end = seq.orElse(Long.MAX_VALUE);
        long dropped = dropped(tx, tenant);
        var place = seq.map(at -> Tables.AUDIT
                .row(new AuditPage.Key(tenant, AuditPage.Key.of(tenant, at - 1).number() + 1))
                .key());
        var range = pages(tenant)
                .newestFirst()
                .after(place)
                .limit(pagesFor(limit + 1))
                .bytes(Page.MAX_BYTES);
        var pages = tx.scan(range);
        long listed = pages.isEmpty()
                ? dropped
                : Math.max(dropped, pages.getFirst().row().events().getLast().seq());
        var events = new ArrayList<AuditEvent>();
        var open = open(tx, tenant).after(listed);
        if (open.isBegunBy(listed + 1)) {
            events.addAll(open.events().reversed());
        }
        for (var hit : pages) {
            events.addAll(hit.row().events().reversed());
        }
        var wanted = events.stream()
                .filter(event -> event.seq() < end && event.seq() > dropped)
                .toList();
        return part(wanted, limit, !range.isExhaustedBy(pages));
    }

    public static Optional<AuditEvent> find(ReadTx tx, TenantId tenant, long seq) {
        return tx.find(Tables.AUDIT, AuditPage.Key.of(tenant, seq))
                .or(() -> Optional.of(open(tx, tenant)))
                .flatMap(page -> page.find(seq));
    }

    private static AuditPage open(ReadTx tx, TenantId tenant) {
        return tx.find(Tables.TENANTS, tenant).orElse(TenantState.NEW).open();
    }

    private static long dropped(ReadTx tx, TenantId tenant) {
        return tx.find(Tables.AUDIT_TREES, tenant).orElse(AuditTree.EMPTY).dropped();
    }

    private static Range<AuditPage> pages(TenantId tenant) {
        return Range.keysStartingWith(Tables.AUDIT, tenant + "/");
    }

    // The first and the last may be wanted in part.
    private static int pagesFor(int events) {
        return (events - 1) / AuditPage.SIZE + 2;
    }
}
