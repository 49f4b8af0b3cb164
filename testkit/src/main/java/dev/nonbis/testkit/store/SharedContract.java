package dev.nonbis.testkit.store;

import static dev.nonbis.testkit.store.ContractTables.AUDIT;
import static dev.nonbis.testkit.store.ContractTables.JOBS;
import static dev.nonbis.testkit.store.ContractTables.KEYS;
import static dev.nonbis.testkit.store.ContractTables.TENANTS;
import static dev.nonbis.testkit.store.ContractTables.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Backend.Wanted;
import dev.nonbis.core.store.CommitListener;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.SharedStore;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.store.WriteConflict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a back end promises that several servers share, on top of everything else. */
public abstract class SharedContract extends StoreContract {

    private static final Duration SHORT = Duration.ofMillis(200);

    /** The same rows once more, as another server would open them. */
    protected abstract Backend another() throws Exception;

    /** Whether a transaction keeps others away from its owners' rows, so that they wait instead of working in vain. */
    protected abstract boolean keepsOthersAway();

    @Test
    void increments_by_several_servers_are_exact() throws Exception {
        try (var here = server(unclosed(backend), Duration.ofSeconds(20));
                var there = server(another(), Duration.ofSeconds(20));
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            here.transact(List.of(TENANTS.row("t")), tx -> {
                tx.insert(TENANTS, "t", "|0");
                return true;
            });
            var results = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 300; i++) {
                var store = i % 2 == 0 ? here : there;
                Callable<Integer> call = () -> countUp(store);
                results.add(callers.submit(call));
            }
            var numbers = new ArrayList<Integer>();
            for (var result : results) {
                numbers.add(result.get());
            }

            assertThat(numbers).doesNotHaveDuplicates().hasSize(300);
            assertThat(stored(TENANTS, "t").orElseThrow().value()).isEqualTo("|300");
            assertThat(keys(Range.keysStartingWith(AUDIT, "t/").limit(1000))).hasSize(300);
        }
    }

    @Test
    void a_key_claimed_on_several_servers_at_once_is_settled_once() throws Exception {
        try (var here = server(unclosed(backend), Duration.ofSeconds(20));
                var there = server(another(), Duration.ofSeconds(20));
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 20; round++) {
                var key = "t/k" + round;
                var answers = new ArrayList<Future<String>>();
                for (int i = 0; i < 8; i++) {
                    var store = i % 2 == 0 ? here : there;
                    var mine = "|" + i;
                    Callable<String> call = () -> store.transact(List.of(TENANTS.row("t")), tx -> {
                        var before = tx.findUnlessAbsent(KEYS, key);
                        if (before.isEmpty()) {
                            tx.insert(KEYS, key, mine);
                        }
                        return before.orElse(mine);
                    });
                    answers.add(callers.submit(call));
                }
                for (var answer : answers) {
                    assertThat(answer.get())
                            .isEqualTo(stored(KEYS, key).orElseThrow().value());
                }
            }
        }
    }

    @Test
    void two_servers_that_decide_by_rows_that_neither_writes_do_not_both_go_ahead() throws Exception {
        try (var here = server(unclosed(backend), Duration.ofSeconds(20));
                var there = server(another(), Duration.ofSeconds(20));
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 30; round++) {
                var left = "t/l" + round;
                var right = "t/r" + round;
                Callable<Boolean> goLeft = () -> insertUnless(here, left, right);
                Callable<Boolean> goRight = () -> insertUnless(there, right, left);
                var one = callers.submit(goLeft);
                var two = callers.submit(goRight);

                assertThat(one.get()).isNotEqualTo(two.get());
                assertThat(stored(JOBS, left).isPresent())
                        .isNotEqualTo(stored(JOBS, right).isPresent());
            }
        }
    }

    @Test
    void what_one_server_has_committed_every_server_finds() throws Exception {
        try (var here = server(unclosed(backend), SHORT);
                var there = server(another(), SHORT)) {
            for (int i = 0; i < 20; i++) {
                var value = "|" + i;
                here.transact(tx -> {
                    tx.put(KEYS, "t/k", value);
                    return value;
                });
                assertThat(there.find(KEYS, "t/k")).contains(value);
                there.transact(tx -> {
                    tx.delete(KEYS, "t/k");
                    return value;
                });
                assertThat(here.find(KEYS, "t/k")).isEmpty();
            }
        }
    }

    @Test
    void a_block_may_touch_rows_of_owners_that_it_did_not_announce() throws Exception {
        try (var store = server(another(), Duration.ofSeconds(20))) {
            var runs = new AtomicInteger();
            store.transact(List.of(TENANTS.row("a")), tx -> {
                runs.incrementAndGet();
                tx.put(TENANTS, "a", "|1");
                tx.put(TENANTS, "b", "|1");
                return tx.find(JOBS, "c/1").isPresent();
            });

            assertThat(runs.get()).isBetween(2, 4);
            assertThat(stored(TENANTS, "a")).isPresent();
            assertThat(stored(TENANTS, "b")).isPresent();
        }
    }

    @Test
    void a_transaction_that_is_not_committed_leaves_nothing_and_keeps_nobody_away() throws Exception {
        apply(insert(TENANTS, "t", "|1"));
        try (var transaction = backend.begin(wanted(true, TENANTS.row("t")))) {
            assertThat(transaction.owners()).containsExactly("t");
            assertThat(transaction.fetch(List.of(TENANTS.row("t"), JOBS.row("t/1"))))
                    .containsOnlyKeys(TENANTS.row("t"));
        }
        apply(insert(JOBS, "t/1", "|"));
        assertThat(stored(TENANTS, "t").orElseThrow().version()).isEqualTo(1);
    }

    @Test
    void a_transaction_whose_rows_changed_under_it_conflicts_or_keeps_the_change_away() throws Exception {
        apply(insert(TENANTS, "t", "|1"));
        try (var other = another();
                var transaction = backend.begin(wanted(true, TENANTS.row("t"), JOBS.row("t/absent")))) {
            boolean changed = changes(other);
            var writes = List.<Write>of(insert(JOBS, "t/mine", "|"));
            if (changed) {
                assertThatThrownBy(() -> transaction.commit(writes)).isInstanceOf(WriteConflict.class);
            } else {
                transaction.commit(writes);
            }
            assertThat(stored(JOBS, "t/mine").isPresent()).isNotEqualTo(changed);
        }
    }

    @Test
    void an_owner_that_another_server_is_at_work_for_is_left_out_unless_one_waits() throws Exception {
        assumeTrue(keepsOthersAway(), "this back end keeps nobody away");
        try (var other = another();
                var held = other.begin(wanted(true, TENANTS.row("busy")))) {
            var both = new Wanted(Set.of("busy", "free"), Set.of(), false);
            try (var transaction = backend.begin(both)) {
                assertThat(transaction.owners()).containsExactly("free");
            }
            assertThatThrownBy(() -> backend.begin(wanted(true, TENANTS.row("busy"))))
                    .satisfies(SharedContract::saysBusy);
            assertThat(held.owners()).containsExactly("busy");
        }
    }

    @Test
    void a_busy_owner_keeps_no_other_waiting_and_its_callers_are_told_in_the_end() throws Exception {
        assumeTrue(keepsOthersAway(), "this back end keeps nobody away");
        try (var store = server(unclosed(backend), Duration.ofSeconds(2));
                var other = another();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> busy;
            try (var held = other.begin(wanted(true, TENANTS.row("busy")))) {
                Callable<Boolean> call = () -> putTenant(store, "busy");
                busy = callers.submit(call);
                for (int i = 0; i < 20; i++) {
                    putTenant(store, "free" + i);
                }
                assertThat(busy.isDone()).isFalse();
                assertThatThrownBy(busy::get).cause().satisfies(SharedContract::saysBusy);
                assertThat(held.owners()).containsExactly("busy");
            }
            assertThat(stored(TENANTS, "busy")).isEmpty();
            putTenant(store, "busy");
            assertThat(stored(TENANTS, "busy")).isPresent();
            assertThat(stored(TENANTS, "free19")).isPresent();
        }
    }

    @Test
    void who_waits_for_a_busy_owner_goes_on_when_it_is_free() throws Exception {
        assumeTrue(keepsOthersAway(), "this back end keeps nobody away");
        try (var store = server(unclosed(backend), Duration.ofSeconds(2));
                var other = another();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = new ArrayList<Future<Integer>>();
            apply(insert(TENANTS, "t", "|0"));
            try (var held = other.begin(wanted(true, TENANTS.row("t")))) {
                for (int i = 0; i < 10; i++) {
                    Callable<Integer> call = () -> countUp(store);
                    waiting.add(callers.submit(call));
                }
                putTenant(store, "free");
                held.commit(List.of());
            }
            for (var future : waiting) {
                future.get();
            }
            assertThat(stored(TENANTS, "t").orElseThrow().value()).isEqualTo("|10");
        }
    }

    private boolean changes(Backend other) {
        try {
            other.apply(List.of(insert(JOBS, "t/absent", "|")));
            return true;
        } catch (StoreUnavailable busy) {
            saysBusy(busy);
            return false;
        }
    }

    private static boolean putTenant(Store store, String tenant) {
        return store.transact(List.of(TENANTS.row(tenant)), tx -> {
            tx.put(TENANTS, tenant, "|");
            return true;
        });
    }

    private static boolean insertUnless(Store store, String mine, String others) {
        return store.transact(List.of(JOBS.row(mine), JOBS.row(others)), tx -> {
            if (tx.find(JOBS, others).isPresent()) {
                return false;
            }
            tx.insert(JOBS, mine, "|");
            return true;
        });
    }

    private static int countUp(Store store) {
        return store.transact(List.of(TENANTS.row("t")), tx -> {
            int next = Integer.parseInt(tx.get(TENANTS, "t").substring(1)) + 1;
            tx.update(TENANTS, "t", "|" + next);
            tx.insert(AUDIT, "t/%05d".formatted(next), "|");
            return next;
        });
    }

    private static Wanted wanted(boolean waits, RowRef<?, ?>... rows) {
        var owners = new java.util.HashSet<String>();
        for (var row : rows) {
            owners.add(row.owner());
        }
        return new Wanted(owners, Set.of(rows), waits);
    }

    private static SharedStore server(Backend backend, Duration patience) {
        return new SharedStore(
                backend, new SharedStore.Settings(2, 2, 64, 1000, patience, CommitListener.SILENT, System::nanoTime));
    }

    // The test's own back end is looked at after the store is closed.
    private static Backend unclosed(Backend backend) {
        return new UnclosedBackend(backend);
    }

    private static void saysBusy(Throwable thrown) {
        assertThat(thrown).isInstanceOf(StoreUnavailable.class);
        assertThat(((StoreUnavailable) thrown).fate()).isEqualTo(Fate.DID_NOT_HAPPEN);
        assertThat(((StoreUnavailable) thrown).why()).isEqualTo(Cause.BUSY);
    }
}
