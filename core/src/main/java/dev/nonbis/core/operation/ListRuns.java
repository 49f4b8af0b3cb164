package dev.nonbis.core.operation;

import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.run.Run;
import dev.nonbis.core.run.RunState;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists a tenant's runs, newest first. */
public final class ListRuns {

    private final Store store;

    public ListRuns(Store store) {
        this.store = store;
    }

    /** Which runs are wanted. */
    public record Filter(Optional<RunState> state, Optional<String> workflow) {

        boolean matches(Run run) {
            return state.map(s -> s == run.state()).orElse(true)
                    && workflow.map(w -> w.equals(run.origin().workflow())).orElse(true);
        }
    }

    public Page<Run> list(TenantId tenant, Filter filter, Optional<RunId> after, int limit) {
        return Page.of(store, by(tenant, filter), after.map(id -> tenant + "/" + id), filter::matches, limit);
    }

    private static List<Range<Run>> by(TenantId tenant, Filter filter) {
        var orders = new ArrayList<Range<Run>>();
        filter.state()
                .ifPresent(state -> orders.add(
                        Range.entriesEqualTo(Tables.RUNS, Tables.RUNS_BY_STATE, Tables.stateEntry(tenant, state))));
        filter.workflow()
                .ifPresent(workflow -> orders.add(Range.entriesEqualTo(
                        Tables.RUNS, Tables.RUNS_BY_WORKFLOW, Tables.topicEntry(tenant, workflow))));
        return orders.isEmpty() ? List.of(Range.keysStartingWith(Tables.RUNS, tenant + "/")) : orders;
    }
}
