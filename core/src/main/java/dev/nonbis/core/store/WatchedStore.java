package dev.nonbis.core.store;

import java.util.Optional;

/** A store that tells an operator how it is. */
public interface WatchedStore extends Store {

    /** How many operations wait for their turn. */
    int waiting();

    /** Why the last batch could not be written; empty when it could. */
    Optional<StoreUnavailable> trouble();
}
