package dev.nonbis.core.operation;

import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.util.Optional;

/** Lists a tenant's payments, newest first. They stand in no other order: every payment would have to write it, and few are listed. */
public final class ListPayments {

    private final Store store;

    public ListPayments(Store store) {
        this.store = store;
    }

    /** Which payments are wanted. */
    public record Filter(Optional<Payment.Status> status, Optional<String> agent) {

        public static final Filter ALL = new Filter(Optional.empty(), Optional.empty());

        boolean matches(Payment payment) {
            return status.map(s -> s == payment.decision().status()).orElse(true)
                    && agent.map(id -> id.equals(payment.origin().agentId())).orElse(true);
        }
    }

    public Page<Payment> list(TenantId tenant, Filter filter, Optional<PaymentId> after, int limit) {
        return Page.of(
                store,
                Range.keysStartingWith(Tables.PAYMENTS, tenant + "/"),
                after.map(id -> tenant + "/" + id),
                filter::matches,
                limit);
    }
}
