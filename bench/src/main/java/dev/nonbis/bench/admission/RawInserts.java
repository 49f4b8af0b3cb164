package dev.nonbis.bench.admission;

import dev.nonbis.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** What the same PostgreSQL takes when nothing is asked of it but to keep one small row for each request, as pgbench measures it. */
public final class RawInserts implements RawLimit {

    private static final String DATABASE = "raw";
    // About as much text as a key with its answer.
    private static final String SCRIPT = """
            \\set id random(1, 1000000000000)
            INSERT INTO raw (id, body) VALUES ('acme/jobs/' || :id, repeat('x', 400)) ON CONFLICT DO NOTHING;
            """;
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");

    private final PostgresServer postgres;
    private final int clients;
    private final int seconds;

    private RawInserts(PostgresServer postgres, int clients, int seconds) {
        this.postgres = postgres;
        this.clients = clients;
        this.seconds = seconds;
    }

    /** Makes the table. */
    public static RawInserts on(PostgresServer postgres, int clients, int seconds) throws IOException {
        postgres.createDatabase(DATABASE);
        postgres.sql(DATABASE, "CREATE TABLE raw (id text COLLATE \"C\" PRIMARY KEY, body text NOT NULL)");
        Files.writeString(script(postgres), SCRIPT);
        return new RawInserts(postgres, clients, seconds);
    }

    @Override
    public String words() {
        return "rows by pgbench";
    }

    @Override
    public OptionalDouble promised() {
        return OptionalDouble.of(0.50);
    }

    /** Rows a second, each a transaction of its own. */
    @Override
    public double perSecond() throws IOException {
        var said = postgres.pgbench(
                DATABASE,
                "-M",
                "prepared",
                "-f",
                script(postgres).toString(),
                "-c",
                Integer.toString(clients),
                "-j",
                "2",
                "-T",
                Integer.toString(seconds));
        var rate = RATE.matcher(said);
        if (!rate.find()) {
            throw new IOException("pgbench told no rate: " + said);
        }
        return Double.parseDouble(rate.group(1));
    }

    private static java.nio.file.Path script(PostgresServer postgres) {
        return postgres.directory().resolve("raw.sql");
    }
}
