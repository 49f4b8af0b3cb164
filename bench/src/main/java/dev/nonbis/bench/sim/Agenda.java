package dev.nonbis.bench.sim;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.PriorityQueue;

/** True time, and what is to happen when. Time passes only from one entry to the next; of two at the same time the older comes first. */
final class Agenda implements InstantSource {

    private record Entry(long atMicros, long number, Runnable what) implements Comparable<Entry> {

        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(atMicros, other.atMicros);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private final Instant start;
    private long nowMicros;
    private long entered;

    Agenda(Instant start) {
        this.start = start;
    }

    /** Since the start. */
    long micros() {
        return nowMicros;
    }

    @Override
    public Instant instant() {
        return start.plus(nowMicros, ChronoUnit.MICROS);
    }

    void after(long micros, Runnable what) {
        entries.add(new Entry(nowMicros + Math.max(0, micros), entered++, what));
    }

    /** Lets everything happen that is due up to this time. */
    void runUntil(long micros) {
        while (!entries.isEmpty() && entries.peek().atMicros <= micros) {
            var next = entries.remove();
            nowMicros = next.atMicros;
            next.what.run();
        }
        nowMicros = Math.max(nowMicros, micros);
    }
}
