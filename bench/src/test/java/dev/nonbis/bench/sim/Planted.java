package dev.nonbis.bench.sim;

import dev.nonbis.bench.judge.Guarantee;

/** A plane with one mistake in it. */
interface Planted extends Variation {

    /** The promise that the mistake breaks. */
    Guarantee breaks();
}
