package dev.nonbis.bench.abuse;

import java.io.IOException;
import java.util.SplittableRandom;

/** One way to take a server's time, memory, sockets or files away from others. */
public interface Attack {

    /** How many strikes are under way at a time. */
    int threads();

    /** Strikes once; it comes back whatever the server does with it. */
    void strike(Attacker attacker, SplittableRandom random) throws IOException, InterruptedException;
}
