package dev.nonbis.bench.torture;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.http.HttpConnection;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.torture.KeyName.Form;
import dev.nonbis.bench.torture.Violation.Rule;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** One connection that writes into the history what it sends before it sends it, and judges what it hears. */
final class Client implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    // From here on it may have happened all the same.
    private static final int UNKNOWN = 500;
    private static final byte[] CANCEL_BODY = "{\"reason\":\"torture\"}".getBytes(StandardCharsets.UTF_8);

    private final HttpConnection connection;
    private final History history;

    private Client(HttpConnection connection, History history) {
        this.connection = connection;
        this.history = history;
    }

    static Client open(InetSocketAddress address, History history) throws IOException {
        return new Client(HttpConnection.open(address, PATIENCE), history);
    }

    Answer submit(KeyHistory key, Form form) throws IOException {
        var name = key.name();
        var attempt = key.begin(form);
        Answer answer;
        try {
            answer = send(
                    name.tenant(),
                    Call.post(name.operation().submitPath(), name.body(form)).withKey(name.key()));
        } catch (IOException e) {
            history.unansweredKeys.add(key);
            throw e;
        }
        history.violations.addAll(key.answered(attempt, answer, System.nanoTime()));
        if (answer.status() >= UNKNOWN) {
            history.unansweredKeys.add(key);
        }
        if (answer.status() == 422) {
            history.mismatchesRefused.increment();
        }
        if (answer.status() == 200 && attempt.afterSettled()) {
            history.replaysVerified.increment();
        }
        if (answer.status() == 200 && !attempt.afterSettled() && name.operation() == Operation.RUNS) {
            key.settled().ifPresent(settled -> history.activeRuns(name.tenant()).add(settled.id()));
        }
        return answer;
    }

    Answer cancel(CancelHistory cancel) throws IOException {
        boolean before = cancel.acknowledged();
        Answer answer;
        try {
            answer = send(cancel.tenant(), Call.post(cancel.path(), CANCEL_BODY));
        } catch (IOException e) {
            history.unansweredCancels.add(cancel);
            throw e;
        }
        cancel.answered(before, answer).ifPresent(history.violations::add);
        if (answer.status() >= UNKNOWN) {
            history.unansweredCancels.add(cancel);
        }
        return answer;
    }

    Answer get(String tenant, String path) throws IOException {
        return send(tenant, Call.get(path));
    }

    /** Sends as the tenant. */
    Answer send(String tenant, Call call) throws IOException {
        history.requests.increment();
        var answer = connection.send(call.as(Credential.forTenant(tenant).token()));
        if (answer.isMistake()) {
            history.violations.add(new Violation(
                    Rule.NEVER_A_MISTAKE,
                    tenant + ": " + call.target().method() + " " + call.target().path() + " got " + answer));
        }
        return answer;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
