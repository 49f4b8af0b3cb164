package dev.nonbis.bench.torture;

import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerCommand;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import dev.nonbis.testkit.net.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One server on one store, with a proxy in front of the server and, where the store is a process of its own, one in front of the store.
 * What is killed in turn: the server, the store, both. What is cut in turn: a client from the server, the server from the store.
 */
public final class StoreVictim implements Victim, AutoCloseable {

    private static final Duration AFTERMATH = Duration.ofMillis(300);
    private static final long CUT_WITHIN_MS = 10_000;
    private static final String MARK_OF_REQUEST = "Idempotency-Key";

    private final ServerCommand command;
    private final Optional<Behind> store;
    private final ServerDirectory directory;
    private final TcpProxy front;
    private Optional<ServerProcess> process = Optional.empty();
    private boolean storeIsUp = true;
    private int kills;
    private int cuts;

    /** A store that is a process of its own, and the way to it. */
    private record Behind(Database database, TcpProxy proxy) {}

    private StoreVictim(ServerCommand command, Optional<Behind> store, ServerDirectory directory) {
        this.command = command;
        this.store = store;
        this.directory = directory;
        this.front = TcpProxy.to(directory.ports().api());
    }

    public static StoreVictim onFile(ServerCommand command, List<Credential> credentials) throws IOException {
        return new StoreVictim(command, Optional.empty(), ServerDirectory.create(credentials));
    }

    /** Takes the database over and closes it with itself. */
    public static StoreVictim on(Database database, ServerCommand command, List<Credential> credentials)
            throws IOException {
        var proxy = TcpProxy.to(database.port());
        return new StoreVictim(
                command,
                Optional.of(new Behind(database, proxy)),
                ServerDirectory.create(
                        credentials,
                        Optional.of(database.url(proxy.port())),
                        "signing: {keys_file: signing-keys.json}\n"));
    }

    @Override
    public InetSocketAddress start() throws IOException, InterruptedException {
        if (!storeIsUp) {
            store.orElseThrow().database.startAgain();
            storeIsUp = true;
        }
        if (alive()) {
            process.orElseThrow().awaitReady();
        } else {
            process = Optional.of(ServerProcess.start(command, directory));
        }
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), front.port());
    }

    @Override
    public void kill() throws InterruptedException {
        int turn = kills++ % 3;
        boolean isStoresTurn = store.isPresent() && turn > 0;
        if (isStoresTurn) {
            killStore();
        }
        if (!isStoresTurn || turn == 2) {
            process.orElseThrow().kill();
        }
    }

    private void killStore() {
        try {
            store.orElseThrow().database.kill();
            storeIsUp = false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean cut() throws InterruptedException {
        boolean isStoresTurn = store.isPresent() && cuts++ % 2 == 0;
        var proxy = isStoresTurn ? store.orElseThrow().proxy : front;
        var mark = isStoresTurn ? store.orElseThrow().database.markOfCommit() : MARK_OF_REQUEST;
        if (proxy.cutAtNext(mark).await(CUT_WITHIN_MS, TimeUnit.MILLISECONDS)) {
            return true;
        }
        proxy.cutNothing();
        return false;
    }

    @Override
    public Duration aftermath() {
        return AFTERMATH;
    }

    @Override
    public boolean alive() {
        return process.filter(ServerProcess::alive).isPresent();
    }

    @Override
    public List<String> mistakes() throws IOException {
        return directory.mistakes();
    }

    @Override
    public String lastWords() {
        return process.map(ServerProcess::lastWords).orElse("never started");
    }

    @Override
    public void close() throws IOException {
        front.close();
        process.ifPresent(ServerProcess::close);
        directory.close();
        store.ifPresent(behind -> {
            behind.proxy.close();
            behind.database.close();
        });
    }
}
