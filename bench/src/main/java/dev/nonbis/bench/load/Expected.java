package dev.nonbis.bench.load;

/** What every response of a phase must be; anything else is an error of the server or of the scenario. */
public record Expected(int status, boolean replayed) {

    boolean accepts(int actualStatus, boolean actuallyReplayed) {
        return status == actualStatus && replayed == actuallyReplayed;
    }

    @Override
    public String toString() {
        return status + (replayed ? " replayed" : " not replayed");
    }
}
