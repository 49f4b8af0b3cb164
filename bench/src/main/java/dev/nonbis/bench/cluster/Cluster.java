package dev.nonbis.bench.cluster;

import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.RoundRobin;
import dev.nonbis.bench.process.ServerCommand;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import dev.nonbis.bench.torture.Database;
import dev.nonbis.testkit.service.NatsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Several servers on one store behind a plain load balancer, and perhaps a broker. */
public final class Cluster implements AutoCloseable {

    static final List<String> TENANTS = List.of("acme", "globex");
    static final List<String> PEOPLE = List.of("alice", "bob", "carol", "wanda", "root");
    static final int RUN_LIMIT = 4;
    private static final int KINDS = 5;
    static final String DAY_CAP_USD = "6.00";

    private static final String POLICY = """
            jobs:
              default: allow
              rules:
                - {id: ask, when: 'job.topic == "job.review"', verdict: require_approval}
            payments:
              default: deny
              rules:
                - {id: small, when: 'amount_usd <= 0.60', verdict: allow}
            agents:
              - {id: agent-one, status: active}
            providers:
              - {id: api.example, url: "https://api.example.com", status: trusted}
            budgets:
              - {agent: agent-one, scope: day, cap_usd: "6.00"}
            """;
    private static final String TOPICS = """
            defaults: {running_timeout: 3s, dispatch_timeout: 3s, max_attempts: 200}
            """;

    private final ServerCommand command;
    private final Database database;
    private final Optional<NatsServer> broker;
    private final List<Member> members = new ArrayList<>();
    private final RoundRobin balancer;
    private boolean databaseIsDown;
    private boolean brokerIsDown;

    private Cluster(
            ServerCommand command, Database database, Optional<NatsServer> broker, List<ServerDirectory> directories)
            throws IOException {
        this.command = command;
        this.database = database;
        this.broker = broker;
        directories.forEach(directory -> members.add(new Member(directory)));
        this.balancer = RoundRobin.over(directories.stream()
                .map(directory -> directory.ports().apiAddress())
                .toList());
    }

    /** Takes the database and the broker over and closes them with itself. */
    public static Cluster of(ServerCommand command, int servers, Database database, Optional<NatsServer> broker)
            throws IOException {
        var credentials = new ArrayList<Credential>();
        TENANTS.forEach(tenant -> PEOPLE.forEach(person -> credentials.add(Credential.of(tenant, person))));
        var keys = Files.createTempDirectory("nonbis-keys").resolve("signing-keys.json");
        var more = "signing: {keys_file: " + keys + "}\npolicy: {file: policy.yaml}\ntopics: {file: topics.yaml}\n"
                + broker.map(bus -> "bus: {url: \"" + bus.url() + "\"}\n").orElse("");
        var directories = new ArrayList<ServerDirectory>();
        for (int i = 0; i < servers; i++) {
            var directory = ServerDirectory.create(credentials, Optional.of(database.url(database.port())), more);
            Files.writeString(directory.root().resolve("policy.yaml"), POLICY);
            Files.writeString(directory.root().resolve("topics.yaml"), TOPICS);
            directories.add(directory);
        }
        return new Cluster(command, database, broker, directories);
    }

    /** One server and where it lives. */
    private static final class Member {

        private final ServerDirectory directory;
        private @Nullable ServerProcess process;

        Member(ServerDirectory directory) {
            this.directory = directory;
        }
    }

    InetSocketAddress address() {
        return balancer.address();
    }

    void start() throws IOException, InterruptedException {
        for (var member : members) {
            if (member.process == null || !member.process.alive()) {
                member.process = ServerProcess.start(command, member.directory);
            }
        }
    }

    /** Those that died although nobody killed them. */
    List<String> dead() {
        return members.stream()
                .flatMap(member -> Stream.ofNullable(member.process))
                .filter(process -> !process.alive())
                .map(ServerProcess::lastWords)
                .toList();
    }

    /** Kills what has its turn, what hurts most first; which servers are hit is up to chance. Says what it was. */
    String kill(int turn, SplittableRandom random) throws IOException, InterruptedException {
        return switch (turn % KINDS) {
            case 0 -> killServers(1, random) + " and " + killDatabase();
            case 1 -> broker.isPresent() ? killBroker() : killServers(2, random);
            case 2 -> killDatabase();
            case 3 -> killServers(2, random);
            default -> killServers(1, random);
        };
    }

    /** Brings back what was killed, and returns once all servers are ready. */
    void heal() throws IOException, InterruptedException {
        if (databaseIsDown) {
            database.startAgain();
            databaseIsDown = false;
        }
        if (brokerIsDown) {
            broker.ifPresent(NatsServer::restart);
            brokerIsDown = false;
        }
        start();
        for (var member : members) {
            if (member.process != null) {
                member.process.awaitReady();
            }
        }
    }

    private String killServers(int count, SplittableRandom random) throws InterruptedException {
        int first = random.nextInt(members.size());
        for (int i = 0; i < count; i++) {
            var process = members.get((first + i) % members.size()).process;
            if (process != null) {
                process.kill();
            }
        }
        return count + (count == 1 ? " server" : " servers");
    }

    private String killDatabase() throws IOException {
        database.kill();
        databaseIsDown = true;
        return "the database";
    }

    private String killBroker() {
        broker.ifPresent(NatsServer::kill);
        brokerIsDown = true;
        return "the broker";
    }

    @Override
    public void close() throws IOException {
        balancer.close();
        for (var member : members) {
            if (member.process != null) {
                member.process.close();
            }
            member.directory.close();
        }
        broker.ifPresent(NatsServer::close);
        database.close();
    }
}
