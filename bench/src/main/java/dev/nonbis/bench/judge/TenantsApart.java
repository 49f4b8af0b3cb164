package dev.nonbis.bench.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** G13. No name of one tenant's thing is in an answer to another, and a tenant that asks for such a name is told that there is none. */
final class TenantsApart implements Checker {

    private static final int NOT_FOUND = 404;

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var found = new ArrayList<Violation>();
        var owners = owners(export, found);
        for (var exchange : history.exchanges()) {
            exchange.reply().ifPresent(reply -> {
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
            });
        }
        return found;
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
