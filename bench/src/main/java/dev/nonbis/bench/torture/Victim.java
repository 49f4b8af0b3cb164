package dev.nonbis.bench.torture;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** A server that is killed again and again and keeps its data. */
public interface Victim {

    /** Starts it on the data that it left and returns where it listens once it is ready. */
    InetSocketAddress start() throws IOException, InterruptedException;

    /** Ends it at once, in the middle of whatever it does. */
    void kill() throws InterruptedException;

    /** How long the load goes on after the kill, because something is left that answers. */
    default Duration aftermath() {
        return Duration.ZERO;
    }

    /** Loses the answer to something that was committed, by cutting the connection in between; false when nothing passed that could be cut. */
    default boolean cut() throws InterruptedException {
        throw new UnsupportedOperationException("this victim's connections cannot be cut");
    }

    boolean alive();

    /** What it wrote down as mistakes of its own; clients that only retry do not tell of them. */
    default List<String> mistakes() throws IOException {
        return List.of();
    }

    /** What it said last, for the report. */
    String lastWords();
}
