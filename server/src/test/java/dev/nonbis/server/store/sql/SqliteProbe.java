package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Index;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Write;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;

/**
 * Measures what an admission costs the writer and what a read costs. Not a test: run it by hand, on a file system in memory to leave
 * the flush out. Arguments: directory, admissions, batch size.
 */
final class SqliteProbe {

    private static final Table<String, byte[]> KEYS = table(1, "keys");
    private static final Table<String, byte[]> TENANTS = table(2, "tenants");
    private static final Table<String, byte[]> ADMISSIONS = table(3, "admissions");
    private static final Table<String, byte[]> JOBS = table(4, "jobs", "due", "state", "topic", "label");
    private static final Table<String, byte[]> AUDIT = table(8, "audit");
    private static final Comparator<Write> ORDER = Comparator.comparingInt(
                    (Write w) -> w.row().table().order())
            .thenComparing(w -> w.row().key());

    private final Random random = new Random(42);
    private final Backend backend;
    private final List<String> keys = new ArrayList<>();
    private long sequence;
    private long tenantVersion;

    private SqliteProbe(Backend backend) {
        this.backend = backend;
    }

    public static void main(String[] args) throws Exception {
        int admissions = Integer.parseInt(args[1]);
        int batch = Integer.parseInt(args[2]);
        var directory = Files.createTempDirectory(Path.of(args[0]), "probe");
        long started = cpuNanos();
        try (var backend = SqliteStore.open(directory.resolve("nonbis.db"), Throwable::printStackTrace)) {
            System.out.printf("opened an empty directory in %d ms%n", (cpuNanos() - started) / 1_000_000);
            var probe = new SqliteProbe(backend);
            probe.write(admissions, batch);
            probe.fetch(batch);
            probe.read();
            probe.update(batch);
            for (var file : List.of("nonbis.db", "nonbis.db-wal")) {
                System.out.printf("%s %d MiB%n", file, Files.size(directory.resolve(file)) >> 20);
            }
            started = cpuNanos();
        }
        System.out.printf("closed in %d ms%n", (cpuNanos() - started) / 1_000_000);
        started = cpuNanos();
        SqliteStore.open(directory.resolve("nonbis.db"), Throwable::printStackTrace)
                .close();
        System.out.printf("opened and closed the filled file in %d ms%n", (cpuNanos() - started) / 1_000_000);
    }

    private void write(int admissions, int batch) {
        backend.apply(List.of(new Write.Insert(TENANTS.row("acme"), body(200), none())));
        tenantVersion = 1;
        int done = 0;
        int part = Math.max(batch, admissions / 10);
        while (done < admissions) {
            var nanos = new long[part / batch];
            for (int i = 0; i < nanos.length; i++) {
                var writes = admissions(batch);
                long started = cpuNanos();
                backend.apply(writes);
                nanos[i] = cpuNanos() - started;
            }
            done += nanos.length * batch;
            Arrays.sort(nanos);
            System.out.printf(
                    "%,d rows: mean %.1f us, median %.1f us per admission; slowest batch %.1f ms%n",
                    done,
                    Arrays.stream(nanos).average().orElseThrow() / batch / 1000.0,
                    nanos[nanos.length / 2] / 1000.0 / batch,
                    nanos[nanos.length - 1] / 1e6);
        }
    }

    private List<Write> admissions(int batch) {
        var writes = new ArrayList<Write>();
        for (int i = 0; i < batch; i++) {
            var key = "acme/jobs/" + hex(16);
            keys.add(key);
            var id = "job_%013d%s".formatted(1_790_000_000_000L + ++sequence / 10, hex(5));
            writes.add(new Write.Insert(KEYS.row(key), id.getBytes(StandardCharsets.US_ASCII), none()));
            writes.add(new Write.Insert(ADMISSIONS.row(id), body(600), none()));
            var due = "%013d".formatted(1_790_000_000_000L + sequence / 10);
            writes.add(new Write.Insert(
                    JOBS.row(id),
                    body(450),
                    new Write.Entries(List.of(
                            Set.of(due),
                            Set.of("acme/PENDING/" + due),
                            Set.of("acme/job.default/" + due),
                            sequence % 2 == 0
                                    ? Set.of("acme/customer:" + random.nextInt(10_000))
                                    : Set.of("acme/customer:" + random.nextInt(10_000), "acme/env:prod")))));
            writes.add(new Write.Insert(AUDIT.row("acme/%012d".formatted(sequence)), body(500), none()));
        }
        writes.add(new Write.Update(TENANTS.row("acme"), tenantVersion++, body(200), none(), none()));
        writes.sort(ORDER);
        return writes;
    }

    private void fetch(int batch) {
        long total = 0;
        for (int round = 0; round < 200; round++) {
            var refs = new ArrayList<RowRef<?, ?>>();
            for (int i = 0; i < batch; i++) {
                refs.add(KEYS.row(i % 2 == 0 ? keys.get(random.nextInt(keys.size())) : hex(16)));
            }
            long started = cpuNanos();
            backend.fetch(refs);
            total += cpuNanos() - started;
        }
        System.out.printf("fetch of %d keys: %.1f us per key%n", batch, total / 200.0 / batch / 1000);
    }

    private void read() {
        for (int round = 0; round < 3; round++) {
            var asked = new ArrayList<RowRef<?, ?>>();
            for (int i = 0; i < 20_000; i++) {
                asked.add(KEYS.row(keys.get(random.nextInt(keys.size()))));
            }
            time("read with one get", asked, row -> backend.read(s -> s.get(row)));
            time(
                    "read with two gets",
                    asked,
                    row -> backend.read(s -> {
                        s.get(row);
                        return s.get(row);
                    }));
            time("read without a get", asked, row -> backend.read(s -> row));
        }
    }

    private static void time(String what, List<RowRef<?, ?>> rows, Function<RowRef<?, ?>, Object> call) {
        long started = cpuNanos();
        for (var row : rows) {
            if (call.apply(row) == null) {
                throw new IllegalStateException();
            }
        }
        System.out.printf("%s: %.1f us%n", what, (cpuNanos() - started) / 1000.0 / rows.size());
    }

    // A job moves on: its row is replaced and two of its entries change.
    private void update(int batch) {
        long total = 0;
        int rounds = 100;
        long version = 1;
        var ids = backend.read(s -> s.scan(
                dev.nonbis.core.store.Range.keysStartingWith(JOBS, "job_").limit(batch * rounds)));
        for (int round = 0; round < rounds; round++) {
            var writes = new ArrayList<Write>();
            for (var hit : ids.subList(round * batch, (round + 1) * batch)) {
                var due = hit.row().key().substring(4, 17);
                writes.add(new Write.Update(
                        JOBS.row(hit.row().key()),
                        version,
                        body(480),
                        new Write.Entries(List.of(Set.of(due), Set.of("acme/PENDING/" + due), Set.of(), Set.of())),
                        new Write.Entries(
                                List.of(Set.of(due + "9"), Set.of("acme/RUNNING/" + due), Set.of(), Set.of()))));
            }
            long started = cpuNanos();
            backend.apply(writes);
            total += cpuNanos() - started;
        }
        System.out.printf("update of %d jobs: %.1f us per job%n", batch, total / 1000.0 / rounds / batch);
    }

    // The processor time of this thread: what others do on the machine is no cost of ours.
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private String hex(int bytes) {
        var some = new byte[bytes];
        random.nextBytes(some);
        return java.util.HexFormat.of().formatHex(some);
    }

    private byte[] body(int bytes) {
        var some = new byte[bytes];
        random.nextBytes(some);
        return some;
    }

    private static Write.Entries none() {
        return new Write.Entries(List.of());
    }

    private static Table<String, byte[]> table(int order, String name, String... indexes) {
        return new Table<>(
                order,
                name,
                Function.identity(),
                Function.identity(),
                Function.identity(),
                Arrays.stream(indexes)
                        .map(index -> new Index<byte[]>(index, body -> Set.of()))
                        .toList());
    }
}
