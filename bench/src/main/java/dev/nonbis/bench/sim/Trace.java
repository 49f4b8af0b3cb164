package dev.nonbis.bench.sim;

import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Tells what happens, line by line, to whoever wants to know. */
final class Trace {

    private final Agenda agenda;
    private final Optional<Consumer<String>> reader;

    Trace(Agenda agenda, Optional<Consumer<String>> reader) {
        this.agenda = agenda;
        this.reader = reader;
    }

    /** Whether anybody wants to know; what takes work to tell is asked first. */
    boolean isHeard() {
        return reader.isPresent();
    }

    void tell(Supplier<String> what) {
        reader.ifPresent(to -> to.accept(
                agenda.instant().truncatedTo(ChronoUnit.MILLIS).toString().replace('T', ' ') + "  " + what.get()));
    }
}
