package dev.nonbis.bench.judge;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How often one tenant asked for what leaves nothing but its event, and how often it was told that it was done; by type and subject. */
final class Asked {

    static final Asked NOTHING = new Asked();

    /** An event that a request of this form writes; the subject is a segment of the path, or is left open. */
    private record Form(String method, String begin, String end, String type, Optional<Integer> subject) {

        boolean isOf(Exchange.Sent sent) {
            return sent.method().equals(method)
                    && sent.path().startsWith(begin)
                    && sent.path().endsWith(end);
        }
    }

    private static final List<Form> FORMS = List.of(
            new Form("DELETE", "/api/v1/dlq/", "", "dead_letter.discarded", Optional.of(3)),
            new Form("PUT", "/api/v1/tenants/", "/limits", "limits.set", Optional.of(3)),
            new Form("DELETE", "/api/v1/idempotency-keys/", "", "key.released", Optional.empty()),
            new Form("PUT", "/api/v1/webhooks/", "", "webhook.put", Optional.of(3)),
            new Form("DELETE", "/api/v1/webhooks/", "", "webhook.deleted", Optional.of(3)),
            new Form("POST", "/api/v1/audit/", "/redact", "audit.redacted", Optional.empty()),
            new Form("POST", "/api/v1/audit/drop", "", "audit.segment_dropped", Optional.empty()));

    private final Map<String, Integer> mayHaveHappened = new HashMap<>();
    private final Map<String, Integer> acknowledged = new HashMap<>();

    static Map<String, Asked> of(History history) {
        var asked = new HashMap<String, Asked>();
        for (var exchange : history.exchanges()) {
            FORMS.stream()
                    .filter(form -> form.isOf(exchange.sent()))
                    .findFirst()
                    .ifPresent(form -> asked.computeIfAbsent(exchange.tenant(), t -> new Asked())
                            .add(name(form, exchange), exchange.reply()));
        }
        return asked;
    }

    /** Whether events of this type are judged by what was asked. */
    static boolean knows(String type) {
        return FORMS.stream().anyMatch(form -> form.type().equals(type));
    }

    static String name(String type, String subject) {
        boolean open = FORMS.stream()
                .anyMatch(form -> form.type().equals(type) && form.subject().isEmpty());
        return open ? type : type + " " + subject;
    }

    private static String name(Form form, Exchange exchange) {
        return name(
                form.type(),
                form.subject()
                        .map(number -> Texts.segment(exchange.sent().path(), number))
                        .orElse(""));
    }

    private void add(String name, Optional<Exchange.Reply> reply) {
        boolean refused =
                reply.filter(r -> r.status() >= 400 && r.status() < 500).isPresent();
        mayHaveHappened.merge(name, refused ? 0 : 1, Integer::sum);
        acknowledged.merge(name, reply.filter(Exchange.Reply::isSuccess).isPresent() ? 1 : 0, Integer::sum);
    }

    /** How many events of a name there may be at most. */
    int most(String name) {
        return mayHaveHappened.getOrDefault(name, 0);
    }

    /** Every letter whose removal was acknowledged, and how often. */
    Map<String, Integer> discarded() {
        var discarded = new HashMap<String, Integer>();
        acknowledged.forEach((name, times) -> {
            if (name.startsWith("dead_letter.discarded ") && times > 0) {
                discarded.put(name, times);
            }
        });
        return discarded;
    }
}
