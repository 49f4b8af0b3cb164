package dev.nonbis.server.bus.nats;

import dev.nonbis.core.bus.Bus;
import dev.nonbis.server.bus.nats.NatsSettings.Timing;
import dev.nonbis.testkit.bus.BusContract;
import dev.nonbis.testkit.service.EveryRelease;
import dev.nonbis.testkit.service.NatsServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a real broker, with a window and a redelivery short enough to wait for. */
@EveryRelease
final class NatsBusContractTest extends BusContract {

    private static final Timing QUICK =
            new Timing(Duration.ofSeconds(3), Duration.ofHours(1), Duration.ofMillis(600), Duration.ofSeconds(5));

    @TempDir
    static Path directory;

    private static NatsServer server;
    private final List<NatsBus> opened = new ArrayList<>();

    @BeforeAll
    static void start() {
        server = NatsServer.start(directory);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected Bus openEmpty() {
        server.restartEmpty();
        var bus = new NatsBus(NatsSettings.of(server.url()).with(QUICK), new Told());
        opened.add(bus);
        bus.watch();
        return bus;
    }

    @AfterEach
    void close() {
        opened.forEach(NatsBus::close);
    }

    /** The broker has a clock of its own, which nobody can move. */
    @Override
    protected void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    protected Duration window() {
        return QUICK.window();
    }

    @Override
    protected Duration edge() {
        return Duration.ofMillis(700);
    }

    @Override
    protected Duration redelivery() {
        return QUICK.redelivery();
    }
}
