package dev.nonbis.core.store;

import java.util.Collection;
import java.util.Map;

/** Where a batch gets rows from. */
interface Rows {

    /** Those of the rows that exist. */
    Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows);
}
