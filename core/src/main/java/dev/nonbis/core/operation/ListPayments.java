package dev.nonbis.core.operation;

import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.util.Optional;

/** Lists a tenant's payments, newest first. */
public final class ListPayments {

    private final Store store;

    public ListPayments(Store store) {
        this.store = store;
    }

    public Page<Payment> list(TenantId tenant, Optional<PaymentId> after, int limit) {
        return Page.of(
                store,
                Range.keysStartingWith(Tables.PAYMENTS, tenant + "/"),
                after.map(id -> tenant + "/" + id),
                payment -> true,
                limit);
    }
}
