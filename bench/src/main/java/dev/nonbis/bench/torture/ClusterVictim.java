package dev.nonbis.bench.torture;

import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.RoundRobin;
import dev.nonbis.bench.process.ServerCommand;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import dev.nonbis.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Several servers on one PostgreSQL behind a plain load balancer. What is killed in turn: a server, the database, two servers, a server and the database. */
public final class ClusterVictim implements Victim, AutoCloseable {

    private static final Duration AFTERMATH = Duration.ofMillis(400);
    private static final String DATABASE = "nonbis";

    private final ServerCommand command;
    private final PostgresServer postgres;
    private final List<Member> members = new ArrayList<>();
    private final RoundRobin balancer;
    private final SplittableRandom random;
    private boolean postgresIsUp = true;
    private int kills;
    private String lastKill = "nothing";

    private ClusterVictim(ServerCommand command, PostgresServer postgres, List<ServerDirectory> directories, long seed)
            throws IOException {
        this.command = command;
        this.postgres = postgres;
        directories.forEach(directory -> members.add(new Member(directory)));
        this.balancer = RoundRobin.over(directories.stream()
                .map(directory -> directory.ports().apiAddress())
                .toList());
        this.random = new SplittableRandom(seed);
    }

    public static ClusterVictim of(ServerCommand command, int servers, List<Credential> credentials, long seed)
            throws IOException {
        var postgres = PostgresServer.start();
        postgres.createDatabase(DATABASE);
        var keys = java.nio.file.Files.createTempDirectory("nonbis-keys").resolve("signing-keys.json");
        var directories = new ArrayList<ServerDirectory>();
        for (int i = 0; i < servers; i++) {
            directories.add(ServerDirectory.create(
                    credentials, Optional.of(postgres.url(DATABASE)), "signing: {keys_file: " + keys + "}\n"));
        }
        return new ClusterVictim(command, postgres, directories, seed);
    }

    /** One server and where it lives. */
    private static final class Member {

        private final ServerDirectory directory;
        private @Nullable ServerProcess process;

        Member(ServerDirectory directory) {
            this.directory = directory;
        }

        boolean alive() {
            return process != null && process.alive();
        }
    }

    @Override
    public InetSocketAddress start() throws IOException, InterruptedException {
        if (!postgresIsUp) {
            postgres.startAgain();
            postgresIsUp = true;
        }
        for (var member : members) {
            if (!member.alive()) {
                member.process = ServerProcess.start(command, member.directory);
            }
        }
        for (var member : members) {
            if (member.process != null) {
                member.process.awaitReady();
            }
        }
        return balancer.address();
    }

    /** Each kind has its turn; which servers it hits is up to chance. */
    @Override
    public void kill() throws InterruptedException {
        switch (kills++ % 4) {
            case 0 -> killServers(1);
            case 1 -> killPostgres();
            case 2 -> killServers(2);
            default -> {
                killServers(1);
                killPostgres();
            }
        }
    }

    @Override
    public Duration aftermath() {
        return AFTERMATH;
    }

    private void killServers(int count) throws InterruptedException {
        int first = random.nextInt(members.size());
        for (int i = 0; i < count; i++) {
            var process = members.get((first + i) % members.size()).process;
            if (process != null) {
                process.kill();
            }
        }
        lastKill = count + " servers";
    }

    private void killPostgres() {
        try {
            postgres.kill();
            postgresIsUp = false;
            lastKill = "postgres";
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public boolean alive() {
        return members.stream().allMatch(Member::alive);
    }

    @Override
    public String lastWords() {
        var words = new StringBuilder("last kill: " + lastKill);
        for (var member : members) {
            words.append("\n--- ").append(member.process == null ? "never started" : member.process.lastWords());
        }
        return words.toString();
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
        postgres.close();
    }
}
