package dev.nonbis.core.operation;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.approval.Approval.Decision;
import dev.nonbis.core.approval.Approval.Kind;
import dev.nonbis.core.approval.Approval.Remarks;
import dev.nonbis.core.approval.Approval.Status;
import dev.nonbis.core.identity.Subject;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Tables;

/** Denies what nobody has decided in time. */
public final class ExpireApprovals {

    private static final int BATCH = 100;
    private static final String SYSTEM = Subject.system("expiry");

    private final Ports ports;
    private final Decide decide;

    public ExpireApprovals(Ports ports) {
        this.ports = ports;
        this.decide = new Decide(ports);
    }

    /** Settles one batch; returns how many had expired. */
    public int runOnce() {
        var now = ports.clock().instant();
        // The index ends before this text, and what expires exactly now has expired.
        String end = Tables.dueEntry(now.plusNanos(1000));
        var due = ports.store()
                .read(tx -> tx.scan(Range.entriesUpTo(Tables.APPROVALS, Tables.APPROVALS_BY_EXPIRY, "", end)
                        .limit(BATCH)));
        for (var hit : due) {
            Approval.Key key = hit.row().key();
            var decision = new Decision(Kind.EXPIRED, SYSTEM, now, SYSTEM, Remarks.NONE);
            ports.store().transact(Decide.reads(key), tx -> {
                // A human may have been quicker since the approval was read.
                tx.find(Tables.APPROVALS, key)
                        .filter(approval -> approval.status() == Status.WAITING)
                        .ifPresent(approval -> decide.apply(tx, approval, decision));
                return key;
            });
        }
        return due.size();
    }
}
