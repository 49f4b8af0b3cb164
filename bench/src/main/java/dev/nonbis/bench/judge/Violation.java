package dev.nonbis.bench.judge;

/** A promise that was broken, and the evidence. */
public record Violation(Guarantee guarantee, String evidence) {

    @Override
    public String toString() {
        return guarantee + " (" + guarantee.words() + "): " + evidence;
    }
}
