package dev.nonbis.bench.cluster;

import dev.nonbis.bench.judge.History;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.RoundRobin;
import dev.nonbis.bench.process.ServerCommand;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import dev.nonbis.bench.process.WrongClock;
import dev.nonbis.bench.torture.Database;
import dev.nonbis.testkit.service.NatsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Several servers on one store behind a plain load balancer, and perhaps a broker. */
public final class Cluster implements AutoCloseable {

    static final List<String> TENANTS = List.of("acme", "globex");
    static final List<String> PEOPLE = List.of("alice", "bob", "carol", "wanda", "root");
    static final int RUN_LIMIT = 4;
    static final String INTENT_TO_ASK_FOR = "pay_compute_job";
    /** How far the clocks of two servers are apart at most. */
    private static final Duration CLOCKS_APART = Duration.ofSeconds(5);

    static final String DAY_CAP_USD = "20.00";

    // The first agent's day ends early, and so do its questions to humans; the second one's go on.
    private static final String POLICY = """
            jobs:
              default: allow
              rules:
                - {id: ask, when: 'job.topic == "job.review"', verdict: require_approval}
            payments:
              default: deny
              rules:
                - {id: ask, when: 'payment.intent == "pay_compute_job"', verdict: require_approval}
                - {id: small, when: 'amount_usd <= 0.60', verdict: allow}
            agents:
              - {id: agent-one, status: active}
              - {id: agent-two, status: active}
            providers:
              - {id: api.example, url: "https://api.example.com", status: trusted}
            budgets:
              - {agent: agent-one, scope: day, cap_usd: "20.00"}
            """;
    private static final String TOPICS = """
            defaults: {running_timeout: 3s, dispatch_timeout: 3s, max_attempts: 200}
            """;

    private final Database database;
    private final Optional<NatsServer> broker;
    private final Optional<WrongClock> clock;
    private final List<Member> members;
    private final RoundRobin balancer;
    private boolean databaseIsDown;
    private boolean brokerIsDown;

    private Cluster(Database database, Optional<NatsServer> broker, Optional<WrongClock> clock, List<Member> members)
            throws IOException {
        this.database = database;
        this.broker = broker;
        this.clock = clock;
        this.members = List.copyOf(members);
        this.balancer = RoundRobin.over(members.stream().map(Member::address).toList());
    }

    /** Takes the database and the broker over and closes them with itself. Where there is a C compiler, no two clocks agree. */
    public static Cluster of(ServerCommand command, int servers, Database database, Optional<NatsServer> broker)
            throws IOException, InterruptedException {
        var credentials = new ArrayList<Credential>();
        TENANTS.forEach(tenant -> PEOPLE.forEach(person -> credentials.add(Credential.of(tenant, person))));
        var keys = Files.createTempDirectory("nonbis-keys").resolve("signing-keys.json");
        var more = "signing: {keys_file: " + keys + "}\npolicy: {file: policy.yaml}\ntopics: {file: topics.yaml}\n"
                + broker.map(bus -> "bus: {url: \"" + bus.url() + "\"}\n").orElse("");
        var clock = WrongClock.isAvailable() ? Optional.of(WrongClock.make()) : Optional.<WrongClock>empty();
        var members = new ArrayList<Member>();
        for (int i = 0; i < servers; i++) {
            var directory = ServerDirectory.create(credentials, Optional.of(database.url(database.port())), more);
            Files.writeString(directory.root().resolve("policy.yaml"), POLICY);
            Files.writeString(directory.root().resolve("topics.yaml"), TOPICS);
            var offset = CLOCKS_APART
                    .multipliedBy(i)
                    .dividedBy(Math.max(1, servers - 1))
                    .minus(CLOCKS_APART.dividedBy(2));
            members.add(new Member(
                    clock.map(wrong -> command.with(wrong.offBy(offset))).orElse(command), directory));
        }
        return new Cluster(database, broker, clock, members);
    }

    /** How far a clock is from the true time at most; zero where clocks cannot be made wrong. */
    Duration clockError() {
        return clock.map(wrong -> CLOCKS_APART.dividedBy(2)).orElse(Duration.ZERO);
    }

    /** One server and where it lives. */
    private static final class Member {

        private final ServerCommand command;
        private final ServerDirectory directory;
        private @Nullable ServerProcess process;
        private boolean isStopped;

        Member(ServerCommand command, ServerDirectory directory) {
            this.command = command;
            this.directory = directory;
        }

        InetSocketAddress address() {
            return directory.ports().apiAddress();
        }
    }

    InetSocketAddress address() {
        return balancer.address();
    }

    /** Where each server can be asked itself. */
    List<InetSocketAddress> addresses() {
        return members.stream().map(Member::address).toList();
    }

    /** Where a server can be asked itself that stands still, or that does not. */
    InetSocketAddress addressOfOne(boolean thatStandsStill) {
        return members.stream()
                .filter(member -> member.isStopped == thatStandsStill)
                .findFirst()
                .map(Member::address)
                .orElseThrow();
    }

    /** What servers wrote down as mistakes of their own. */
    List<String> mistakes() throws IOException {
        var all = new ArrayList<String>();
        for (var member : members) {
            all.addAll(member.directory.mistakes());
        }
        return all;
    }

    /** All that the broker took in; nothing where there is none, because messages then never leave the store. */
    List<History.Publish> publishes() throws IOException, InterruptedException {
        return broker.isPresent() ? Stream.read(broker.get().url()) : List.of();
    }

    void start() throws IOException, InterruptedException {
        for (var member : members) {
            if (member.process == null || !member.process.alive()) {
                member.process = ServerProcess.start(member.command, member.directory);
            }
        }
    }

    /** Those that died although nobody killed them. */
    List<String> dead() {
        return members.stream()
                .flatMap(member -> Optional.ofNullable(member.process).stream())
                .filter(process -> !process.alive())
                .map(ServerProcess::lastWords)
                .toList();
    }

    /** Does what has its turn; which servers are hit is up to chance. */
    void strike(Turn turn, SplittableRandom random) throws IOException, InterruptedException {
        switch (turn) {
            case SERVER_AND_DATABASE -> {
                killServers(1, random);
                killDatabase();
            }
            case BROKER -> {
                if (broker.isPresent()) {
                    killBroker();
                } else {
                    killServers(2, random);
                }
            }
            case STOP -> stopServer(random);
            case DATABASE -> killDatabase();
            case SERVERS -> killServers(2, random);
            case SERVER -> killServers(1, random);
        }
    }

    /** Lets go on what was stopped, brings back what was killed, and returns once all servers are ready. */
    void heal() throws IOException, InterruptedException {
        goOn();
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

    private void stopServer(SplittableRandom random) throws IOException, InterruptedException {
        var member = members.get(random.nextInt(members.size()));
        if (member.process != null) {
            member.process.pause();
            member.isStopped = true;
        }
    }

    private void goOn() throws IOException, InterruptedException {
        for (var member : members) {
            if (member.isStopped && member.process != null) {
                member.process.goOn();
                member.isStopped = false;
            }
        }
    }

    private void killServers(int count, SplittableRandom random) throws InterruptedException {
        int first = random.nextInt(members.size());
        for (int i = 0; i < count; i++) {
            var process = members.get((first + i) % members.size()).process;
            if (process != null) {
                process.kill();
            }
        }
    }

    private void killDatabase() throws IOException {
        database.kill();
        databaseIsDown = true;
    }

    private void killBroker() {
        broker.ifPresent(NatsServer::kill);
        brokerIsDown = true;
    }

    @Override
    public void close() throws IOException {
        balancer.close();
        // Who stands still cannot end.
        try {
            goOn();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (var member : members) {
            if (member.process != null) {
                member.process.close();
            }
            member.directory.close();
        }
        broker.ifPresent(NatsServer::close);
        database.close();
        if (clock.isPresent()) {
            clock.get().close();
        }
    }
}
