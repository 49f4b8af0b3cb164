package dev.nonbis.core.operation;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.util.Optional;

/** Lists a tenant's approvals, newest first. */
public final class ListApprovals {

    private final Store store;

    public ListApprovals(Store store) {
        this.store = store;
    }

    public Page<Approval> list(TenantId tenant, Approval.Status status, Optional<String> after, int limit) {
        var range = Range.entriesEqualTo(
                Tables.APPROVALS, Tables.APPROVALS_BY_STATUS, Tables.approvalEntry(tenant, status));
        return Page.of(store, range, after.map(id -> tenant + "/" + id), approval -> true, limit);
    }
}
