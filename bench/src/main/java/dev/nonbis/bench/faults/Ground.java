package dev.nonbis.bench.faults;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.http.HttpConnection;
import dev.nonbis.bench.judge.Export;
import dev.nonbis.bench.judge.Exporter;
import dev.nonbis.bench.judge.Promises;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerCommand;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import dev.nonbis.testkit.net.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server of its own with limits that are reached and leases that are short, and a proxy in front of it. */
final class Ground implements AutoCloseable {

    private static final List<Credential> CREDENTIALS =
            Load.TENANTS.stream().map(Credential::forTenant).toList();
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    private static final String CONFIG = """
            policy: {file: policy.yaml}
            topics: {file: topics.yaml}
            approvals: {allow_self: true}
            limits: {acme: {max_concurrent_runs: 3}, globex: {max_concurrent_runs: 2}}
            """;

    /** Apart from the database, whose directory is flushed for other reasons. */
    static final String SIGNING_KEYS = "keys/signing-keys.json";

    private static final String SHORT_LEASES =
            "defaults: {running_timeout: 2s, dispatch_timeout: 3s, max_attempts: 500}\n";
    private static final String LONG_LEASES =
            "defaults: {running_timeout: 1h, dispatch_timeout: 1h, max_attempts: 500}\n";
    private static final String POLICY = """
            jobs:
              default: allow
              rules:
                - {id: ask, when: 'job.topic == "job.review"', verdict: require_approval}
                - {id: no, when: 'job.topic == "job.forbidden"', verdict: deny, deny_code: not.here}
            payments:
              default: deny
              rules:
                - {id: ask, when: 'payment.intent == "pay_compute_job"', verdict: require_approval}
                - {id: small, when: 'amount_usd <= 0.80', verdict: allow}
            agents: [{id: agent-one, status: active}]
            providers: [{id: api.example, url: "https://api.example.com", status: trusted}]
            budgets: [{agent: agent-one, scope: day, cap_usd: "20.00"}]
            """;
    private static final String WORKFLOW = """
            {"steps":[{"id":"first","topic":"job.step"},
                      {"id":"second","topic":"job.step","needs":["first"],"when":"${input.more}"}]}""";

    static final Promises PROMISES = new Promises(
            Map.of(),
            Duration.ZERO,
            Map.of("acme", 3, "globex", 2),
            Map.of("agent-one", new BigDecimal("20.00")),
            Duration.ofMinutes(2));

    private final ServerCommand command;
    private final ServerDirectory directory;
    private final TcpProxy front;
    private Optional<ServerProcess> process = Optional.empty();

    private Ground(ServerCommand command, ServerDirectory directory) {
        this.command = command;
        this.directory = directory;
        this.front = TcpProxy.to(directory.ports().api());
    }

    /**
     * A server that keeps its data in this directory.
     *
     * @param environment what stands between it and the system
     */
    static Ground at(Path data, ServerCommand command, Map<String, String> environment) throws IOException {
        return at(data, command.with(environment), SHORT_LEASES);
    }

    /** A server on what is left in this directory, on which soon nothing moves by itself. */
    static Ground onRemains(Path data, ServerCommand command) throws IOException {
        return at(data, command, LONG_LEASES);
    }

    private static Ground at(Path data, ServerCommand command, String topics) throws IOException {
        var directory = ServerDirectory.create(
                CREDENTIALS,
                Optional.of("sqlite:" + data.resolve("nonbis.db")),
                CONFIG + "signing: {keys_file: " + data.resolve(SIGNING_KEYS) + "}\n");
        Files.writeString(directory.root().resolve("policy.yaml"), POLICY);
        Files.writeString(directory.root().resolve("topics.yaml"), topics);
        return new Ground(command, directory);
    }

    void start() throws IOException, InterruptedException {
        process = Optional.of(ServerProcess.start(command, directory));
    }

    /** What every history begins with. */
    void prepare() {
        for (var tenant : Load.TENANTS) {
            ask(tenant, Call.put("/api/v1/workflows/plain", WORKFLOW.getBytes(StandardCharsets.UTF_8)));
        }
    }

    ServerProcess server() {
        return process.orElseThrow(() -> new IllegalStateException("the server was not started"));
    }

    TcpProxy front() {
        return front;
    }

    /** Where clients call. */
    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), front.port());
    }

    /** What the server wrote down as mistakes of its own. */
    List<String> mistakes() throws IOException {
        return directory.mistakes();
    }

    /** How many things are not at their end. */
    int unsettled() {
        return Load.TENANTS.stream()
                .mapToInt(tenant -> exporter(tenant).unsettled())
                .sum();
    }

    /** The same, once nothing moves any more: what is read piece by piece while it moves does not fit together. */
    Export exportAtRest() {
        var before = export();
        for (var now = export(); !now.equals(before); now = export()) {
            before = now;
        }
        return before;
    }

    Export export() {
        var tenants = new LinkedHashMap<String, Export.OfTenant>();
        Load.TENANTS.forEach(tenant -> tenants.put(tenant, exporter(tenant).export()));
        return new Export(tenants);
    }

    private Exporter exporter(String tenant) {
        return new Exporter(path -> ask(tenant, Call.get(path)));
    }

    /** Asks the server itself, with nothing in between. */
    JsonNode ask(String tenant, Call call) {
        try {
            Answer answer;
            try (var connection = HttpConnection.open(directory.ports().apiAddress(), ANSWER_WITHIN)) {
                answer = connection.send(call.as(Credential.forTenant(tenant).token()));
            }
            if (answer.status() >= 300) {
                throw new IllegalStateException(call + " got " + answer);
            }
            return JsonMapper.shared().readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(call + " failed: " + server().lastWords(), e);
        }
    }

    @Override
    public void close() throws IOException {
        front.close();
        process.ifPresent(ServerProcess::close);
        directory.close();
    }
}
