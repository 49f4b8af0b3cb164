package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditPage;
import dev.nonbis.core.audit.EventTypes;
import dev.nonbis.core.identity.Ids;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.core.tenant.TenantState;

/** Appends to a tenant's chain, in the transaction of what the event tells. */
final class Audit {

    private Audit() {}

    /** Appends under a name that follows from the event's place in the chain, and returns it. */
    static String append(Tx tx, TenantId tenant, AuditEvent.Draft draft) {
        var state = state(tx, tenant);
        String id = Ids.event(draft.at(), tenant, state.audit().hash());
        append(tx, tenant, state, AuditEvent.after(state.audit(), id, known(draft)));
        return id;
    }

    /** Appends under a name that was chosen before. */
    static void append(Tx tx, TenantId tenant, String id, AuditEvent.Draft draft) {
        var state = state(tx, tenant);
        append(tx, tenant, state, AuditEvent.after(state.audit(), id, known(draft)));
    }

    // Filters are checked against the list, so an event that is not in it could not be asked for.
    private static AuditEvent.Draft known(AuditEvent.Draft draft) {
        if (!EventTypes.ALL.contains(draft.type())) {
            throw new IllegalStateException(draft.type() + " is not in the list of event types");
        }
        return draft;
    }

    private static TenantState state(Tx tx, TenantId tenant) {
        return tx.find(Tables.TENANTS, tenant).orElse(TenantState.NEW);
    }

    private static void append(Tx tx, TenantId tenant, TenantState state, AuditEvent event) {
        var page = state.open().and(event);
        if (page.isFull()) {
            tx.insert(Tables.AUDIT, AuditPage.Key.of(tenant, event.seq()), page);
        }
        tx.put(Tables.TENANTS, tenant, state.with(event.asHead(), page.isFull() ? AuditPage.EMPTY : page));
    }
}
