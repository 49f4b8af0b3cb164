package dev.nonbis.bench.cluster;

/** What happens to a cluster in turn, what hurts most first. */
enum Turn {
    SERVER_AND_DATABASE("1 server and the database killed"),
    BROKER("the broker killed"),
    STOP("1 server stopped for longer than its leases"),
    DATABASE("the database killed"),
    SERVERS("2 servers killed"),
    SERVER("1 server killed");

    private final String words;

    Turn(String words) {
        this.words = words;
    }

    static Turn of(int number, boolean hasBroker) {
        var turn = values()[number % values().length];
        return turn == BROKER && !hasBroker ? SERVERS : turn;
    }

    @Override
    public String toString() {
        return words;
    }
}
