package dev.nonbis.server.store.postgres;

import dev.nonbis.core.store.Backend;
import dev.nonbis.testkit.postgres.PostgresServer;
import dev.nonbis.testkit.service.EveryRelease;
import dev.nonbis.testkit.store.ContractTables;
import dev.nonbis.testkit.store.SharedContract;
import java.sql.DriverManager;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@EveryRelease
final class PostgresContractTest extends SharedContract {

    private static final String DATABASE = "contract";

    private static @Nullable PostgresServer server;

    @BeforeAll
    static void start() throws Exception {
        server = Postgres.startOrSkip();
        server.createDatabase(DATABASE);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected Backend openEmpty() throws Exception {
        var opened = open();
        var tables = ContractTables.ALL.stream()
                .flatMap(table -> Stream.concat(
                        Stream.of(table.name()),
                        table.indexes().stream()
                                .filter(index -> !index.single())
                                .map(index -> table.name() + "_by_" + index.name())))
                .map(table -> "DELETE FROM " + table)
                .collect(Collectors.joining("; "));
        try (var connection = DriverManager.getConnection(
                        "jdbc:postgresql://127.0.0.1:" + server().port() + "/" + DATABASE, server().user(), "");
                var statement = connection.createStatement()) {
            statement.execute(tables);
        }
        return opened;
    }

    @Override
    protected Optional<Backend> reopen() {
        return Optional.of(open());
    }

    @Override
    protected Backend another() {
        return open();
    }

    @Override
    protected boolean keepsOthersAway() {
        return true;
    }

    private static Backend open() {
        return PostgresStore.open(Postgres.address(server(), DATABASE), Postgres.strict())
                .backend();
    }

    private static PostgresServer server() {
        if (server == null) {
            throw new IllegalStateException("PostgreSQL was not started");
        }
        return server;
    }
}
