package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.Role;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.CommitListener;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.GroupCommit;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.SharedStore;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonNull;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys whose rows come back from the back end with other bytes than were written. */
class DamagedKeysTest {

    private static final String BODY = "{\"topic\":\"job.default\",\"input\":{\"n\":1}}";
    private static final String OTHER_BODY = "{\"topic\":\"job.default\",\"input\":{\"n\":2}}";
    private static final String KEY_PATH = "/api/v1/idempotency-keys/jobs/k";

    private final DamagedBackend backend = new DamagedBackend();
    private TestPlane plane = plane(new DirectStore(backend));
    private Optional<Store> opened = Optional.empty();

    /** The stores that a server may have above a back end. */
    enum Kind {
        DIRECT,
        GROUP_COMMIT,
        SHARED;

        Store open(Backend backend) {
            return switch (this) {
                case DIRECT -> new DirectStore(backend);
                case GROUP_COMMIT ->
                    new GroupCommit(
                            backend,
                            new GroupCommit.Settings(
                                    64, 1000, Set.of(Tables.KEYS), CommitListener.SILENT, System::nanoTime));
                case SHARED ->
                    new SharedStore(
                            backend,
                            new SharedStore.Settings(
                                    2, 2, 64, 1000, Duration.ofSeconds(2), CommitListener.SILENT, System::nanoTime));
            };
        }
    }

    private void open(Kind kind) {
        var store = kind.open(backend);
        opened = Optional.of(store);
        plane = plane(store);
    }

    private static TestPlane plane(Store store) {
        return new TestPlane(store, Policy.ALLOW_ALL, Settings.DEFAULTS);
    }

    @AfterEach
    void close() {
        opened.ifPresent(Store::close);
    }

    private TestPlane.Answer submit(String key, String body) {
        return plane.post("/api/v1/jobs").key(key).body(body).send();
    }

    private void isDamaged(TestPlane.Answer answer) {
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.code()).isEqualTo("store_damaged");
        assertThat(answer.string("retry")).isEqualTo("never");
        assertThat(answer.replayed()).isFalse();
    }

    private int jobs() {
        return plane.get("/api/v1/jobs").send().items().size();
    }

    private static StoredRow flipped(StoredRow row, int place, int bits) {
        byte[] body = row.body().clone();
        // Rows of other keys may be a little shorter.
        body[Math.min(place, body.length - 1)] ^= (byte) bits;
        return new StoredRow(row.key(), row.version(), body);
    }

    private int length() {
        var lengths = new int[1];
        backend.damage = row -> {
            lengths[0] = row.body().length;
            return row;
        };
        plane.get(KEY_PATH).send();
        backend.damage = row -> row;
        return lengths[0];
    }

    @ParameterizedTest
    @EnumSource
    void whatever_byte_is_flipped_the_exact_answer_is_replayed_or_none(Kind kind) {
        open(kind);
        submit("k", BODY);
        int length = length();
        int damaged = 0;
        int keys = 0;

        for (int place = 0; place < length; place++) {
            for (int bits : new int[] {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
                int at = place;
                // A key of its own each time, because a store may keep what it has read.
                String key = "k-" + keys;
                keys++;
                backend.damage = row -> row;
                var first = submit(key, BODY);
                backend.damage = row -> flipped(row, at, bits);
                var again = submit(key, BODY);
                if (again.status() == 200) {
                    assertThat(again.replayed()).isTrue();
                    assertThat(again.text()).isEqualTo(first.text());
                    assertThat(again.response().contentType())
                            .isEqualTo(first.response().contentType());
                    assertThat(again.response().headers().get("Nonbis-Original-Request"))
                            .isEqualTo(first.response().headers().get("Nonbis-Request-Id"));
                } else {
                    isDamaged(again);
                    damaged++;
                }
            }
        }
        assertThat(damaged).isGreaterThan(keys * 9 / 10);
    }

    @Test
    void another_request_under_a_damaged_key_is_neither_a_mismatch_nor_new() {
        submit("k", BODY);
        for (int place = 0; place < length(); place++) {
            int at = place;
            backend.damage = row -> flipped(row, at, 0xff);
            isDamaged(submit("k", OTHER_BODY));
        }
        assertThat(jobs()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void a_row_cut_off_or_replaced_by_anything_is_damaged(Kind kind) {
        open(kind);
        submit("k", BODY);
        int length = length();
        for (int cut = 0; cut < length; cut++) {
            int to = cut;
            backend.damage = row -> new StoredRow(row.key(), row.version(), Arrays.copyOf(row.body(), to));
            isDamaged(submit("k", BODY));
        }
        for (int fill : new int[] {0, 1, 0x20, 0x7f, 0x80, 0xff}) {
            backend.damage = row -> {
                byte[] body = new byte[row.body().length];
                Arrays.fill(body, (byte) fill);
                return new StoredRow(row.key(), row.version(), body);
            };
            isDamaged(submit("k", BODY));
        }
    }

    @ParameterizedTest
    @EnumSource
    void two_rows_that_changed_places_are_both_damaged(Kind kind) {
        open(kind);
        submit("k", BODY);
        submit("l", BODY);
        submit("m", BODY);
        var bodies = new HashMap<String, byte[]>();
        backend.damage = row -> {
            bodies.put(row.key(), row.body());
            return row;
        };
        for (var key : Set.of("k", "l")) {
            plane.get("/api/v1/idempotency-keys/jobs/" + key).send();
        }
        var places = Map.of("acme/jobs/k", "acme/jobs/l", "acme/jobs/l", "acme/jobs/k");
        backend.damage = row -> {
            byte[] other = bodies.get(places.getOrDefault(row.key(), ""));
            return other == null ? row : new StoredRow(row.key(), row.version(), other);
        };

        isDamaged(submit("k", BODY));
        isDamaged(submit("l", BODY));
        assertThat(submit("m", BODY).replayed()).isTrue();
        assertThat(submit("n", BODY).status()).isEqualTo(200);
    }

    @Test
    void an_operator_is_told_of_a_damaged_key_and_can_release_it_which_the_log_keeps() {
        submit("k", BODY);
        int middle = length() / 2;
        backend.damage = row -> flipped(row, middle, 0xff);

        isDamaged(plane.get(KEY_PATH).send());
        assertThat(plane.metrics.scrape()).contains("nonbis_store_damaged_total 1.0");
        var released = plane.delete(KEY_PATH)
                .body("{\"reason\":\"the disk was damaged\"}")
                .send();
        backend.damage = row -> row;

        assertThat(released.status()).isEqualTo(200);
        assertThat(released.json().get("subject")).contains(JsonNull.NULL);
        assertThat(plane.get(KEY_PATH).send().code()).isEqualTo("key_not_found");
        var event = plane.get("/api/v1/audit").send().items().getLast();
        assertThat(event.string("type")).contains("key.released");
        assertThat(event.string("actor")).contains("alice");
        assertThat(event.object("data").orElse(JsonObject.EMPTY).bool("damaged"))
                .contains(true);
        assertThat(submit("k", BODY).replayed()).isFalse();
        assertThat(jobs()).isEqualTo(2);
    }

    @Test
    void a_released_key_whose_time_was_damaged_does_not_stop_the_purge_of_others() {
        submit("k", BODY);
        for (int place = 0; place < length(); place++) {
            int at = place;
            backend.damage = row -> row.key().endsWith("/k") ? flipped(row, at, 1) : row;
            plane.delete(KEY_PATH).body("{\"reason\":\"damaged\"}").send();
            backend.damage = row -> row;
            submit("k", BODY);
        }
        submit("other", BODY);
        plane.clock.advance(Duration.ofDays(91));

        plane.purge.runSeveral();

        assertThat(plane.get("/api/v1/idempotency-keys/jobs/other").send().code())
                .isEqualTo("key_not_found");
        assertThat(submit("other", BODY).replayed()).isFalse();
    }

    @Test
    void damaged_keys_stay_when_their_retention_ends_and_hold_up_no_others() {
        for (int i = 0; i < 1100; i++) {
            submit((i < 1050 ? "damaged-" : "whole-") + i, BODY);
        }
        backend.damage = row -> row.key().contains("/damaged-") ? flipped(row, 40, 0xff) : row;
        plane.clock.advance(Duration.ofDays(91));

        plane.purge.runSeveral();

        isDamaged(submit("damaged-1", BODY));
        backend.damage = row -> row;
        var left = plane.ports
                .store()
                .read(tx -> tx.scan(Range.keysStartingWith(Tables.KEYS, "acme/").limit(2000)));
        assertThat(left).hasSize(1050).allSatisfy(hit -> assertThat(hit.key()).contains("/damaged-"));
    }

    @Test
    void a_caller_without_the_role_of_an_operator_learns_nothing_of_a_damaged_key() {
        submit("k", BODY);
        backend.damage = row -> flipped(row, 40, 0xff);

        assertThat(plane.get(KEY_PATH)
                        .as("acme-" + Role.SUBMITTER.word())
                        .send()
                        .status())
                .isEqualTo(403);
        assertThat(plane.get(KEY_PATH).as(TestPlane.GLOBEX).send().code()).isEqualTo("key_not_found");
    }
}
