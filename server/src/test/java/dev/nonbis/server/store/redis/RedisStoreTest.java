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
import static org.awaitility.Awaitility.await;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.SharedStore;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.Write;
import dev.nonbis.server.store.Counting;
import dev.nonbis.testkit.net.TcpProxy;
import dev.nonbis.testkit.redis.RedisServer;
import dev.nonbis.testkit.store.ContractTables.Change;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is special to Redis: how it is opened and refused, what an operator sees, and what becomes of commits when it fails. */
final class RedisStoreTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private static @Nullable RedisServer started;

    @BeforeAll
    static void start() throws Exception {
        started = Redis.startOrSkip();
    }

    @AfterAll
    static void stop() {
        if (started != null) {
            started.close();
        }
    }

    @BeforeEach
    void empty() throws IOException {
        server().command("FLUSHALL");
    }

    @Test
    void an_operator_finds_everything_of_a_tenant_under_its_name() throws IOException {
        try (var backend = Redis.open(server().port())) {
            backend.apply(List.of(
                    insert(KEYS, "acme/runs/order-17", "|run_1 and its answer"),
                    insert(TENANTS, "acme", "|{}"),
                    insert(JOBS, "acme/job_1", "state:acme/PENDING|{}")));

            assertThat(server().command("GET", "nonbis:{acme}:idem:runs:order-17"))
                    .isEqualTo("1 |run_1 and its answer");
            assertThat(server().command("KEYS", "nonbis:{acme}:*").lines())
                    .containsExactlyInAnyOrder(
                            "nonbis:{acme}:idem:runs:order-17", "nonbis:{acme}:tenants", "nonbis:{acme}:jobs:job_1");
            assertThat(server().command("ZRANGE", "nonbis:index:jobs", "0", "-1"))
                    .isEqualTo("acme/job_1");
        }
    }

    @Test
    void keys_that_differ_have_names_that_differ() {
        try (var backend = Redis.open(server().port())) {
            for (var key : List.of(
                    "a/runs/k",
                    "a/runs:k",
                    "a/",
                    "a",
                    "a/runs//k",
                    "a}:idem:x",
                    "a/x}:idem",
                    "a%7D:idem:x",
                    "a/1",
                    "a/1/")) {
                backend.apply(List.of(insert(KEYS, key, "|")));
            }
        }
    }

    @Test
    void rows_that_are_deleted_leave_nothing_behind() throws IOException {
        try (var backend = Redis.open(server().port())) {
            backend.apply(List.of(insert(TENANTS, "t", "|")));
            var before = server().command("KEYS", "*").lines().sorted().toList();
            for (int i = 0; i < 50; i++) {
                backend.apply(List.of(insert(JOBS, "t/" + i, "state:A due:1 label:x label:y|")));
            }
            for (int i = 0; i < 50; i++) {
                backend.apply(List.of(delete(JOBS, "t/" + i, 1, "state:A due:1 label:x label:y|")));
            }
            assertThat(server().command("KEYS", "*").lines().sorted().toList()).isEqualTo(before);
        }
    }

    @Test
    void what_undoes_old_commits_leaves_with_the_next_one() throws IOException {
        server().command(
                        "EVAL", "for i = 1, 1000 do redis.call('XADD', 'nonbis:undo', i .. '-0', 'undo', '') end", "0");
        try (var backend = Redis.open(server().port())) {
            backend.apply(List.of(insert(KEYS, "t/k", "|")));
            // Redis trims by whole nodes, of a hundred entries.
            assertThat(Integer.parseInt(server().command("XLEN", "nonbis:undo")))
                    .isLessThan(150);
        }
    }

    @Test
    void a_reader_whose_state_is_forgotten_is_told_so() {
        try (var backend = Redis.open(server().port())) {
            backend.apply(List.of(insert(TENANTS, "t", "|1")));
            assertThatThrownBy(() -> backend.read(snapshot -> {
                        snapshot.get(TENANTS.row("t"));
                        backend.apply(List.of(update(TENANTS, "t", 1, new Change("|1", "|2"))));
                        remove("nonbis:undo");
                        return snapshot.get(TENANTS.row("t"));
                    }))
                    .satisfies(thrown -> says(thrown, Fate.DID_NOT_HAPPEN, Cause.FAILED))
                    .hasMessageContaining("forgotten");
        }
    }

    @Test
    void a_reader_who_begins_long_after_the_last_commit_still_sees_one_state() throws IOException {
        // As if the last commit were years old, in a log that is trimmed entry by entry.
        server().command("CONFIG", "SET", "stream-node-max-entries", "1");
        server().command("XADD", "nonbis:undo", "5-0", "undo", "", "after", "0-0");
        server().command("SET", "nonbis:commit", "5-0");
        try (var backend = Redis.open(server().port())) {
            backend.read(snapshot -> {
                assertThat(snapshot.get(TENANTS.row("t"))).isEmpty();
                backend.apply(List.of(insert(TENANTS, "t", "|1")));
                backend.apply(List.of(update(TENANTS, "t", 1, new Change("|1", "|2"))));
                assertThat(snapshot.get(TENANTS.row("t"))).isEmpty();
                return "";
            });
        } finally {
            server().command("CONFIG", "SET", "stream-node-max-entries", "100");
        }
    }

    @Test
    void what_undoes_commits_leaves_by_itself_when_nobody_writes() throws IOException {
        try (var backend = Redis.open(server().port())) {
            backend.apply(List.of(insert(TENANTS, "t", "|1")));
            assertThat(Integer.parseInt(server().command("TTL", "nonbis:undo"))).isBetween(10, 20);
            backend.read(snapshot -> {
                assertThat(snapshot.get(TENANTS.row("t"))).isPresent();
                remove("nonbis:undo");
                assertThat(snapshot.get(TENANTS.row("t"))).isPresent();
                backend.apply(List.of(update(TENANTS, "t", 1, new Change("|1", "|2"))));
                assertThat(snapshot.get(TENANTS.row("t")).orElseThrow().version())
                        .isEqualTo(1);
                return "";
            });
        }
    }

    private static void remove(String key) {
        try {
            server().command("DEL", key);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_reader_sees_one_state_while_pages_of_a_range_come_and_go() {
        try (var backend = Redis.open(server().port())) {
            var inserts = new ArrayList<Write>();
            for (int i = 100; i < 160; i++) {
                inserts.add(insert(JOBS, "t/" + i, "state:A|" + i));
            }
            backend.apply(inserts);
            var range =
                    Range.entriesStartingWith(JOBS, index(JOBS, "state"), "A").limit(10);
            var expected = new ArrayList<String>();
            for (int i = 100; i < 160; i++) {
                expected.add("t/" + i + " |" + i);
            }

            backend.read(snapshot -> {
                var seen = new ArrayList<String>();
                var page = snapshot.scan(range);
                for (int round = 0; !page.isEmpty(); round++) {
                    page.forEach(hit -> seen.add(
                            hit.row().key() + " " + new String(hit.row().body(), StandardCharsets.UTF_8).substring(7)));
                    change(backend, round);
                    page = snapshot.scan(range.after(Optional.of(page.getLast().position())));
                }
                assertThat(seen).isEqualTo(expected);
                assertThat(snapshot.scan(range.newestFirst().limit(60)).reversed())
                        .extracting(hit -> hit.row().key())
                        .containsExactlyElementsOf(expected.stream()
                                .map(line -> line.substring(0, 5))
                                .toList());
                return "";
            });
        }
    }

    // Takes rows away, changes some, and puts others between those that were there.
    private static void change(Backend backend, int round) {
        var writes = new ArrayList<Write>();
        for (int i = 0; i < 12; i++) {
            writes.add(insert(JOBS, "t/1" + (9 - round) + i % 10 + "x" + i, "state:A|new"));
        }
        if (round < 5) {
            for (int i = 0; i < 9; i++) {
                writes.add(delete(JOBS, "t/1" + (5 - round) + i, 1, "state:A|"));
            }
            writes.add(update(JOBS, "t/1" + (5 - round) + "9", 1, new Change("state:A|", "state:B|changed")));
        }
        backend.apply(writes);
    }

    @ParameterizedTest
    @CsvSource({
        "appendonly, no, yes",
        "appendfsync, everysec, always",
        "maxmemory-policy, allkeys-lru, noeviction",
        "no-appendfsync-on-rewrite, yes, no"
    })
    void strict_refuses_each_setting_that_loses_acknowledged_writes_and_says_how_to_mend_it(
            String setting, String bad, String good) throws IOException {
        server().command("CONFIG", "SET", setting, bad);
        try {
            assertThatThrownBy(() -> Redis.open(server().port()))
                    .isInstanceOf(StoreUnavailable.class)
                    .hasMessageContaining(setting + " is ")
                    .hasMessageContaining("CONFIG SET " + setting + " " + good)
                    .hasMessageContaining("durability: relaxed");
            var relaxed = RedisStore.open(Redis.address(server().port()), new RedisStore.Settings(4, false));
            try (var backend = relaxed.backend()) {
                backend.apply(List.of(insert(KEYS, "t/k", "|")));
            }
            assertThat(relaxed.weaknesses()).singleElement().asString().startsWith(setting + " is ");
        } finally {
            server().command("CONFIG", "SET", setting, good);
        }
    }

    @Test
    void strict_refuses_a_server_that_does_not_tell_its_settings() throws IOException {
        server().command("ACL", "SETUSER", "blind", "on", ">pw", "~*", "+@all", "-config");
        var address = new RedisAddress("127.0.0.1", server().port(), 0, "blind", "pw", false, "");

        assertThatThrownBy(() -> RedisStore.open(address, Redis.strict()))
                .hasMessageContaining("its settings cannot be read")
                .hasMessageContaining("allow CONFIG GET");
    }

    @Test
    void a_replica_is_refused() throws IOException {
        try (var replica = Redis.startOrSkip("--replicaof", "127.0.0.1 " + server().port())) {
            assertThatThrownBy(() -> Redis.open(replica.port())).hasMessageContaining("it is a replica");
        }
    }

    @Test
    void another_format_is_refused() throws IOException {
        Redis.open(server().port()).close();
        server().command("SET", "nonbis:format", "2");

        assertThatThrownBy(() -> Redis.open(server().port()))
                .hasMessageContaining("kept in format 2")
                .hasMessageContaining("knows format 3");
    }

    @Test
    void a_server_that_is_not_there_is_refused_without_the_password() {
        var address = new RedisAddress("127.0.0.1", 1, 0, "user", "hush-hush", false, "");

        assertThatThrownBy(() -> RedisStore.open(address, Redis.strict()))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("redis://127.0.0.1:1/0")
                .satisfies(thrown -> assertThat(thrown.toString()).doesNotContain("hush-hush"));
    }

    @Test
    void a_connection_cut_after_the_script_was_sent_leaves_the_fate_unknown_and_the_write_done() throws Exception {
        try (var proxy = TcpProxy.to(server().port());
                var backend = Redis.open(proxy.port());
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            backend.apply(List.of(insert(KEYS, "t/first", "|")));
            proxy.loseAnswers();
            var commit = callers.submit(() -> backend.apply(List.of(insert(KEYS, "t/k", "|"))));
            await().atMost(SOON)
                    .until(() ->
                            server().command("EXISTS", "nonbis:{t}:idem:/k").equals("1"));
            proxy.pass();

            assertThatThrownBy(commit::get).cause().satisfies(thrown -> says(thrown, Fate.UNKNOWN, Cause.FAILED));
            await().atMost(SOON)
                    .ignoreExceptions()
                    .until(() -> backend.fetch(List.of(KEYS.row("t/k"))).size() == 1);
        }
    }

    @Test
    void a_server_that_cannot_be_reached_leaves_nothing_and_says_so() throws Exception {
        try (var proxy = TcpProxy.to(server().port());
                var store = Redis.shared(Redis.open(proxy.port()))) {
            put(store, "t/first");
            proxy.refuse();
            assertThatThrownBy(() -> put(store, "t/k"))
                    .satisfies(thrown -> says(thrown, Fate.DID_NOT_HAPPEN, Cause.FAILED));
            assertThat(store.trouble()).isPresent();
            proxy.pass();
            await().atMost(SOON).ignoreExceptions().until(() -> put(store, "t/k"));
            assertThat(store.trouble()).isEmpty();
        }
    }

    @Test
    void scripts_that_the_server_forgot_are_sent_again() throws IOException {
        try (var backend = Redis.open(server().port())) {
            backend.apply(List.of(insert(KEYS, "t/1", "|")));
            server().command("SCRIPT", "FLUSH");
            backend.apply(List.of(insert(KEYS, "t/2", "|")));
            server().command("SCRIPT", "FLUSH");
            assertThat(backend.<Boolean>read(
                            snapshot -> snapshot.get(KEYS.row("t/2")).isPresent()))
                    .isTrue();
        }
    }

    @Test
    void a_full_server_refuses_writes_says_so_and_takes_them_again_when_there_is_room() throws IOException {
        try (var backend = Redis.open(server().port())) {
            backend.apply(List.of(insert(TENANTS, "t", "|1"), insert(JOBS, "t/old", "state:A|")));
            server().command("CONFIG", "SET", "maxmemory", "1mb");
            try {
                assertThatThrownBy(() -> backend.apply(
                                List.of(update(TENANTS, "t", 1, new Change("|1", "|2")), insert(KEYS, "t/k", "|"))))
                        .satisfies(thrown -> says(thrown, Fate.DID_NOT_HAPPEN, Cause.FULL));
                assertThat(backend.fetch(List.of(KEYS.row("t/k")))).isEmpty();
                assertThat(backend.get(TENANTS.row("t")).orElseThrow().version())
                        .isEqualTo(1);
                // What expires must be able to leave, or there would never be room again.
                backend.apply(List.of(delete(JOBS, "t/old", 1, "state:A|")));
            } finally {
                server().command("CONFIG", "SET", "maxmemory", "0");
            }
            backend.apply(List.of(update(TENANTS, "t", 1, new Change("|1", "|2"))));
        }
    }

    @Test
    void a_primary_that_became_a_replica_takes_nothing_and_is_used_again_when_it_is_one_no_more() throws IOException {
        try (var backend = Redis.open(server().port())) {
            server().command("REPLICAOF", "127.0.0.1", "1");
            try {
                assertThatThrownBy(() -> backend.apply(List.of(insert(KEYS, "t/k", "|"))))
                        .satisfies(thrown -> says(thrown, Fate.DID_NOT_HAPPEN, Cause.FAILED));
            } finally {
                server().command("REPLICAOF", "NO", "ONE");
            }
            backend.apply(List.of(insert(KEYS, "t/k", "|")));
        }
    }

    @Test
    void a_server_that_comes_back_with_weaker_settings_gets_no_more_writes() throws Exception {
        try (var victim = Redis.startOrSkip();
                var backend = Redis.open(victim.port())) {
            backend.apply(List.of(insert(KEYS, "t/k", "|")));
            victim.kill();
            victim.startAgain("--appendfsync", "everysec");
            assertThatThrownBy(() -> backend.fetch(List.of(KEYS.row("t/k")))).isInstanceOf(StoreUnavailable.class);

            assertThatThrownBy(() -> backend.apply(List.of(insert(KEYS, "t/l", "|"))))
                    .hasMessageContaining("appendfsync is not always");
            victim.command("CONFIG", "SET", "appendfsync", "always");
            backend.apply(List.of(insert(KEYS, "t/l", "|")));
        }
    }

    @Test
    void of_a_server_killed_under_load_nothing_acknowledged_is_lost_and_nothing_is_doubled() throws Exception {
        try (var victim = Redis.startOrSkip();
                var store = Redis.shared(Redis.open(victim.port()));
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var counting = Counting.by(() -> store, List.of("t"), callers);
            for (int kill = 0; kill < 3; kill++) {
                counting.awaitMore(50);
                victim.kill();
                victim.startAgain();
            }
            counting.awaitMore(50);
            counting.endAndCheck();
        }
    }

    private static boolean put(SharedStore store, String key) {
        return store.transact(List.of(KEYS.row(key)), tx -> {
            tx.put(KEYS, key, "|");
            return true;
        });
    }

    private static RedisServer server() {
        if (started == null) {
            throw new IllegalStateException("Redis was not started");
        }
        return started;
    }

    private static void says(Throwable thrown, Fate fate, Cause why) {
        assertThat(thrown).isInstanceOf(StoreUnavailable.class);
        assertThat(((StoreUnavailable) thrown).fate()).isEqualTo(fate);
        assertThat(((StoreUnavailable) thrown).why()).isEqualTo(why);
    }
}
