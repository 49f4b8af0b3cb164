package dev.nonbis.bench.sim;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditPage;
import dev.nonbis.core.identity.Ids;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.http.Call;
import java.time.Instant;
import java.util.Optional;

/** An event that fits its chain and tells of nothing that happened. */
record ForgedEvent(String type, String subject) {

    private static final Instant AT = Instant.parse("2026-03-31T00:00:00Z");

    void append(Store store, Call call) {
        var tenant = call.actor().tenant();
        store.transact(tx -> {
            var state = tx.find(Tables.TENANTS, tenant).orElse(TenantState.NEW);
            var draft = new AuditEvent.Draft(
                    AT, type, call.actor().subject(), subject, Optional.empty(), Optional.empty(), JsonObject.EMPTY);
            var event = AuditEvent.after(
                    state.audit(), Ids.event(AT, tenant, state.audit().hash()), draft);
            var page = state.open().and(event);
            if (page.isFull()) {
                tx.insert(Tables.AUDIT, AuditPage.Key.of(tenant, event.seq()), page);
            }
            tx.put(Tables.TENANTS, tenant, state.with(event.asHead(), page.isFull() ? AuditPage.EMPTY : page));
            return true;
        });
    }
}
