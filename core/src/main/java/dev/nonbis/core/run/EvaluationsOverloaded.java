package dev.nonbis.core.run;

/** A tenant has as many evaluations waiting as it may, or one waited too long. Nothing was evaluated, and nothing is recorded. */
public final class EvaluationsOverloaded extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public EvaluationsOverloaded(String why) {
        super(why, null, false, false);
    }
}
