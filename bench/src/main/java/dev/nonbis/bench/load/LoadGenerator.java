package dev.nonbis.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Keeps every connection busy with one request at a time, from the calling thread. */
public final class LoadGenerator implements AutoCloseable {

    private static final long STALLED_AFTER_MS = 30_000;
    private static final int SAMPLES_OF_WRONG_ANSWERS = 5;

    private final Selector selector;
    private final List<LoadConnection> connections;
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(65_536);

    private LoadGenerator(Selector selector, List<LoadConnection> connections) {
        this.selector = selector;
        this.connections = connections;
    }

    public static LoadGenerator connect(InetSocketAddress address, int count) throws IOException {
        var selector = Selector.open();
        List<LoadConnection> connections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            connections.add(LoadConnection.open(address, selector));
        }
        return new LoadGenerator(selector, connections);
    }

    /** Drives one phase and returns once every request that was sent has its answer. */
    public LoadResult run(Phase phase, Span span) throws IOException {
        var drive = new Drive(phase, span);
        for (var connection : connections) {
            drive.sendNext(connection, System.nanoTime());
        }
        try {
            while (drive.underWay > 0) {
                if (selector.select(drive::ready, STALLED_AFTER_MS) == 0) {
                    throw new IOException("no answer within " + STALLED_AFTER_MS + " ms in phase " + phase.name());
                }
            }
        } catch (UncheckedIOException e) {
            throw new IOException("phase " + phase.name() + ": " + e.getMessage(), e.getCause());
        }
        return drive.result();
    }

    /** The state of one run of one phase. */
    private final class Drive {

        private final Phase phase;
        private final Histogram latencyNanos =
                new Histogram(Duration.ofSeconds(60).toNanos(), 3);
        private final List<String> firstWrong = new ArrayList<>();
        private final long startNanos = System.nanoTime();
        private final long deadlineNanos;
        private long requestsLeft;
        private long wrong;
        private long lastAnswerNanos = startNanos;
        private int underWay;

        Drive(Phase phase, Span span) {
            this.phase = phase;
            this.deadlineNanos = startNanos + span.atMost().toNanos();
            this.requestsLeft = span.atMostRequests();
        }

        void ready(SelectionKey key) {
            var connection = (LoadConnection) key.attachment();
            try {
                if (key.isWritable()) {
                    connection.flush();
                }
                if (key.isReadable() && connection.receive(scratch)) {
                    long now = System.nanoTime();
                    finish(connection, now);
                    sendNext(connection, now);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void sendNext(LoadConnection connection, long now) throws IOException {
            if (requestsLeft > 0 && now - deadlineNanos < 0) {
                requestsLeft--;
                underWay++;
                connection.send(phase.requests(), now);
            }
        }

        private void finish(LoadConnection connection, long now) {
            underWay--;
            lastAnswerNanos = now;
            latencyNanos.recordValue(Math.min(now - connection.sentAtNanos(), latencyNanos.getHighestTrackableValue()));
            var response = connection.response();
            if (!phase.expected().accepts(response.status(), response.replayed())) {
                wrong++;
                if (firstWrong.size() < SAMPLES_OF_WRONG_ANSWERS) {
                    firstWrong.add("expected " + phase.expected() + ", got " + response.status()
                            + (response.replayed() ? " replayed: " : ": ") + response.body());
                }
            }
        }

        LoadResult result() {
            return new LoadResult(
                    phase.name(),
                    Duration.ofNanos(Math.max(1, lastAnswerNanos - startNanos)),
                    latencyNanos,
                    new LoadResult.Wrong(wrong, List.copyOf(firstWrong)));
        }
    }

    @Override
    public void close() throws IOException {
        for (var connection : connections) {
            connection.close();
        }
        selector.close();
    }
}
