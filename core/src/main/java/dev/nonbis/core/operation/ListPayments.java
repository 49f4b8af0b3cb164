package dev.nonbis.core.operation;

import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.store.Index;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists a tenant's payments, newest first. */
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
        return Page.of(store, by(tenant, filter), after.map(id -> tenant + "/" + id), filter::matches, limit);
    }

    // One agent's payments are mostly fewer than those of one status.
    private static List<Range<Payment>> by(TenantId tenant, Filter filter) {
        var orders = new ArrayList<Range<Payment>>();
        filter.agent()
                .ifPresent(agent -> orders.add(equalTo(Tables.PAYMENTS_BY_AGENT, Tables.agentEntry(tenant, agent))));
        filter.status()
                .ifPresent(
                        status -> orders.add(equalTo(Tables.PAYMENTS_BY_STATUS, Tables.paymentEntry(tenant, status))));
        return orders.isEmpty() ? List.of(Range.keysStartingWith(Tables.PAYMENTS, tenant + "/")) : orders;
    }

    private static Range<Payment> equalTo(Index<Payment> index, String entry) {
        return Range.entriesEqualTo(Tables.PAYMENTS, index, entry);
    }
}
