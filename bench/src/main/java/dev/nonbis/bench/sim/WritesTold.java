package dev.nonbis.bench.sim;

import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a reader of a trace wants to know of a transaction: where jobs and runs went, and what became of messages. */
final class WritesTold {

    private WritesTold() {}

    static List<String> of(List<Write> writes) {
        var told = new ArrayList<String>();
        for (var write : writes) {
            var table = write.row().table();
            if (table.equals(Tables.JOBS)) {
                value(Tables.JOBS, write)
                        .ifPresent(job -> told.add(job.id() + " is " + job.state() + ", attempts "
                                + job.progress().counts().attempts() + ", execution "
                                + job.progress().execution()));
            } else if (table.equals(Tables.RUNS)) {
                value(Tables.RUNS, write).ifPresent(run -> told.add(run.id() + " is " + run.state()));
            } else if (table.equals(Tables.MESSAGES)) {
                value(Tables.MESSAGES, write)
                        .ifPresent(
                                queued -> told.add("message " + queued.message().id()
                                        + (queued.isSpent()
                                                ? " is spent"
                                                : queued.deliveries() == 0 ? " is queued" : " is handed out")));
            }
        }
        return told;
    }

    private static <V> Optional<V> value(Table<?, V> table, Write write) {
        return switch (write) {
            case Write.Insert insert -> Optional.of(table.decode().apply(insert.body()));
            case Write.Update update -> Optional.of(table.decode().apply(update.body()));
            case Write.Delete delete -> Optional.empty();
            case Write.Expect expect -> Optional.empty();
        };
    }
}
