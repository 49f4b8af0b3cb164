package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Backend;
import dev.nonbis.testkit.store.StoreContract;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

final class SqliteContractTest extends StoreContract {

    @TempDir
    Path directory;

    @Override
    protected Backend openEmpty() {
        return open();
    }

    @Override
    protected Optional<Backend> reopen() {
        return Optional.of(open());
    }

    private Backend open() {
        return SqliteStore.open(directory.resolve("nonbis.db"), failure -> {
            throw new AssertionError(failure);
        });
    }
}
