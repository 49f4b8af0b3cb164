package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.identity.Ids;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.core.tenant.TenantState;

/** Appends to a tenant's chain, in the transaction of what the event tells. */
final class Audit {

    private Audit() {}

    static void append(Tx tx, TenantId tenant, AuditEvent.Draft draft) {
        var state = tx.find(Tables.TENANTS, tenant).orElse(TenantState.NEW);
        var event = AuditEvent.after(
                state.audit(), Ids.event(draft.at(), tenant, state.audit().hash()), draft);
        tx.put(Tables.TENANTS, tenant, state.with(event.asHead()));
        tx.insert(Tables.AUDIT, new AuditEvent.Key(tenant, event.seq()), event);
    }
}
