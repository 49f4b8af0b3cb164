package dev.nonbis.bench.fuzz;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.http.HttpConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends a running server requests made from its own description. Whatever is sent, the answer must come, must not be a failure of the
 * server, must be a problem with a code when it is a refusal, and must not hold a credential, its own or another's.
 */
public final class HttpFuzzer {

    private static final Pattern ID = Pattern.compile("(?:job|run|pay)_[0-9a-z]{26}");
    private static final Pattern PARAMETER = Pattern.compile("\\{[^}]*}");
    private static final int KNOWN_IDS = 200;
    private static final String EVENTS = "/api/v1/events";

    private final InetSocketAddress server;
    private final List<String> tokens;
    private final SplittableRandom chance;
    private final List<String> ids = new ArrayList<>();

    /**
     * Asks with any of these credentials, about things that any of them made.
     *
     * @param tokens credentials of different tenants
     */
    public HttpFuzzer(InetSocketAddress server, List<String> tokens, long seed) {
        this.server = server;
        this.tokens = List.copyOf(tokens);
        this.chance = new SplittableRandom(seed);
    }

    /** What came of it: answers by status, and what must not be. */
    public record Report(TreeMap<Integer, Integer> statuses, Set<String> findings) {}

    public Report send(int requests) throws IOException {
        var document = JsonMapper.shared()
                .readTree(HttpConnection.once(server, Call.get("/openapi.json")).text());
        var grammar = new Grammar(document);
        // The stream of events has no end to wait for.
        var operations = grammar.operations().stream()
                .filter(operation -> !operation.path().equals(EVENTS))
                .toList();
        var sentences = new Sentences(grammar, chance);
        var report = new Report(new TreeMap<>(), new LinkedHashSet<>());
        HttpConnection connection = open();
        for (int i = 0; i < requests; i++) {
            var call = call(operations.get(chance.nextInt(operations.size())), sentences);
            try {
                var answer = connection.send(call);
                report.statuses().merge(answer.status(), 1, Integer::sum);
                judge(call, answer).ifPresent(report.findings()::add);
                learn(answer);
                if (answer.header("connection")
                        .filter("close"::equalsIgnoreCase)
                        .isPresent()) {
                    connection.close();
                    connection = open();
                }
            } catch (IOException e) {
                report.findings().add("no answer to " + describe(call) + ": " + e);
                connection.close();
                connection = open();
            }
        }
        connection.close();
        return report;
    }

    private HttpConnection open() throws IOException {
        return HttpConnection.open(server, Duration.ofSeconds(40));
    }

    private Call call(Grammar.Operation operation, Sentences sentences) {
        var path =
                PARAMETER.matcher(operation.path()).replaceAll(found -> segment(operation, found.group(), sentences));
        var query = new ArrayList<String>();
        for (var parameter : operation.parameters()) {
            if (parameter.path("in").asString("").equals("query") && chance.nextInt(3) == 0) {
                query.add(encoded(parameter.path("name").asString("")) + "="
                        + encoded(sentences.word(parameter.path("schema"))));
            }
        }
        var target = new Call.Target(operation.method(), query.isEmpty() ? path : path + "?" + String.join("&", query));
        // Nobody here has the time to wait for work.
        byte[] body = operation
                .body()
                .map(shape -> sentences.body(shape).replaceAll("\"wait_ms\":[0-9]+", "\"wait_ms\":0"))
                .orElse("")
                .getBytes(StandardCharsets.UTF_8);
        var headers = new Headers(sentences, chance).of(operation.parameters());
        var token = tokens.get(chance.nextInt(tokens.size()));
        return switch (chance.nextInt(40)) {
            case 0 -> new Call(target, Optional.empty(), Optional.empty(), headers, body);
            case 1 -> {
                headers.add(new Call.Header("X-API-Key", token));
                yield new Call(target, Optional.empty(), Optional.empty(), headers, body);
            }
            default -> new Call(target, Optional.of(token), Optional.empty(), headers, body);
        };
    }

    private String segment(Grammar.Operation operation, String name, Sentences sentences) {
        if (!ids.isEmpty() && chance.nextInt(4) > 0) {
            return ids.get(chance.nextInt(ids.size()));
        }
        var bare = name.substring(1, name.length() - 1);
        var word = operation.parameters().stream()
                .filter(parameter -> parameter.path("name").asString("").equals(bare))
                .findFirst()
                .map(parameter -> sentences.word(parameter.path("schema")))
                .orElse("x");
        return Matcher.quoteReplacement(word.isEmpty() ? "x" : encoded(word));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private Optional<String> judge(Call call, Answer answer) {
        if (answer.status() >= 500) {
            return Optional.of(describe(call) + " got " + answer);
        }
        var told = answer.headers() + answer.text();
        if (tokens.stream().anyMatch(told::contains)) {
            return Optional.of(describe(call) + " was told a credential: " + answer.headers() + " " + answer);
        }
        boolean explained = answer.status() < 400 || answer.text().contains("\"code\":\"");
        return explained ? Optional.empty() : Optional.of(describe(call) + " got no problem: " + answer);
    }

    private void learn(Answer answer) {
        var found = ID.matcher(answer.text());
        if (found.find()) {
            if (ids.size() < KNOWN_IDS) {
                ids.add(found.group());
            } else {
                ids.set(chance.nextInt(KNOWN_IDS), found.group());
            }
        }
    }

    private static String describe(Call call) {
        var body = new String(call.body(), StandardCharsets.UTF_8);
        return call + " " + (body.length() > 400 ? body.substring(0, 400) + "…" : body);
    }
}
