package dev.nonbis.bench.load;

import java.util.function.LongSupplier;

/**
 * One kind of traffic: its name in reports, its requests, and what must come back.
 *
 * @param available how many requests can be made from now on, where each uses something up
 */
public record Phase(String name, RequestMaker requests, Expected expected, LongSupplier available) {

    public Phase(String name, RequestMaker requests, Expected expected) {
        this(name, requests, expected, () -> Long.MAX_VALUE);
    }
}
