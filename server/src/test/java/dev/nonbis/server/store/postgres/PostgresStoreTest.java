package dev.nonbis.server.store.postgres;

import static dev.nonbis.testkit.store.ContractTables.JOBS;
import static dev.nonbis.testkit.store.ContractTables.KEYS;
import static dev.nonbis.testkit.store.ContractTables.TENANTS;
import static dev.nonbis.testkit.store.ContractTables.insert;
import static dev.nonbis.testkit.store.ContractTables.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Backend.Wanted;
import dev.nonbis.core.store.CommitListener;
import dev.nonbis.core.store.SharedStore;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.WriteConflict;
import dev.nonbis.testkit.net.TcpProxy;
import dev.nonbis.testkit.postgres.PostgresServer;
import dev.nonbis.testkit.service.EveryRelease;
import dev.nonbis.testkit.store.ContractTables.Change;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is special to PostgreSQL: how it is opened and refused, and what becomes of transactions when it or the way to it fails. */
@EveryRelease
final class PostgresStoreTest {

    private static @Nullable PostgresServer started;
    private static int databases;

    private String database = "";

    @BeforeAll
    static void start() throws Exception {
        started = Postgres.startOrSkip();
    }

    @AfterAll
    static void stop() {
        if (started != null) {
            started.close();
        }
    }

    @BeforeEach
    void createDatabase() throws IOException {
        database = "test" + ++databases;
        server().createDatabase(database);
    }

    @Test
    void servers_that_start_at_once_make_the_tables_once() throws Exception {
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var openings = new ArrayList<Future<Backend>>();
            for (int i = 0; i < 4; i++) {
                Callable<Backend> opening = this::open;
                openings.add(callers.submit(opening));
            }
            for (var opening : openings) {
                try (var backend = opening.get()) {
                    assertThat(backend.fetch(List.of(KEYS.row("k")))).isEmpty();
                }
            }
        }
        assertThat(sql("SELECT count(*) FROM flyway_schema_history")).isEqualTo("1");
    }

    @Test
    void a_newer_schema_that_only_adds_is_worked_on() throws Exception {
        open().close();
        sql(
                "ALTER TABLE jobs ADD COLUMN note text DEFAULT 'new';"
                        + "CREATE TABLE things (id text PRIMARY KEY);"
                        + "CREATE INDEX jobs_note ON jobs (note);"
                        + "INSERT INTO flyway_schema_history VALUES (2, '4', 'more', 'SQL', 'V4__more.sql', 1, 'x', now(), 1, true)");

        try (var backend = open()) {
            backend.apply(List.of(insert(JOBS, "t/j", "state:A|")));
            assertThat(backend.fetch(List.of(JOBS.row("t/j")))).hasSize(1);
        }
    }

    @Test
    void a_schema_that_needs_newer_servers_is_refused_with_the_versions() throws Exception {
        open().close();
        sql("UPDATE nonbis_schema SET works_from = 4");

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("needs servers of schema version 4 or later; this server knows version 3");
    }

    @Test
    void a_schema_from_before_the_first_release_is_refused_with_the_versions() throws Exception {
        open().close();
        sql("UPDATE flyway_schema_history SET version = '2'");
        sql("UPDATE nonbis_schema SET works_from = 2");

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("of schema version 2, from before the first release")
                .hasMessageContaining("knows version 3 and later");
    }

    @Test
    void strict_refuses_each_setting_that_loses_acknowledged_writes_and_says_how_to_mend_it() throws Exception {
        sql("ALTER DATABASE " + database + " SET synchronous_commit = off");

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("synchronous_commit is off")
                .hasMessageContaining("ALTER SYSTEM SET synchronous_commit = on")
                .hasMessageContaining("durability: relaxed");
        try (var relaxed = relaxed().backend()) {
            relaxed.apply(List.of(insert(KEYS, "t/k", "|")));
        }
        assertThat(relaxed().weaknesses()).singleElement().asString().startsWith("synchronous_commit is off");
    }

    @Test
    void strict_refuses_a_cluster_that_does_not_flush() throws Exception {
        try (var careless = Postgres.startOrSkip("fsync = off", "full_page_writes = off")) {
            careless.createDatabase("db");
            var address = Postgres.address(careless, "db");

            assertThatThrownBy(() -> PostgresStore.open(address, Postgres.strict()))
                    .hasMessageContaining("fsync is off")
                    .hasMessageContaining("full_page_writes is off");
        }
    }

    @Test
    void what_was_found_durable_at_the_start_stays_so() throws Exception {
        try (var backend = open()) {
            sql("ALTER DATABASE " + database + " SET synchronous_commit = off");
            sql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'nonbis' AND datname = '"
                            + database + "'");
            await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> {
                backend.apply(List.of(insert(KEYS, "t/k", "|")));
                return true;
            });
            try (var transaction = backend.begin(new Wanted(Set.of("t"), Set.of(), true))) {
                assertThat(settingOf((PostgresTransaction) transaction)).isEqualTo("on");
            }
        }
    }

    @Test
    void what_is_read_after_waiting_for_a_tenant_is_as_the_other_server_left_it() throws Exception {
        sql("ALTER DATABASE " + database + " SET default_transaction_isolation = 'serializable'");
        try (var here = open();
                var there = open();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            here.apply(List.of(insert(TENANTS, "t", "|1")));
            var wanted = new Wanted(Set.of("t"), Set.of(KEYS.row("t/k")), true);
            Future<Boolean> seen;
            try (var first = there.begin(wanted)) {
                Callable<Boolean> second = () -> {
                    try (var transaction = here.begin(wanted)) {
                        return transaction.fetch(List.of(KEYS.row("t/k"))).size() == 1;
                    }
                };
                seen = callers.submit(second);
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> sql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
                                .equals("1"));
                first.commit(List.of(insert(KEYS, "t/k", "|")));
            }
            assertThat(seen.get()).isTrue();
        }
    }

    private static String settingOf(PostgresTransaction transaction) throws Exception {
        return PostgresDurability.setting(transaction.connection(), "synchronous_commit");
    }

    @Test
    void a_database_that_keeps_text_otherwise_is_refused() throws Exception {
        sql("CREATE DATABASE latin_" + database + " ENCODING 'LATIN1' TEMPLATE template0");

        assertThatThrownBy(() -> PostgresStore.open(Postgres.address(server(), "latin_" + database), Postgres.strict()))
                .hasMessageContaining("LATIN1")
                .hasMessageContaining("ENCODING 'UTF8'");
    }

    @Test
    void a_database_that_is_not_there_is_refused_without_the_password() {
        var address = new PostgresAddress("127.0.0.1:1", "db", "user", "hush-hush", Map.of());

        assertThatThrownBy(() -> PostgresStore.open(address, Postgres.strict()))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("postgres://user@127.0.0.1:1/db")
                .satisfies(thrown -> assertThat(thrown.toString()).doesNotContain("hush-hush"));
    }

    @Test
    void a_connection_cut_after_the_commit_was_sent_leaves_the_fate_unknown_and_the_write_done() throws Exception {
        try (var proxy = TcpProxy.to(server().port());
                var backend = open(proxy);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            slowCommits();
            var commit = callers.submit(() -> backend.apply(List.of(insert(KEYS, "t/k", "|"))));
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> sql("SELECT count(*) FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active'"
                                    + " AND datname = '" + database + "'")
                            .equals("1"));
            proxy.cut();

            assertThatThrownBy(commit::get).cause().satisfies(thrown -> says(thrown, Fate.UNKNOWN, Cause.FAILED));
            await().atMost(Duration.ofSeconds(20))
                    .ignoreExceptions()
                    .until(() -> backend.fetch(List.of(KEYS.row("t/k"))).size() == 1);
        }
    }

    @Test
    void a_connection_cut_before_the_commit_was_sent_leaves_nothing() throws Exception {
        try (var proxy = TcpProxy.to(server().port());
                var backend = open(proxy)) {
            try (var transaction = backend.begin(new Wanted(Set.of("t"), Set.of(), true))) {
                proxy.cut();
                // Whether the commit was heard cannot be told from here.
                assertThatThrownBy(() -> transaction.commit(List.of(insert(KEYS, "t/k", "|"))))
                        .satisfies(thrown -> says(thrown, Fate.UNKNOWN, Cause.FAILED));
            }
            await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> {
                backend.apply(List.of(insert(KEYS, "t/k", "|")));
                return true;
            });
        }
    }

    @Test
    void a_database_that_is_restarted_or_killed_is_found_again_without_a_restart_of_ours() throws Exception {
        try (var victim = Postgres.startOrSkip()) {
            victim.createDatabase("db");
            var backend = PostgresStore.open(Postgres.address(victim, "db"), Postgres.strict())
                    .backend();
            try (var store = shared(backend)) {
                put(store, "before");
                victim.stop();
                assertThatThrownBy(() -> put(store, "meanwhile"))
                        .satisfies(thrown -> says(thrown, Fate.DID_NOT_HAPPEN, Cause.FAILED));
                victim.startAgain();
                await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> put(store, "after"));

                victim.kill();
                victim.startAgain();
                await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> put(store, "after the kill"));
                assertThat(store.find(KEYS, "before")).isPresent();
                assertThat(store.find(KEYS, "after")).isPresent();
                assertThat(store.find(KEYS, "meanwhile")).isEmpty();
                assertThat(store.trouble()).isEmpty();
            }
        }
    }

    @Test
    void a_conflict_is_told_as_one_whatever_language_the_database_speaks() throws Exception {
        try (var proxy = TcpProxy.to(server().port());
                var backend = open(proxy)) {
            backend.apply(List.of(insert(KEYS, "t/k", "|")));
            proxy.reword("SERROR", "SFEHLR");

            assertThatThrownBy(() -> backend.apply(List.of(insert(KEYS, "t/k", "|"))))
                    .isInstanceOf(WriteConflict.class);
            assertThatThrownBy(() -> backend.apply(List.of(update(KEYS, "t/k", 7, new Change("|", "|2")))))
                    .isInstanceOf(WriteConflict.class);
        }
    }

    @Test
    void a_database_that_comes_back_without_flushing_is_refused_when_strict() throws Exception {
        try (var victim = Postgres.startOrSkip()) {
            victim.createDatabase("db");
            try (var backend = PostgresStore.open(Postgres.address(victim, "db"), Postgres.strict())
                    .backend()) {
                backend.apply(List.of(insert(KEYS, "t/k", "|")));
                victim.sql("db", "ALTER SYSTEM SET fsync = off");
                victim.stop();
                victim.startAgain();

                await().atMost(Duration.ofSeconds(20))
                        .untilAsserted(() -> assertThatThrownBy(
                                        () -> backend.apply(List.of(insert(KEYS, "t/lost", "|"))))
                                .rootCause()
                                .hasMessageContaining("durability is strict, fsync is off and full_page_writes is on"));
                assertThat(backend.fetch(List.of(KEYS.row("t/k"), KEYS.row("t/lost"))))
                        .containsOnlyKeys(KEYS.row("t/k"));
            }
        }
    }

    @Test
    void strict_refuses_servers_that_take_over_without_what_was_acknowledged() throws Exception {
        var one = Postgres.address(server(), database);
        var several = new PostgresAddress(one.hosts() + "," + one.hosts(), database, one.user(), "", Map.of());

        assertThatThrownBy(() -> PostgresStore.open(several, Postgres.strict()))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("commits do not wait for a standby")
                .hasMessageContaining("synchronous_standby_names = 'ANY 1 (*)'");
    }

    @Test
    void a_database_that_takes_no_writes_is_refused_in_plain_words() throws Exception {
        open().close();
        sql("ALTER DATABASE " + database + " SET default_transaction_read_only = on");

        assertThatThrownBy(this::open).isInstanceOf(StoreUnavailable.class).hasMessageContaining("takes no writes");
    }

    @Test
    void who_asks_while_a_tenant_is_busy_waits_no_longer_than_those_before() throws Exception {
        try (var other = open();
                var callers = Executors.newVirtualThreadPerTaskExecutor();
                var store = shared(open());
                var held = other.begin(new Wanted(Set.of("t"), Set.of(), true))) {
            assertThat(held.owners()).containsExactly("t");
            var first = callers.submit(() -> touch(store, "t"));
            await().atMost(Duration.ofSeconds(20)).until(() -> waitsForLock());
            var second = callers.submit(() -> touch(store, "t"));

            assertThatThrownBy(first::get).cause().satisfies(thrown -> says(thrown, Fate.DID_NOT_HAPPEN, Cause.BUSY));
            assertThatThrownBy(second::get)
                    .cause()
                    .as("told together with the first")
                    .isSameAs(first.exceptionNow());
        }
    }

    @Test
    void a_block_that_conflicts_without_end_keeps_nobody_else_from_going_through() throws Exception {
        try (var other = open();
                var callers = Executors.newVirtualThreadPerTaskExecutor();
                var store = shared(open())) {
            other.apply(List.of(insert(TENANTS, "t", "|")));
            sql("INSERT INTO jobs_by_label (entry, id) VALUES ('by-hand', 't/j')");
            var held = other.begin(new Wanted(Set.of("t"), Set.of(), true));
            var poison = callers.submit(() -> store.transact(List.of(TENANTS.row("t")), tx -> {
                tx.insert(JOBS, "t/j", "label:by-hand|");
                return true;
            }));
            await().atMost(Duration.ofSeconds(20)).until(() -> waitsForLock());
            var sound = callers.submit(() -> touch(store, "t"));
            await().atMost(Duration.ofSeconds(20)).until(() -> store.waiting() == 1);
            held.close();

            assertThat(sound.get()).isTrue();
            assertThatThrownBy(poison::get).cause().satisfies(thrown -> says(thrown, Fate.DID_NOT_HAPPEN, Cause.BUSY));
        }
    }

    private boolean waitsForLock() throws IOException {
        return sql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database ="
                        + " (SELECT oid FROM pg_database WHERE datname = '" + database + "')")
                .equals("1");
    }

    @Test
    void a_row_that_an_operator_holds_by_hand_makes_its_tenant_busy_and_no_other() throws Exception {
        try (var backend = open();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            backend.apply(List.of(insert(TENANTS, "held", "|"), insert(TENANTS, "free", "|")));
            var store = shared(new dev.nonbis.testkit.store.UnclosedBackend(backend));
            var hand = callers.submit(
                    () -> sql("BEGIN; SELECT 1 FROM tenants WHERE id = 'held' FOR UPDATE; SELECT pg_sleep(4)"));
            await().atMost(Duration.ofSeconds(20))
                    .until(() ->
                            sql("SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND state = 'active'"
                                            + " AND pid <> pg_backend_pid() AND datname = '" + database + "'")
                                    .equals("1"));

            assertThatThrownBy(() -> touch(store, "held"))
                    .satisfies(thrown -> says(thrown, Fate.DID_NOT_HAPPEN, Cause.BUSY));
            touch(store, "free");
            hand.get();
            touch(store, "held");
            store.close();
        }
    }

    @Test
    void a_server_that_stops_in_the_middle_of_a_transaction_does_not_hold_its_tenant_for_long() throws Exception {
        try (var stopped = open();
                var backend = open();
                var held = stopped.begin(new Wanted(Set.of("t"), Set.of(TENANTS.row("t")), true))) {
            assertThat(held.owners()).containsExactly("t");
            await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> {
                backend.apply(List.of(insert(TENANTS, "t", "|")));
                return true;
            });
            assertThatThrownBy(() -> held.commit(List.of(insert(KEYS, "t/late", "|"))))
                    .satisfies(thrown -> says(thrown, Fate.DID_NOT_HAPPEN, Cause.FAILED));
        }
    }

    private void slowCommits() throws IOException {
        sql(
                "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1.5); RETURN NULL; END';"
                        + "CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON keys DEFERRABLE INITIALLY DEFERRED"
                        + " FOR EACH ROW EXECUTE FUNCTION slow()");
    }

    private static boolean put(SharedStore store, String key) {
        return store.transact(List.of(KEYS.row(key)), tx -> {
            tx.put(KEYS, key, "|");
            return true;
        });
    }

    private static boolean touch(SharedStore store, String tenant) {
        return store.transact(List.of(TENANTS.row(tenant)), tx -> {
            tx.update(TENANTS, tenant, "|touched");
            return true;
        });
    }

    private static SharedStore shared(Backend backend) {
        return new SharedStore(
                backend,
                new SharedStore.Settings(
                        2, 2, 64, 1000, Duration.ofSeconds(2), CommitListener.SILENT, System::nanoTime));
    }

    private Backend open() {
        return PostgresStore.open(Postgres.address(server(), database), Postgres.strict())
                .backend();
    }

    private PostgresStore.Opened relaxed() {
        return PostgresStore.open(
                Postgres.address(server(), database), new PostgresStore.Settings(2, 2, Postgres.PATIENCE, false));
    }

    private Backend open(TcpProxy proxy) {
        var address = new PostgresAddress("127.0.0.1:" + proxy.port(), database, server().user(), "", Map.of());
        return PostgresStore.open(address, Postgres.strict()).backend();
    }

    private String sql(String statement) throws IOException {
        return server().sql(database, statement);
    }

    private static PostgresServer server() {
        if (started == null) {
            throw new IllegalStateException("PostgreSQL was not started");
        }
        return started;
    }

    private static void says(Throwable thrown, Fate fate, Cause why) {
        assertThat(thrown).isInstanceOf(StoreUnavailable.class);
        assertThat(((StoreUnavailable) thrown).fate()).isEqualTo(fate);
        assertThat(((StoreUnavailable) thrown).why()).isEqualTo(why);
    }
}
