package dev.nonbis.server.api;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.util.Optional;

/** Finds the trace of the request that made something. */
record Origins(Store store) {

    Optional<Trace> trace(TenantId tenant, String subject) {
        var job = JobId.of(subject);
        if (job.isPresent()) {
            return store.find(Tables.JOBS, new Tables.JobKey(tenant, job.get()))
                    .map(made -> made.origin().trace());
        }
        var payment = PaymentId.of(subject);
        if (payment.isPresent()) {
            return store.find(Tables.PAYMENTS, new Payment.Key(tenant, payment.get()))
                    .map(made -> made.origin().trace());
        }
        return store.find(Tables.RUNS, Tables.runKey(tenant, new RunId(subject)))
                .map(made -> made.origin().trace());
    }
}
