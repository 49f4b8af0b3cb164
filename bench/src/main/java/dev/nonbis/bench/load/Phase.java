package dev.nonbis.bench.load;

/** One kind of traffic: its name in reports, its requests, and what must come back. */
public record Phase(String name, RequestMaker requests, Expected expected) {}
