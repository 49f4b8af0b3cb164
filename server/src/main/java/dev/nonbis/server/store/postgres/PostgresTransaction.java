package dev.nonbis.server.store.postgres;

import dev.nonbis.core.store.Backend.Transaction;
import dev.nonbis.core.store.Backend.Wanted;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Write;
import dev.nonbis.server.store.postgres.PostgresErrors.Step;
import dev.nonbis.server.store.postgres.Sentence.Argument;
import dev.nonbis.server.store.postgres.Sentence.Part;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that holds one lock for each of its owners until it ends. Every writer takes these locks first, so what is read after
 * taking them stays as it is. Two round trips: lock and read, write and commit.
 */
final class PostgresTransaction implements Transaction {

    private final PostgresBackend backend;
    private final Connection connection;
    private final Set<String> owners = new HashSet<>();
    private final Set<RowRef<?, ?>> asked = new HashSet<>();
    private final Map<RowRef<?, ?>, StoredRow> found = new HashMap<>();
    private @Nullable RuntimeException failure;

    /** Takes the connection over and gives it back when closed. */
    PostgresTransaction(PostgresBackend backend, Connection connection) {
        this.backend = backend;
        this.connection = connection;
    }

    /** Lets a test of this package look at the session. */
    Connection connection() {
        return connection;
    }

    void begin(Wanted wanted) {
        var sentence = new Sentence();
        if (!wanted.owners().isEmpty()) {
            sentence.add(lock(wanted));
        }
        ask(sentence, wanted.rows());
        say(sentence, Step.BEFORE_COMMIT);
        // What was read without its owner's lock proves nothing.
        asked.removeIf(row -> !owners.contains(row.owner()));
        found.keySet().retainAll(asked);
    }

    private Part lock(Wanted wanted) {
        var byKey = new HashMap<Long, Set<String>>();
        for (var owner : wanted.owners()) {
            byKey.computeIfAbsent(OwnerLock.key(owner), key -> new HashSet<>()).add(owner);
        }
        // In one order everywhere, so that no two wait for each other.
        var keys = byKey.keySet().stream().sorted().toArray(Long[]::new);
        return new Part(
                wanted.waits() ? OwnerLock.TAKE : OwnerLock.TRY, List.of(new Argument("int8", keys)), statement -> {
                    try (var taken = statement.getResultSet()) {
                        while (taken.next()) {
                            owners.addAll(byKey.getOrDefault(taken.getLong(1), Set.of()));
                        }
                    }
                });
    }

    @Override
    public Set<String> owners() {
        return owners;
    }

    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        var sentence = new Sentence();
        ask(sentence, rows.stream().filter(row -> !asked.contains(row)).toList());
        say(sentence, Step.BEFORE_COMMIT);
        var some = new HashMap<RowRef<?, ?>, StoredRow>();
        for (var row : rows) {
            var stored = found.get(row);
            if (stored != null) {
                some.put(row, stored);
            }
        }
        return some;
    }

    private void ask(Sentence sentence, Collection<RowRef<?, ?>> rows) {
        backend.ask(sentence, rows, found);
        asked.addAll(rows);
    }

    @Override
    public void commit(List<Write> writes) {
        var failed = failure;
        if (failed != null) {
            throw failed;
        }
        if (writes.isEmpty()) {
            return;
        }
        var sentence = PostgresWrites.of(writes, backend::table);
        // A statement that fails keeps those behind it from being carried out, this one too.
        sentence.add("COMMIT");
        say(sentence, Step.COMMIT);
    }

    // A block that fails to read may go on without; the transaction may not.
    private void say(Sentence sentence, Step step) {
        try {
            sentence.say(connection);
        } catch (SQLException e) {
            throw failed(e, step);
        }
    }

    private RuntimeException failed(SQLException error, Step step) {
        var failed = backend.failed(connection, error, step);
        failure = failed;
        return failed;
    }

    @Override
    public void close() {
        backend.giveBack(connection);
    }

    /** The locks by which servers keep out of each other's way. A hash stands for an owner; two with the same hash merely share it. */
    static final class OwnerLock {

        static final String TAKE = "SELECT k, pg_advisory_xact_lock(k) FROM unnest(?::int8[]) AS k";
        static final String TRY = "SELECT k FROM unnest(?::int8[]) AS k WHERE pg_try_advisory_xact_lock(k)";

        // FNV-1a, begun at another place than usual, so that other programs on the database are unlikely to take the
        // same locks.
        private static final long START = 0xcbf29ce484222325L ^ 0x6e6f6e626973L;
        private static final long PRIME = 0x100000001b3L;

        private OwnerLock() {}

        static long key(String owner) {
            long hash = START;
            for (int i = 0; i < owner.length(); i++) {
                hash = (hash ^ owner.charAt(i)) * PRIME;
            }
            return hash;
        }
    }
}
