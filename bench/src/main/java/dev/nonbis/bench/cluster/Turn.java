package dev.nonbis.bench.cluster;

import java.util.List;
import java.util.stream.IntStream;

/** What happens to a cluster in turn, what hurts most first. */
public enum Turn {
    SERVER_AND_DATABASE("1 server and the database killed"),
    /** Two servers, where there is no broker. */
    BROKER("the broker killed"),
    STOP("1 server stopped for longer than its leases"),
    DATABASE("the database killed"),
    SERVERS("2 servers killed"),
    SERVER("1 server killed");

    private final String words;

    Turn(String words) {
        this.words = words;
    }

    /** So many, one after another. */
    static List<Turn> some(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> values()[number % values().length])
                .toList();
    }

    @Override
    public String toString() {
        return words;
    }
}
