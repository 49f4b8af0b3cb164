package dev.nonbis.bench.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** G10. A nonce belongs to one payment, both in the answers and in the log. Histories never send a nonce again after its envelope's end. */
final class NonceOnce implements Checker {

    private record Name(String tenant, String nonce) {}

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var found = new ArrayList<Violation>();
        var payments = new HashMap<Name, String>();
        for (var exchange : history.exchanges()) {
            exchange.reply()
                    .filter(reply -> reply.isSuccess() && exchange.isPost("/v1/payment-requests"))
                    .ifPresent(reply -> take(
                            payments,
                            new Name(
                                    exchange.tenant(),
                                    exchange.sent().json().path("nonce").asString("")),
                            reply.json().path("payment_id").asString(""),
                            found));
        }
        export.tenants()
                .forEach((tenant, all) -> all.audit().forEach(event -> {
                    if (event.path("type").asString("").equals("payment.decided")) {
                        take(
                                payments,
                                new Name(
                                        tenant, event.path("data").path("nonce").asString("")),
                                event.path("subject").asString(""),
                                found);
                    }
                }));
        return found;
    }

    private static void take(Map<Name, String> payments, Name nonce, String payment, List<Violation> found) {
        var before = payments.putIfAbsent(nonce, payment);
        if (before != null && !before.equals(payment)) {
            found.add(new Violation(Guarantee.G10, nonce + " was taken for " + before + " and for " + payment));
        }
    }
}
