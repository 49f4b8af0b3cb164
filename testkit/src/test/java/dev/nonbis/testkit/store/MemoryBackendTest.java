package dev.nonbis.testkit.store;

import dev.nonbis.core.store.Backend;
import java.util.Optional;

final class MemoryBackendTest extends StoreContract {

    @Override
    protected Backend openEmpty() {
        return new MemoryBackend();
    }

    @Override
    protected Optional<Backend> reopen() {
        return Optional.empty();
    }
}
