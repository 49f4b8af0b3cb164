package dev.nonbis.core.operation;

import dev.nonbis.core.job.Job;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.core.tenant.TenantState;

/** Writes jobs and keeps the tenant's count of them by state. */
final class JobRows {

    private JobRows() {}

    static void insert(Tx tx, Job job) {
        tx.insert(Tables.JOBS, Tables.key(job), job);
        var tenant = tx.find(Tables.TENANTS, job.tenant()).orElse(TenantState.NEW);
        tx.put(Tables.TENANTS, job.tenant(), tenant.entered(job.state()));
    }

    static void update(Tx tx, Job before, Job after) {
        tx.update(Tables.JOBS, Tables.key(after), after);
        if (before.state() != after.state()) {
            var tenant = tx.get(Tables.TENANTS, after.tenant());
            tx.put(Tables.TENANTS, after.tenant(), tenant.left(before.state()).entered(after.state()));
        }
    }
}
