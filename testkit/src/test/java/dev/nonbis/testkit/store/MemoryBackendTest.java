package dev.nonbis.testkit.store;

import dev.nonbis.core.store.Backend;
import java.util.Optional;

final class MemoryBackendTest extends SharedContract {

    @Override
    protected Backend openEmpty() {
        return new MemoryBackend();
    }

    @Override
    protected Optional<Backend> reopen() {
        return Optional.empty();
    }

    @Override
    protected Backend another() {
        return new UnclosedBackend(backend);
    }

    @Override
    protected boolean keepsOthersAway() {
        return false;
    }
}
