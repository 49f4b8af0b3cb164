package dev.nonbis.core.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class BatchTest {

    private static final String UNWRITABLE = "unwritable";

    private final List<String> encoded = new ArrayList<>();
    private final Index<String> byText = Index.ofOne("text", Optional::of);
    private final Table<String, String> words =
            new Table<>(1, "words", key -> key, this::encode, body -> new String(body, UTF_8), List.of(byText));
    private final StoredRow old = new StoredRow("old", 7, "committed".getBytes(UTF_8));
    private final Batch batch =
            new Batch(wanted -> wanted.contains(words.row("old")) ? Map.of(words.row("old"), old) : Map.of(), true);

    private byte[] encode(String word) {
        if (word.equals(UNWRITABLE)) {
            throw new IllegalArgumentException(word);
        }
        encoded.add(word);
        return word.getBytes(UTF_8);
    }

    private void put(String key, String word) {
        batch.<Void>run(tx -> {
            tx.put(words, key, word);
            return null;
        });
    }

    private void fail(Consumer<Tx> writes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> batch.<Void>run(tx -> {
                    writes.accept(tx);
                    throw new IllegalArgumentException("after its writes");
                }));
    }

    private List<String> written() {
        return batch.writes().stream().map(BatchTest::told).toList();
    }

    private static String told(Write write) {
        return switch (write) {
            case Write.Insert(var row, var body, var added) ->
                "insert " + row.key() + " " + new String(body, UTF_8) + " " + added.byIndex();
            case Write.Update(var row, var version, var body, var moved) ->
                "update " + row.key() + " " + version + " " + new String(body, UTF_8) + " "
                        + moved.to().byIndex();
            case Write.Delete(var row, var version, var removed) ->
                "delete " + row.key() + " " + version + " " + removed.byIndex();
            case Write.Expect(var row, var version) -> "expect " + row.key() + " " + version;
        };
    }

    @Test
    void a_row_is_written_as_the_last_block_left_it() {
        for (String word : List.of("one", "two", "three")) {
            put("old", word);
            put("new", word);
        }

        assertThat(written()).containsExactly("insert new three [[three]]", "update old 7 three [[three]]");
    }

    @Test
    void a_row_that_changes_again_and_again_is_encoded_once() {
        for (String word : List.of("one", "two", "three", "four")) {
            put("old", word);
        }

        batch.writes();

        assertThat(encoded).containsExactly("four");
    }

    @Test
    void a_row_that_is_deleted_after_it_was_written_is_deleted() {
        put("old", "one");
        put("new", "one");
        batch.<Void>run(tx -> {
            tx.delete(words, "old");
            tx.delete(words, "new");
            return null;
        });

        assertThat(written()).containsExactly("delete old 7 [[committed]]");
    }

    @Test
    void a_block_that_fails_leaves_rows_as_the_blocks_before_left_them() {
        put("old", "one");
        put("new", "one");

        fail(tx -> {
            tx.put(words, "old", "two");
            tx.put(words, "old", "three");
            tx.delete(words, "new");
            tx.insert(words, "newer", "two");
        });

        assertThat(written()).containsExactly("insert new one [[one]]", "update old 7 one [[one]]");
    }

    @Test
    void a_row_that_only_a_failed_block_has_written_is_asked_for() {
        fail(tx -> tx.insert(words, "old", "taken to be free"));

        assertThat(batch.isKnown(words.row("old"))).isFalse();
        assertThat(batch.<Optional<String>>run(tx -> tx.find(words, "old"))).contains("committed");
    }

    @Test
    void a_block_sees_its_own_writes() {
        var seen = batch.run(tx -> {
            tx.insert(words, "new", "one");
            tx.delete(words, "old");
            return List.of(tx.find(words, "new"), tx.findUnlessAbsent(words, "new"), tx.find(words, "old"));
        });

        assertThat(seen).containsExactly(Optional.of("one"), Optional.of("one"), Optional.empty());
    }

    @Test
    void a_row_is_not_inserted_where_a_block_before_has_left_one() {
        put("new", "one");

        assertThatIllegalStateException()
                .isThrownBy(() -> batch.<Void>run(tx -> {
                    tx.insert(words, "new", "two");
                    return null;
                }));
        assertThat(written()).containsExactly("insert new one [[one]]");
    }

    @Test
    void a_row_that_cannot_be_encoded_shows_when_the_batch_has_to_go() {
        put("new", "one");
        put("old", UNWRITABLE);

        assertThatIllegalArgumentException().isThrownBy(batch::writes);
    }
}
