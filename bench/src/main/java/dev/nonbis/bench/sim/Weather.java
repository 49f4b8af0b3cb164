package dev.nonbis.bench.sim;

import java.time.Duration;

/** What goes wrong, and how often. Storms come and go; when the skies are cleared nothing goes wrong any more. */
final class Weather {

    /** How a call to the store or the broker goes. */
    enum Fault {
        NONE,
        /** The caller dies before anything happens. */
        CRASH_BEFORE,
        /** Nothing happens, and the caller is told so. */
        REFUSED,
        /** Nothing happens, and the caller cannot know. */
        REQUEST_LOST,
        /** It happens, and the caller cannot know. */
        REPLY_LOST,
        /** It happens, and the caller dies. */
        CRASH_AFTER
    }

    private static final Fault[] FAULTS = {
        Fault.REFUSED, Fault.REQUEST_LOST, Fault.REPLY_LOST, Fault.REPLY_LOST, Fault.CRASH_BEFORE, Fault.CRASH_AFTER
    };

    final Duration clockError;
    final Duration betweenCrashes;
    private final Chance chance;
    private final double storeFaults;
    private final double busFaults;
    private final double networkLoss;
    private final double stepping;
    private final double brokerMischief;
    private boolean stormy;
    private boolean busStormy;
    private boolean acknowledgementsLost;
    private boolean cleared;

    Weather(Chance chance) {
        this.chance = chance;
        this.clockError = switch (chance.below(4)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofSeconds(1);
            case 2 -> Duration.ofSeconds(30);
            default -> Duration.ofMinutes(5);
        };
        this.betweenCrashes = Duration.ofMinutes(4 + chance.below(30));
        this.storeFaults = chance.unit() * 0.06;
        this.busFaults = chance.unit() * 0.5;
        this.networkLoss = chance.unit() * 0.12;
        this.stepping = 0.2 + chance.unit() * 0.6;
        this.brokerMischief = chance.unit() * 0.15;
    }

    /** Sets the weather for the next while; returns how long, in microseconds. */
    long change() {
        stormy = chance.of(0.5);
        busStormy = chance.of(0.4);
        acknowledgementsLost = chance.of(0.15);
        return chance.microsAround(Duration.ofMinutes(6));
    }

    /** For a reader: what is going wrong now. */
    @Override
    public String toString() {
        return (stormy ? "storm at the store" : "calm at the store")
                + (busStormy ? ", storm at the broker" : ", calm at the broker")
                + (acknowledgementsLost ? ", acknowledgements of publishes get lost" : "");
    }

    void clear() {
        cleared = true;
    }

    /** From here on things go wrong again. */
    void cloud() {
        cleared = false;
    }

    boolean isClear() {
        return cleared;
    }

    Fault ofStore() {
        return cleared || !stormy || !chance.of(storeFaults) ? Fault.NONE : FAULTS[chance.below(FAULTS.length)];
    }

    /** For minutes at a time a broker takes everything and nobody hears of it. */
    Fault ofPublish() {
        return acknowledgementsLost && !cleared ? Fault.REPLY_LOST : ofBroker();
    }

    Fault ofBroker() {
        return cleared || !busStormy || !chance.of(busFaults) ? Fault.NONE : FAULTS[chance.below(FAULTS.length)];
    }

    boolean losesMessage() {
        return !cleared && chance.of(brokerMischief);
    }

    boolean losesOnTheWay() {
        return !cleared && chance.of(networkLoss);
    }

    /** Whether this request or this round of a loop is taken step by step. */
    boolean isStepped() {
        return chance.of(stepping);
    }

    /** How long it takes until the next step; zero when nothing comes in between. */
    long pauseMicros() {
        int draw = chance.below(1000);
        if (draw < 500) {
            return 0;
        }
        if (draw < 950 || cleared) {
            return chance.microsAround(Duration.ofMillis(8));
        }
        return draw < 995 ? chance.microsAround(Duration.ofSeconds(2)) : chance.microsAround(Duration.ofSeconds(40));
    }

    long latencyMicros() {
        return cleared || chance.of(0.95)
                ? chance.microsAround(Duration.ofMillis(3))
                : chance.microsAround(Duration.ofMillis(800));
    }
}
