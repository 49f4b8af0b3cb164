package dev.nonbis.bench.judge;

import dev.nonbis.bench.torture.CanonicalForm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The part of G4 that is about keys and nonces: whoever is told that one belongs to something else is told the truth. There is a thing that
 * another request made under it, and that request was sent before the answer came.
 */
final class KeysStayFree {

    private static final Set<String> KEY_TAKEN = Set.of("idempotency_key_reused", "protocol.idempotency_conflict");
    private static final String NONCE_TAKEN = "protocol.nonce_replay";

    private record Name(String tenant, String operation, String key) {}

    private record Nonce(String tenant, String value) {}

    private record Request(String path, String bodyHash) {}

    private final Promises promises;
    private final Map<String, Effects> effects = new HashMap<>();
    private final Map<String, Set<String>> takenNonces = new HashMap<>();
    private final Map<Name, Map<Request, Long>> requests = new HashMap<>();
    private final Map<Nonce, Map<String, Long>> keysOfNonces = new HashMap<>();

    private KeysStayFree(History history, Export export, Promises promises) {
        this.promises = promises;
        export.tenants().forEach((name, tenant) -> {
            effects.put(name, new Effects(tenant));
            var nonces = new HashSet<String>();
            tenant.audit()
                    .forEach(
                            event -> nonces.add(event.path("data").path("nonce").asString("")));
            takenNonces.put(name, nonces);
        });
        for (var exchange : history.exchanges()) {
            name(exchange).ifPresent(name -> {
                requests.computeIfAbsent(name, n -> new LinkedHashMap<>())
                        .putIfAbsent(request(exchange), exchange.sentAtMicros());
                nonce(exchange)
                        .ifPresent(nonce -> keysOfNonces
                                .computeIfAbsent(nonce, n -> new LinkedHashMap<>())
                                .putIfAbsent(name.key(), exchange.sentAtMicros()));
            });
        }
        // Only what made something can be in another's way; that is one request for each key, or one after each
        // retention.
        requests.forEach((name, all) -> all.keySet()
                .removeIf(request -> effects.getOrDefault(name.tenant(), Effects.NONE)
                        .of(name.operation(), request.bodyHash())
                        .isEmpty()));
    }

    static List<Violation> check(History history, Export export, Promises promises) {
        var known = new KeysStayFree(history, export, promises);
        var found = new ArrayList<Violation>();
        for (var exchange : history.exchanges()) {
            known.wrong(exchange)
                    .ifPresent(what -> found.add(new Violation(
                            Guarantee.G4,
                            exchange.tenant() + " " + exchange.sent() + " got "
                                    + exchange.reply().orElseThrow().body() + ", but " + what)));
        }
        return found;
    }

    private Optional<String> wrong(Exchange exchange) {
        var code = exchange.reply().map(Exchange.Reply::code).orElse("");
        var name = name(exchange);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        if (KEY_TAKEN.contains(code)) {
            var mine = request(exchange);
            return isOther(requests.getOrDefault(name.get(), Map.of()), mine, exchange)
                    ? Optional.empty()
                    : Optional.of("nothing was made by another request under this key");
        }
        return code.equals(NONCE_TAKEN) ? nonce(exchange).flatMap(nonce -> wrong(exchange, nonce)) : Optional.empty();
    }

    private Optional<String> wrong(Exchange exchange, Nonce nonce) {
        if (!takenNonces.getOrDefault(nonce.tenant(), Set.of()).contains(nonce.value())) {
            return Optional.of("no payment has this nonce");
        }
        var keys = keysOfNonces.getOrDefault(nonce, Map.of());
        var mine = exchange.sent().key().orElseThrow();
        long age = exchange.reply().orElseThrow().atMicros() - keys.getOrDefault(mine, 0L);
        boolean forgotten = promises.surelyLiveMicros("payments")
                .filter(live -> age >= live)
                .isPresent();
        return forgotten || isOther(keys, mine, exchange)
                ? Optional.empty()
                : Optional.of("nobody sent it under another key");
    }

    private static <T> boolean isOther(Map<T, Long> all, T mine, Exchange exchange) {
        long heardAt = exchange.reply().orElseThrow().atMicros();
        return all.entrySet().stream().anyMatch(other -> !other.getKey().equals(mine) && other.getValue() <= heardAt);
    }

    private static Optional<Name> name(Exchange exchange) {
        return exchange.operation()
                .flatMap(operation -> exchange.sent().key().map(key -> new Name(exchange.tenant(), operation, key)));
    }

    private static Request request(Exchange exchange) {
        return new Request(
                exchange.sent().path(), CanonicalForm.sha256(exchange.sent().json()));
    }

    private static Optional<Nonce> nonce(Exchange exchange) {
        return exchange.isPost("/v1/payment-requests")
                ? Optional.of(new Nonce(
                        exchange.tenant(), exchange.sent().json().path("nonce").asString("")))
                : Optional.empty();
    }
}
