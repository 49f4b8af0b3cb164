package dev.nonbis.bench.cluster;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.http.HttpConnection;
import dev.nonbis.bench.judge.Exchange;
import dev.nonbis.bench.process.Credential;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Somebody of a tenant, with one connection at a time; each new one may lead to another server. All that is sent and heard is logged. */
final class Person implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Duration LONGEST_INSISTING = Duration.ofMinutes(2);
    private static final long PAUSE_MS = 40;

    private final InetSocketAddress address;
    private final Credential credential;
    private final Log log;
    private @Nullable HttpConnection connection;

    Person(InetSocketAddress address, Credential credential, Log log) {
        this.address = address;
        this.credential = credential;
        this.log = log;
    }

    /** Something to ask for; the key may be empty. */
    record Wish(String method, String path, String key, String body) {

        static Wish get(String path) {
            return new Wish("GET", path, "", "");
        }

        static Wish post(String path, String key, String body) {
            return new Wish("POST", path, key, body);
        }
    }

    String tenant() {
        return credential.tenant();
    }

    /** Asks once; empty when there was no answer. */
    Optional<Answer> ask(Wish wish) {
        var path = wish.path.replaceAll("\\?.*", "");
        var key = wish.key.isEmpty() ? Optional.<String>empty() : Optional.of(wish.key);
        var open = log.sent(
                new Exchange.Caller(credential.tenant(), credential.subject()),
                new Exchange.Sent(wish.method, path, key, wish.body));
        try {
            var answer = connected().send(call(wish).as(credential.token()));
            log.answered(open, answer);
            return Optional.of(answer);
        } catch (IOException e) {
            close();
            return Optional.empty();
        }
    }

    /** Asks again while nobody knows, or while the advice is to; empty if that did not end. */
    Optional<Answer> insist(Wish wish) throws InterruptedException {
        var answer = insist(wish, LONGEST_INSISTING);
        if (answer.isEmpty()) {
            log.leftUnanswered(credential.tenant() + " " + wish);
        }
        return answer;
    }

    /** The same, for that long. */
    Optional<Answer> insist(Wish wish, Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        while (System.nanoTime() < end) {
            var answer = ask(wish);
            if (answer.filter(a -> a.status() < 500).isPresent()) {
                return answer;
            }
            Thread.sleep(PAUSE_MS);
        }
        return Optional.empty();
    }

    static JsonNode json(Answer answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    private static Call call(Wish wish) {
        return new Call(
                new Call.Target(wish.method, wish.path),
                Optional.empty(),
                wish.key.isEmpty() ? Optional.empty() : Optional.of(wish.key),
                wish.body.getBytes(StandardCharsets.UTF_8));
    }

    private HttpConnection connected() throws IOException {
        var open = connection;
        if (open == null) {
            open = HttpConnection.open(address, PATIENCE);
            connection = open;
        }
        return open;
    }

    @Override
    public void close() {
        var open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // It is of no use any more either way.
            }
        }
    }
}
