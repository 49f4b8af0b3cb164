package dev.nonbis.bench.judge;

import dev.nonbis.bench.judge.Exchange.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * G13. No name of one tenant's thing or worker is in an answer to another, and a tenant that asks for such a thing is told that there is
 * none, in the same words whatever the thing is and does.
 */
final class TenantsApart implements Checker {

    private static final int NOT_FOUND = 404;

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var found = new ArrayList<Violation>();
        var owners = owners(export, found);
        var workers = workers(history);
        var words = new HashMap<String, String>();
        for (var exchange : history.exchanges()) {
            exchange.reply().ifPresent(reply -> {
                workers.forEach((worker, owner) -> {
                    if (!owner.equals(exchange.tenant()) && reply.body().contains(worker)) {
                        found.add(new Violation(
                                Guarantee.G13,
                                exchange.tenant() + " was told of " + owner + "'s worker " + worker + ": "
                                        + reply.body()));
                    }
                });
                Texts.ids(reply.body())
                        .filter(id -> isForeign(owners, id, exchange.tenant()))
                        .findFirst()
                        .ifPresent(id -> found.add(new Violation(
                                Guarantee.G13,
                                exchange.tenant() + " was told of " + owners.get(id) + "'s " + id + ": "
                                        + reply.body())));
                Texts.ids(exchange.sent().path())
                        .filter(id -> isForeign(owners, id, exchange.tenant()))
                        .findFirst()
                        .filter(id -> reply.status() != NOT_FOUND && reply.status() != 403 && reply.status() < 500)
                        .ifPresent(id -> found.add(new Violation(
                                Guarantee.G13,
                                exchange.tenant() + " asked for " + owners.get(id) + "'s " + id + " and got "
                                        + reply.status() + " " + reply.body())));
                Texts.ids(exchange.sent().path())
                        .filter(id -> isForeign(owners, id, exchange.tenant()) && reply.status() == NOT_FOUND)
                        .findFirst()
                        .flatMap(id -> inOtherWords(words, exchange, reply))
                        .ifPresent(what -> found.add(new Violation(Guarantee.G13, what)));
            });
        }
        return found;
    }

    // Words that depend on the thing tell of it.
    private static Optional<String> inOtherWords(Map<String, String> words, Exchange exchange, Reply reply) {
        var question = exchange.sent().method() + " "
                + Texts.withoutIds(exchange.sent().path());
        var answer = Texts.withoutIds(reply.body());
        var before = words.putIfAbsent(question, answer);
        return before == null || before.equals(answer)
                ? Optional.empty()
                : Optional.of(question + " for another's thing is answered with " + before + " and with " + answer);
    }

    // Names that only one tenant's workers have ever called themselves.
    private static Map<String, String> workers(History history) {
        var workers = new HashMap<String, String>();
        for (var exchange : history.exchanges()) {
            if (exchange.isPost("/api/v1/worker/poll")) {
                var name = exchange.sent().json().path("worker_id").asString("");
                workers.merge(name, exchange.tenant(), (one, other) -> one.equals(other) ? one : "");
            }
        }
        workers.values().removeIf(String::isEmpty);
        return workers;
    }

    private static boolean isForeign(Map<String, String> owners, String id, String tenant) {
        var owner = owners.get(id);
        return owner != null && !owner.equals(tenant);
    }

    private static Map<String, String> owners(Export export, List<Violation> found) {
        var owners = new HashMap<String, String>();
        export.tenants().forEach((name, tenant) -> {
            var ids = new ArrayList<String>();
            ids.addAll(tenant.jobs().keySet());
            ids.addAll(tenant.runs().keySet());
            ids.addAll(tenant.payments().keySet());
            tenant.audit().forEach(event -> ids.add(event.path("id").asString("")));
            for (var id : ids) {
                var other = owners.put(id, name);
                if (other != null && !other.equals(name)) {
                    found.add(new Violation(Guarantee.G13, id + " belongs to " + other + " and to " + name));
                }
            }
        });
        return owners;
    }
}
