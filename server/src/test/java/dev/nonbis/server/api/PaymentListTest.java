package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.payment.Payment.Origin;
import dev.nonbis.core.store.Tables;
import org.junit.jupiter.api.Test;

class PaymentListTest {

    // More than one call looks at.
    private static final int OTHERS = 5_500;
    private static final TenantId ACME = new TenantId("acme");

    private final PaymentPlane payments = new PaymentPlane();
    private final TestPlane plane = payments.plane;

    @Test
    void a_payment_behind_thousands_of_others_is_found_in_one_call() {
        var wanted = new PaymentId(payments.submit("key-1", payments.envelope()).string("payment_id"));
        var found = plane.ports
                .store()
                .find(Tables.PAYMENTS, new Payment.Key(ACME, wanted))
                .orElseThrow();
        addNewer(found);

        for (var filter : new String[] {"agent=research-agent-01", "status=rejected&agent=research-agent-01"}) {
            var page = plane.get("/v1/payment-requests?limit=10&" + filter).send();

            assertThat(page.items()).hasSize(filter.startsWith("agent") ? 1 : 0);
            assertThat(page.json().string("next")).isEmpty();
        }
    }

    private void addNewer(Payment payment) {
        var origin = payment.origin();
        var other = new Origin(
                origin.submittedBy(),
                "another-agent",
                origin.amountUsd(),
                origin.trace(),
                origin.requestHash(),
                origin.createdAt());
        plane.ports.store().transact(tx -> {
            for (int i = 0; i < OTHERS; i++) {
                var id = new PaymentId("pay_z%05d".formatted(i));
                var newer = new Payment(id, ACME, other, payment.decision(), payment.receipts(), payment.duplicates());
                tx.insert(Tables.PAYMENTS, newer.key(), newer);
            }
            return OTHERS;
        });
    }
}
