package dev.nonbis.server.store.redis;

import static dev.nonbis.testkit.store.ContractTables.JOBS;
import static dev.nonbis.testkit.store.ContractTables.KEYS;
import static dev.nonbis.testkit.store.ContractTables.TENANTS;
import static dev.nonbis.testkit.store.ContractTables.delete;
import static dev.nonbis.testkit.store.ContractTables.index;
import static dev.nonbis.testkit.store.ContractTables.insert;
import static dev.nonbis.testkit.store.ContractTables.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.Write;
import dev.nonbis.server.store.Counting;
import dev.nonbis.testkit.redis.RedisCluster;
import dev.nonbis.testkit.store.ContractTables.Change;
import dev.nonbis.testkit.store.MemoryBackend;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is special to a Redis cluster: owners are apart, and are found together all the same. */
final class RedisClusterTest {

    private static @Nullable RedisCluster started;

    @BeforeAll
    static void start() throws Exception {
        started = Redis.startClusterOrSkip();
    }

    @AfterAll
    static void stop() {
        if (started != null) {
            started.close();
        }
    }

    @BeforeEach
    void empty() throws IOException {
        cluster().everywhere("FLUSHALL");
    }

    @Test
    void all_that_is_an_owners_has_its_hash_tag() throws IOException {
        try (var backend = open()) {
            backend.apply(List.of(
                    insert(KEYS, "acme/runs/order-17", "|run_1 and its answer"),
                    insert(TENANTS, "acme", "|{}"),
                    insert(JOBS, "acme/job_1", "state:acme/PENDING due:1|{}")));

            var names = cluster().everywhere("KEYS", "*").stream()
                    .flatMap(String::lines)
                    .filter(name -> !name.isEmpty())
                    .toList();
            assertThat(names)
                    .containsExactlyInAnyOrder(
                            "nonbis:format",
                            "nonbis:owners",
                            "nonbis:{acme}:commit",
                            "nonbis:{acme}:undo",
                            "nonbis:{acme}:idem:runs:order-17",
                            "nonbis:{acme}:tenants",
                            "nonbis:{acme}:jobs:job_1",
                            "nonbis:{acme}:index:keys",
                            "nonbis:{acme}:index:tenants",
                            "nonbis:{acme}:index:jobs",
                            "nonbis:{acme}:index:jobs:state",
                            "nonbis:{acme}:index:jobs:due");
        }
    }

    @Test
    void ranges_over_many_owners_are_the_same_as_in_one_place() {
        var random = new Random(7);
        try (var backend = open();
                var model = new MemoryBackend()) {
            for (int round = 0; round < 40; round++) {
                var owner = "o" + random.nextInt(12);
                var writes = new ArrayList<Write>();
                for (int i = 0; i < 4; i++) {
                    writes.add(insert(
                            JOBS,
                            owner + "/" + round + "-" + i,
                            "due:%02d state:%s/%d|".formatted(random.nextInt(30), owner, i)));
                }
                backend.apply(writes);
                model.apply(writes);
            }
            for (int round = 0; round < 60; round++) {
                var range = range(random);
                assertThat(positions(backend, range)).isEqualTo(positions(model, range));
            }
        }
    }

    private static Range<String> range(Random random) {
        var range = switch (random.nextInt(4)) {
            case 0 -> Range.keysStartingWith(JOBS, "o" + random.nextInt(12) + "/");
            case 1 -> Range.keysStartingWith(JOBS, random.nextBoolean() ? "" : "o1");
            case 2 -> Range.entriesStartingWith(JOBS, index(JOBS, "state"), "o" + random.nextInt(12) + "/");
            default -> Range.entriesUpTo(JOBS, index(JOBS, "due"), "0", "%02d".formatted(random.nextInt(31)));
        };
        var after = random.nextBoolean()
                ? Optional.of("%02d".formatted(random.nextInt(30)) + Range.SEPARATOR + "o5/1-1")
                : Optional.<String>empty();
        return (random.nextBoolean() ? range : range.newestFirst())
                .after(range.index().isPresent() ? after : after.map(position -> "o5/1-1"))
                .limit(1 + random.nextInt(50));
    }

    private static List<String> positions(Backend backend, Range<String> range) {
        return backend.read(snapshot ->
                snapshot.scan(range).stream().map(Range.Hit::position).toList());
    }

    @Test
    void a_reader_sees_one_state_of_each_owner() {
        try (var backend = open()) {
            for (var owner : List.of("a", "b", "c")) {
                backend.apply(List.of(insert(JOBS, owner + "/1", "due:1|")));
            }
            backend.read(snapshot -> {
                var due = Range.entriesStartingWith(JOBS, index(JOBS, "due"), "");
                assertThat(snapshot.scan(due)).hasSize(3);
                backend.apply(List.of(delete(JOBS, "a/1", 1, "due:1|")));
                backend.apply(List.of(update(JOBS, "b/1", 1, new Change("due:1|", "due:2|"))));
                backend.apply(List.of(insert(JOBS, "d/1", "due:1|")));
                assertThat(snapshot.scan(due))
                        .extracting(hit -> hit.row().key() + " " + hit.row().version())
                        .containsExactly("a/1 1", "b/1 1", "c/1 1");
                return "";
            });
        }
    }

    @Test
    void a_commit_for_two_owners_is_refused_with_the_reason() {
        try (var backend = open()) {
            assertThatThrownBy(() -> backend.apply(List.of(insert(TENANTS, "a", "|"), insert(TENANTS, "b", "|"))))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no commit reaches two owners");
            assertThat(backend.fetch(List.of(TENANTS.row("a"), TENANTS.row("b"))))
                    .isEmpty();
        }
    }

    @Test
    void blocks_of_many_owners_go_their_own_ways_and_whoever_asks_for_all_finds_all() throws Exception {
        try (var store = Redis.shared(open());
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var owners = IntStream.range(0, 40).mapToObj(i -> "o" + i).toList();
            Function<String, Callable<String>> put = owner -> () -> store.transact(List.of(TENANTS.row(owner)), tx -> {
                tx.put(TENANTS, owner, "|");
                return owner;
            });
            for (var done : callers.invokeAll(owners.stream().map(put).toList())) {
                done.get();
            }
            var found =
                    store.read(tx -> tx.scan(Range.keysStartingWith(TENANTS, "").limit(100)));
            assertThat(found).extracting(Range.Hit::key).containsExactlyInAnyOrderElementsOf(owners);
        }
    }

    @Test
    void an_owner_whose_slot_moves_is_found_again() throws IOException {
        try (var backend = open()) {
            backend.apply(List.of(insert(TENANTS, "t", "|1"), insert(JOBS, "t/1", "due:1|")));
            cluster().move("nonbis:{t}:tenants");

            assertThat(backend.fetch(List.of(TENANTS.row("t"), TENANTS.row("u"))))
                    .hasSize(1);
            cluster().move("nonbis:{t}:tenants");
            backend.apply(List.of(update(TENANTS, "t", 1, new Change("|1", "|2"))));
            cluster().move("nonbis:{t}:tenants");
            assertThat(positions(backend, Range.entriesStartingWith(JOBS, index(JOBS, "due"), "")))
                    .hasSize(1);
        }
    }

    @Test
    void strict_looks_at_every_server_of_the_cluster() throws IOException {
        var last = cluster().nodes().getLast();
        last.command("CONFIG", "SET", "appendfsync", "everysec");
        try {
            assertThatThrownBy(RedisClusterTest::open)
                    .isInstanceOf(StoreUnavailable.class)
                    .hasMessageContaining("127.0.0.1:" + last.port() + " can lose")
                    .hasMessageContaining("appendfsync is not always");
            var relaxed = RedisStore.open(Redis.address(cluster().port()), new RedisStore.Settings(4, false));
            relaxed.backend().close();
            assertThat(relaxed.weaknesses())
                    .singleElement()
                    .asString()
                    .startsWith("127.0.0.1:" + last.port() + ": appendfsync is not always");
        } finally {
            last.command("CONFIG", "SET", "appendfsync", "always");
        }
    }

    @Test
    void a_database_of_a_cluster_other_than_the_first_is_refused() {
        var address = new RedisAddress("127.0.0.1", cluster().port(), 3, "", "", false, "");

        assertThatThrownBy(() -> RedisStore.open(address, Redis.strict()))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("SELECT is not allowed in cluster mode");
    }

    @Test
    void of_a_server_of_the_cluster_killed_under_load_nothing_acknowledged_is_lost_and_nothing_is_doubled()
            throws Exception {
        try (var store = Redis.shared(open());
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var counting = Counting.by(() -> store, List.of("a", "b", "c", "d", "e"), callers);
            for (var victim : cluster().nodes().subList(0, 2)) {
                counting.awaitMore(50);
                victim.kill();
                cluster().startAgain(victim);
            }
            counting.awaitMore(50);
            counting.endAndCheck();
        }
    }

    private static Backend open() {
        return Redis.open(cluster().port());
    }

    private static RedisCluster cluster() {
        if (started == null) {
            throw new IllegalStateException("the cluster was not started");
        }
        return started;
    }
}
