package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.server.RealServer.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PaymentStormTest {

    private static final String POLICY = """
            payments: {default: allow}
            agents: [{id: research-agent-01, status: active}]
            providers: [{id: api.example, url: "https://api.example.com", status: trusted}]
            budgets: [{agent: research-agent-01, scope: day, cap_usd: "1.00"}]
            """;

    @TempDir
    Path directory;

    private RealServer server;

    @BeforeEach
    void start() throws IOException {
        serve(directory);
    }

    private void serve(Path home) throws IOException {
        Files.writeString(home.resolve("policy.yaml"), POLICY);
        server = new RealServer(home);
    }

    /** On an empty server of its own for each attempt. */
    private void withinOneDay(Consumer<Path> test) throws Exception {
        new WithinOneDay(InstantSource.system()).run(attempt -> {
            server.close();
            var home = Files.createDirectory(directory.resolve("attempt-" + attempt));
            serve(home);
            test.accept(home);
        });
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static Envelopes envelope() {
        return Envelopes.valid(Instant.now().plus(Duration.ofMinutes(10)));
    }

    private Callable<Answer> submit(String key, String body) {
        return () -> server.post("/v1/payment-requests", RealServer.ACME, key, body);
    }

    private long events() {
        return server.get("/api/v1/audit/head", RealServer.ACME)
                .json()
                .integer("seq")
                .orElseThrow();
    }

    private String spent() {
        return server.get("/api/v1/budgets/research-agent-01", RealServer.ACME).body();
    }

    @Test
    void fifty_at_once_with_one_key_and_body_are_one_event_and_fifty_identical_bodies() throws Exception {
        withinOneDay(home -> fiftyWithOneKeyAndBody());
    }

    private void fiftyWithOneKeyAndBody() {
        String body = envelope().json();
        var calls = new ArrayList<Callable<Answer>>();
        for (int i = 0; i < 50; i++) {
            calls.add(submit("k", body));
        }

        var answers = RealServer.atOnce(calls);

        assertThat(answers).allMatch(answer -> answer.status() == 200);
        assertThat(answers.stream().map(Answer::body).distinct()).hasSize(1);
        assertThat(answers.stream().filter(answer -> !answer.replayed())).hasSize(1);
        assertThat(events()).isEqualTo(1);
        assertThat(spent()).contains("\"spent_usd\":\"0.05\"");
    }

    @Test
    void two_bodies_at_once_under_one_key_are_one_decision_and_one_conflict() {
        var envelope = envelope();
        var answers = RealServer.atOnce(List.of(
                submit("k", envelope.json()), submit("k", envelope.freshNonce().json())));

        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.status() == 409))
                .singleElement()
                .matches(answer -> answer.string("code").equals("protocol.idempotency_conflict"));
        assertThat(events()).isEqualTo(1);
    }

    @Test
    void one_nonce_under_fifty_keys_at_once_is_taken_once() {
        String body = envelope().json();
        var calls = new ArrayList<Callable<Answer>>();
        for (int i = 0; i < 50; i++) {
            calls.add(submit("k" + i, body));
        }

        var answers = RealServer.atOnce(calls);

        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.status() == 409))
                .hasSize(49)
                .allMatch(answer -> answer.string("code").equals("protocol.nonce_replay"));
        assertThat(events()).isEqualTo(1);
    }

    @Test
    void five_hundred_at_once_against_a_budget_for_twenty_are_twenty_also_after_a_restart() throws Exception {
        withinOneDay(this::fiveHundredAndARestart);
    }

    private void fiveHundredAndARestart(Path home) {
        var bodies = new ArrayList<String>();
        for (int i = 0; i < 500; i++) {
            bodies.add(envelope().json());
        }

        var first = sendAll(bodies);
        server.close();
        server = new RealServer(home);
        var again = sendAll(bodies);

        assertThat(first).allMatch(answer -> answer.status() == 200);
        assertThat(first.stream().filter(answer -> answer.string("status").equals("auto_approved")))
                .hasSize(20);
        assertThat(first.stream().filter(answer -> answer.string("decision").equals("deny")))
                .hasSize(480)
                .allMatch(answer -> answer.string("deny_code").equals("budget.exceeded"));
        assertThat(again.stream().map(Answer::body).toList())
                .isEqualTo(first.stream().map(Answer::body).toList());
        assertThat(spent()).contains("\"spent_usd\":\"1.00\"", "\"left_usd\":\"0.00\"");
        assertThat(events()).isEqualTo(500);
    }

    private List<Answer> sendAll(List<String> bodies) {
        var calls = new ArrayList<Callable<Answer>>();
        for (int i = 0; i < bodies.size(); i++) {
            calls.add(submit("pay-" + i, bodies.get(i)));
        }
        return RealServer.atOnce(calls);
    }
}
