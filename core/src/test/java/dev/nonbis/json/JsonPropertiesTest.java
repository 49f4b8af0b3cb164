package dev.nonbis.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonPropertiesTest {

    private static final long SEED = 20260131;

    @Test
    void what_is_written_is_read_back_and_the_canonical_form_knows_no_order() {
        RandomJson random = new RandomJson(SEED);
        for (int i = 0; i < 5_000; i++) {
            JsonValue value = random.value(5);
            byte[] canonical = Json.canonical(value);
            JsonValue read = Json.parse(canonical);

            assertThat(read).isEqualTo(value);
            assertThat(Json.parse(Json.write(value))).isEqualTo(value);
            assertThat(Json.canonical(read)).isEqualTo(canonical);
            assertThat(Json.write(read)).isEqualTo(canonical);
            assertThat(Json.canonical(random.shuffled(value))).isEqualTo(canonical);
            assertThat(Json.differences(value, random.shuffled(value), 10)).isEmpty();
        }
    }

    @Test
    void two_values_differ_somewhere_exactly_when_their_canonical_forms_do() {
        RandomJson random = new RandomJson(SEED);
        for (int i = 0; i < 20_000; i++) {
            JsonValue one = random.value(1);
            JsonValue other = random.value(1);

            assertThat(Json.differences(one, other, 10).isEmpty())
                    .isEqualTo(Arrays.equals(Json.canonical(one), Json.canonical(other)));
        }
    }

    @Test
    void mutated_text_is_read_or_refused_and_nothing_else() {
        RandomJson values = new RandomJson(SEED);
        Random random = new Random(SEED);
        int read = 0;
        for (int i = 0; i < 200_000; i++) {
            byte[] text =
                    i % 4 == 0 ? Json.write(values.value(3)) : pick(random).getBytes(UTF_8);
            byte[] mutated = mutated(text, random);
            try {
                JsonValue value = Json.parse(mutated);
                assertThat(Json.parse(Json.canonical(value))).isEqualTo(value);
                read++;
            } catch (JsonRefused refused) {
                assertThat(refused).hasMessageMatching("[A-Za-z0-9 -]+ at line \\d+, column \\d+");
            }
        }
        assertThat(read).isBetween(10_000, 190_000);
    }

    private static String pick(Random random) {
        List<String> seeds = List.of(
                "{\"topic\":\"job.default\",\"prompt\":\"\\u00e9\\ud83d\\ude02\",\"n\":[1,-2.5e10,0.1,true,false,null]}",
                "{\"a\\ud83d\\ude02bcdefgh\":{\"😂é\":\"\\\\\\\"\\n\"},\"\":[]}",
                "[9007199254740993,1e308,4.9e-324,333333333.33333329,-0]",
                "[[[[[[[{\"a\":[{}]}]]]]]]]");
        return seeds.get(random.nextInt(seeds.size()));
    }

    private static byte[] mutated(byte[] text, Random random) {
        byte[] bytes = text.clone();
        for (int i = random.nextInt(3); i >= 0 && bytes.length > 0; i--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] = (byte) "[]{}\",:\\u0eE-+.dD8".charAt(random.nextInt(18));
                case 2 -> bytes = Arrays.copyOf(bytes, at);
                case 3 -> System.arraycopy(bytes, at, bytes, random.nextInt(at + 1), bytes.length - at);
                default -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            }
        }
        return bytes;
    }
}
