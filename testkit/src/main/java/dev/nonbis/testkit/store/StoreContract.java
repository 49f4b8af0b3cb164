package dev.nonbis.testkit.store;

import static dev.nonbis.testkit.store.ContractTables.AUDIT;
import static dev.nonbis.testkit.store.ContractTables.JOBS;
import static dev.nonbis.testkit.store.ContractTables.KEYS;
import static dev.nonbis.testkit.store.ContractTables.TENANTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.CommitListener;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.GroupCommit;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.SharedStore;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.Tx;
import dev.nonbis.core.store.WatchedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store promises on top of every back end, and the back end's own promises with it. */
public abstract class StoreContract extends BackendContract {

    /** How blocks reach the back end. */
    enum Kind {
        DIRECT {
            @Override
            Store on(Backend backend) {
                return new DirectStore(backend);
            }
        },
        GROUPED {
            @Override
            Store on(Backend backend) {
                return grouped(backend, 1000);
            }
        },
        SHARED {
            @Override
            Store on(Backend backend) {
                return shared(backend, 1000);
            }
        };

        abstract Store on(Backend backend);
    }

    @ParameterizedTest
    @EnumSource
    void a_block_reads_its_own_writes(Kind kind) {
        try (var store = kind.on(backend)) {
            store.transact(tx -> {
                assertThat(tx.find(JOBS, "j")).isEmpty();
                tx.insert(JOBS, "j", "state:A|1");
                assertThat(tx.get(JOBS, "j")).isEqualTo("state:A|1");
                tx.update(JOBS, "j", "state:B|2");
                assertThat(tx.get(JOBS, "j")).isEqualTo("state:B|2");
                tx.delete(JOBS, "j");
                assertThat(tx.find(JOBS, "j")).isEmpty();
                tx.put(JOBS, "j", "state:C|3");
                return tx.get(JOBS, "j");
            });

            assertThat(find(store, "j")).isEqualTo("state:C|3");
            assertThat(keys(entries("state", ""))).containsExactly("j");
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_result_of_a_block_comes_back_and_its_writes_are_there(Kind kind) {
        try (var store = kind.on(backend)) {
            int result = store.transact(List.of(TENANTS.row("t"), KEYS.row("k")), tx -> {
                tx.put(TENANTS, "t", "|1");
                tx.insert(KEYS, "k", "|2");
                return 42;
            });

            assertThat(result).isEqualTo(42);
            assertThat(stored(TENANTS, "t")).contains(new Seen("t", 1, "|1"));
            assertThat(stored(KEYS, "k")).contains(new Seen("k", 1, "|2"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_block_that_throws_leaves_nothing(Kind kind) {
        try (var store = kind.on(backend)) {
            assertThatThrownBy(() -> store.transact(tx -> {
                        tx.insert(JOBS, "j", "state:A|");
                        throw new IllegalArgumentException("refused by a rule");
                    }))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("refused by a rule");

            assertThat(stored(JOBS, "j")).isEmpty();
            assertThat(keys(entries("state", ""))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void deleting_and_inserting_a_row_replaces_it_and_its_entries(Kind kind) {
        try (var store = kind.on(backend)) {
            change(store, tx -> tx.insert(JOBS, "j", "state:A label:x|1"));

            change(store, tx -> {
                tx.delete(JOBS, "j");
                tx.insert(JOBS, "j", "state:B|2");
            });

            assertThat(stored(JOBS, "j")).contains(new Seen("j", 2, "state:B|2"));
            assertThat(keys(entries("state", ""))).containsExactly("j");
            assertThat(keys(entries("label", ""))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void our_mistakes_are_named(Kind kind) {
        try (var store = kind.on(backend)) {
            change(store, tx -> tx.insert(JOBS, "taken", "|"));

            for (Runnable mistake : List.<Runnable>of(
                    () -> change(store, tx -> tx.update(JOBS, "missing", "|")),
                    () -> change(store, tx -> tx.delete(JOBS, "missing")),
                    () -> change(store, tx -> tx.insert(JOBS, "taken", "|")),
                    () -> store.transact(tx -> tx.get(JOBS, "missing")))) {
                assertThatThrownBy(mistake::run).isInstanceOf(IllegalStateException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GROUPED", "SHARED"})
    void concurrent_increments_of_one_row_are_exact(Kind kind) throws Exception {
        try (var store = watched(kind, backend, 1000);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            change(store, tx -> tx.insert(TENANTS, "counter", "0"));

            var results = new ArrayList<Integer>();
            for (var future : submit(callers, 400, i -> increment(store, i))) {
                results.add(future.get());
            }

            assertThat(results).doesNotHaveDuplicates().hasSize(400);
            assertThat(stored(TENANTS, "counter").orElseThrow().value()).isEqualTo("400");
            assertThat(keys(Range.keysStartingWith(AUDIT, "").limit(1000))).hasSize(400);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GROUPED", "SHARED"})
    void of_many_blocks_that_claim_one_key_one_wins(Kind kind) throws Exception {
        try (var store = watched(kind, backend, 1000);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var winners = new ArrayList<String>();
            for (var future : submit(
                    callers,
                    100,
                    i -> store.transact(List.of(KEYS.row("k")), tx -> {
                        var before = tx.find(KEYS, "k");
                        if (before.isEmpty()) {
                            tx.insert(KEYS, "k", "|" + i);
                        }
                        return before.orElse("|" + i);
                    }))) {
                winners.add(future.get());
            }

            assertThat(winners).containsOnly(stored(KEYS, "k").orElseThrow().value());
        }
    }

    @Test
    void blocks_of_one_batch_build_on_each_other_and_one_that_throws_is_left_out_alone() throws Exception {
        var held = new HeldBackend(backend);
        try (var store = grouped(held, 1000);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            change(store, tx -> tx.insert(JOBS, "old", "state:A|"));
            held.hold();
            var first = callers.submit(() -> change(store, tx -> tx.insert(KEYS, "first", "|")));
            held.awaitApply();
            // These gather while the first is being applied, so they are one batch, in this order.
            var inserts = enqueue(store, callers, 1, tx -> tx.insert(JOBS, "new", "state:A|1"));
            var updates = enqueue(store, callers, 2, tx -> tx.update(JOBS, "new", tx.get(JOBS, "new") + "2"));
            var throwing = enqueue(store, callers, 3, tx -> {
                tx.update(JOBS, "new", "state:X|");
                tx.insert(JOBS, "never", "state:X|");
                throw new IllegalArgumentException("refused by a rule");
            });
            var deletes = enqueue(store, callers, 4, tx -> tx.delete(JOBS, "old"));
            var again = enqueue(store, callers, 5, tx -> tx.insert(JOBS, "old", "state:B|" + tx.get(JOBS, "new")));
            held.release();

            for (var future : List.of(first, inserts, updates, deletes, again)) {
                future.get();
            }
            assertThatThrownBy(throwing::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IllegalArgumentException.class);
            assertThat(held.applied()).isEqualTo(3);
            assertThat(stored(JOBS, "new")).contains(new Seen("new", 1, "state:A|12"));
            assertThat(stored(JOBS, "old")).contains(new Seen("old", 2, "state:B|state:A|12"));
            assertThat(stored(JOBS, "never")).isEmpty();
            assertThat(keys(entries("state", ""))).containsExactly("new", "old");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GROUPED", "SHARED"})
    void a_conflict_in_a_batch_fails_only_the_block_that_conflicts(Kind kind) throws Exception {
        var held = new HeldBackend(backend);
        try (var store = watched(kind, held, 1000);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            change(store, tx -> tx.insert(JOBS, "taken", "|"));
            held.hold();
            var first = callers.submit(() -> change(store, tx -> tx.insert(KEYS, "first", "|")));
            held.awaitApply();
            var well = enqueue(store, callers, 1, tx -> tx.insert(JOBS, "a", "|"));
            var bad = enqueue(store, callers, 2, tx -> tx.insert(JOBS, "taken", "|"));
            var alsoWell = enqueue(store, callers, 3, tx -> tx.insert(JOBS, "b", "|"));
            held.release();

            for (var future : List.of(first, well, alsoWell)) {
                future.get();
            }
            assertThatThrownBy(bad::get).hasCauseInstanceOf(IllegalStateException.class);
            assertThat(stored(JOBS, "a")).isPresent();
            assertThat(stored(JOBS, "b")).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GROUPED", "SHARED"})
    void a_full_queue_turns_callers_away_and_nothing_of_them_happens(Kind kind) throws Exception {
        var held = new HeldBackend(backend);
        try (var store = watched(kind, held, 2);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            held.hold();
            var first = callers.submit(() -> change(store, tx -> tx.insert(KEYS, "first", "|")));
            held.awaitApply();
            var second = enqueue(store, callers, 1, tx -> tx.insert(KEYS, "second", "|"));
            var third = enqueue(store, callers, 2, tx -> tx.insert(KEYS, "third", "|"));

            assertThatThrownBy(() -> change(store, tx -> tx.insert(KEYS, "fourth", "|")))
                    .satisfies(thrown -> says(thrown, Fate.DID_NOT_HAPPEN, Cause.OVERLOADED));

            held.release();
            for (var future : List.of(first, second, third)) {
                future.get();
            }
            assertThat(stored(KEYS, "third")).isPresent();
            assertThat(stored(KEYS, "fourth")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GROUPED", "SHARED"})
    void closing_lets_those_who_wait_finish_and_refuses_the_rest(Kind kind) throws Exception {
        // The rows are looked at after the store is closed, so the back end must outlive it.
        var held = new HeldBackend(backend);
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var store = watched(kind, held, 1000);
            held.hold();
            var first = callers.submit(() -> change(store, tx -> tx.insert(KEYS, "first", "|")));
            held.awaitApply();
            var waiting = enqueue(store, callers, 1, tx -> tx.insert(KEYS, "waiting", "|"));
            var closing = callers.submit(store::close);
            held.release();

            first.get();
            waiting.get();
            closing.get();
            assertThatThrownBy(() -> change(store, tx -> tx.insert(KEYS, "late", "|")))
                    .satisfies(thrown -> says(thrown, Fate.DID_NOT_HAPPEN, Cause.CLOSED));
            assertThat(stored(KEYS, "waiting")).isPresent();
            assertThat(stored(KEYS, "late")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GROUPED", "SHARED"})
    void a_failed_commit_is_told_to_every_caller_with_its_fate_and_the_next_one_works(Kind kind) {
        var script = new FaultyBackend.Script();
        try (var store = watched(kind, new FaultyBackend(backend, script), 1000)) {
            script.then(FaultyBackend.Call.APPLY, FaultyBackend.Fault.REFUSED)
                    .then(FaultyBackend.Call.APPLY, FaultyBackend.Fault.REPLY_LOST)
                    .then(FaultyBackend.Call.APPLY, FaultyBackend.Fault.REQUEST_LOST);

            assertThatThrownBy(() -> change(store, tx -> tx.insert(KEYS, "refused", "|")))
                    .satisfies(thrown -> says(thrown, Fate.DID_NOT_HAPPEN, Cause.FAILED));
            assertThatThrownBy(() -> change(store, tx -> tx.insert(KEYS, "happened", "|")))
                    .satisfies(thrown -> says(thrown, Fate.UNKNOWN, Cause.FAILED));
            assertThatThrownBy(() -> change(store, tx -> tx.insert(KEYS, "lost", "|")))
                    .satisfies(thrown -> says(thrown, Fate.UNKNOWN, Cause.FAILED));
            change(store, tx -> tx.insert(KEYS, "well", "|"));

            assertThat(stored(KEYS, "refused")).isEmpty();
            assertThat(stored(KEYS, "happened")).isPresent();
            assertThat(stored(KEYS, "lost")).isEmpty();
            assertThat(stored(KEYS, "well")).isPresent();
        }
    }

    @Test
    void a_listener_that_breaks_changes_nothing_for_the_callers() {
        CommitListener broken = (operations, nanos) -> {
            throw new LinkageError("a broken listener");
        };
        try (var store = new GroupCommit(backend, new GroupCommit.Settings(64, 1000, Set.of(KEYS), broken, () -> 0L))) {
            change(store, tx -> tx.insert(KEYS, "first", "|"));
            change(store, tx -> tx.insert(KEYS, "second", "|"));

            assertThat(stored(KEYS, "first")).isPresent();
            assertThat(stored(KEYS, "second")).isPresent();
        }
    }

    @Test
    void what_waited_behind_a_commit_that_fails_is_not_harmed() throws Exception {
        var script = new FaultyBackend.Script();
        var held = new HeldBackend(new FaultyBackend(backend, script));
        try (var store = grouped(held, 1000);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            change(store, tx -> tx.insert(TENANTS, "count", "|0"));
            held.hold();
            script.then(FaultyBackend.Call.APPLY, FaultyBackend.Fault.REFUSED);
            var first = callers.submit(() -> change(store, StoreContract::countUp));
            held.awaitApply();
            var second = callers.submit(() -> change(store, StoreContract::countUp));
            while (store.waiting() == 0) {
                Thread.onSpinWait();
            }
            held.release();

            assertThatThrownBy(first::get).cause().satisfies(thrown -> says(thrown, Fate.DID_NOT_HAPPEN, Cause.FAILED));
            second.get();
            assertThat(store.find(TENANTS, "count")).contains("|1");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GROUPED", "SHARED"})
    void a_row_taken_to_be_absent_that_is_there_is_found_on_the_second_run(Kind kind) {
        try (var store = watched(kind, backend, 1000)) {
            change(store, tx -> tx.insert(JOBS, "k", "|first"));
            var runs = new AtomicInteger();
            String seen = store.transact(List.of(TENANTS.row("k")), tx -> {
                runs.incrementAndGet();
                var there = tx.findUnlessAbsent(JOBS, "k");
                if (there.isEmpty()) {
                    tx.insert(JOBS, "k", "|second");
                }
                return there.orElse("none");
            });

            assertThat(seen).isEqualTo("|first");
            assertThat(runs).hasValue(2);
            assertThat(find(store, "k")).isEqualTo("|first");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GROUPED", "SHARED"})
    void a_read_never_tells_less_than_a_caller_knows(Kind kind) {
        try (var store = watched(kind, backend, 1000)) {
            for (int i = 0; i < 200; i++) {
                String value = "|" + i;
                change(store, tx -> tx.put(KEYS, "k", value));
                assertThat(store.find(KEYS, "k")).contains(value);
            }
            change(store, tx -> tx.delete(KEYS, "k"));
            assertThat(store.find(KEYS, "k")).isEmpty();
        }
    }

    private static void countUp(Tx tx) {
        int count = Integer.parseInt(tx.get(TENANTS, "count").substring(1));
        tx.update(TENANTS, "count", "|" + (count + 1));
    }

    private static GroupCommit grouped(Backend backend, int maxWaiting) {
        return new GroupCommit(
                backend, new GroupCommit.Settings(64, maxWaiting, Set.of(KEYS), CommitListener.SILENT, () -> 0L));
    }

    private static WatchedStore watched(Kind kind, Backend backend, int maxWaiting) {
        return kind == Kind.SHARED ? shared(backend, maxWaiting) : grouped(backend, maxWaiting);
    }

    /** With one lane, so that a test decides what waits. */
    static SharedStore shared(Backend backend, int maxWaiting) {
        return new SharedStore(
                backend,
                new SharedStore.Settings(
                        1, 2, 64, maxWaiting, Duration.ofSeconds(2), CommitListener.SILENT, System::nanoTime));
    }

    private static String find(Store store, String key) {
        return store.read(tx -> tx.find(JOBS, key)).orElseThrow();
    }

    private static int increment(Store store, int caller) {
        return store.transact(List.of(TENANTS.row("counter")), tx -> {
            int next = Integer.parseInt(tx.get(TENANTS, "counter")) + 1;
            tx.update(TENANTS, "counter", Integer.toString(next));
            tx.insert(AUDIT, "%05d".formatted(next), "|" + caller);
            return next;
        });
    }

    private static <T> List<Future<T>> submit(ExecutorService callers, int count, Function<Integer, T> call) {
        var futures = new ArrayList<Future<T>>();
        for (int i = 0; i < count; i++) {
            int caller = i;
            Callable<T> task = () -> call.apply(caller);
            futures.add(callers.submit(task));
        }
        return futures;
    }

    private interface Change {
        void make(Tx tx);
    }

    private static void change(Store store, Change change) {
        store.transact(tx -> {
            change.make(tx);
            return true;
        });
    }

    // Returns once the block waits in the queue, so that the order of blocks is the order of calls.
    private static Future<?> enqueue(WatchedStore store, ExecutorService callers, int place, Change change) {
        var future = callers.submit(() -> change(store, change));
        while (store.waiting() < place) {
            Thread.onSpinWait();
        }
        return future;
    }

    private static void says(Throwable thrown, Fate fate, Cause why) {
        assertThat(thrown).isInstanceOf(StoreUnavailable.class);
        assertThat(((StoreUnavailable) thrown).fate()).isEqualTo(fate);
        assertThat(((StoreUnavailable) thrown).why()).isEqualTo(why);
    }
}
