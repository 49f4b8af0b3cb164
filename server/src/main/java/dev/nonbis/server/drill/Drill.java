package dev.nonbis.server.drill;

import java.util.List;

/** One promise, tried on a live server. It ends what it began, whatever it saw. */
public interface Drill {

    /** Every drill, the quick ones first. */
    List<Drill> ALL = List.of(
            new ApprovalsDrill(), new AdmissionDrill(), new PaymentsDrill(), new DispatchDrill(), new WindowDrill());

    String name();

    /** What it tries, in a sentence. */
    String summary();

    /**
     * Adds a step to the stage's for everything that it tries.
     *
     * @throws dev.nonbis.client.NonbisException when it cannot go on
     */
    void run(Stage stage) throws InterruptedException;
}
