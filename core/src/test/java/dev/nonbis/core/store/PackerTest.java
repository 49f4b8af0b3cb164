package dev.nonbis.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PackerTest {

    private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

    @Test
    void numbers_come_back() {
        for (long number :
                List.of(0L, 1L, -1L, 63L, 64L, -64L, -65L, 1L << 31, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE)) {
            assertThat(new Unpacker(new Packer(1).number(number).end()).number())
                    .isEqualTo(number);
        }
    }

    @Test
    void texts_come_back_whatever_they_look_like() {
        for (String text : List.of(
                "",
                "a",
                "0123456789abcdef".repeat(2),
                "0123456789abcdef".repeat(4),
                "0123456789abcdeF".repeat(4),
                "0123456789abcdeg".repeat(2),
                "f".repeat(31),
                "f".repeat(65),
                "job_01m7kmk06rth9bmaftgq091tps",
                "job_7zzzzzzzzzzzzzzzzzzzzzzzzz",
                "job_8zzzzzzzzzzzzzzzzzzzzzzzzz",
                "job_01m7kmk06rth9bmaftgq091tpu",
                "job_01m7kmk06rth9bmaftgq091tpS",
                "jab_01m7kmk06rth9bmaftgq091tps",
                "\u00e9\ud83d\ude00",
                "\u00e9".repeat(15),
                "\u00e9".repeat(16),
                "x".repeat(100_000))) {
            var row = new Unpacker(new Packer(1).text(text).number(7).end());

            assertThat(row.text()).isEqualTo(text);
            assertThat(row.number()).isEqualTo(7);
        }
    }

    @Test
    void every_name_comes_back_and_takes_seventeen_bytes() {
        var random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            var name = new StringBuilder(PackedName.PREFIXES.get(random.nextInt(PackedName.PREFIXES.size())))
                    .append(random.nextInt(8));
            for (int digit = 1; digit < 26; digit++) {
                name.append(DIGITS.charAt(random.nextInt(DIGITS.length())));
            }

            byte[] packed = new Packer(1).text(name.toString()).end();

            assertThat(packed).hasSize(1 + 17);
            assertThat(new Unpacker(packed).text()).isEqualTo(name.toString());
        }
    }

    @Test
    void a_digest_takes_half_its_characters() {
        assertThat(new Packer(1).text("0f".repeat(32)).end()).hasSize(1 + 1 + 32);
        assertThat(new Packer(1).text("0f".repeat(16)).end()).hasSize(1 + 1 + 16);
    }

    @Test
    void whatever_stands_among_the_digits_of_a_digest_comes_back() {
        for (int place = 0; place < 32; place++) {
            for (int c = 0; c < 256; c++) {
                var text = new StringBuilder("0123456789abcdef".repeat(2));
                text.setCharAt(place, (char) c);

                assertThat(new Unpacker(new Packer(1).text(text.toString()).end()).text())
                        .isEqualTo(text.toString());
            }
        }
    }

    @Test
    void what_may_be_missing_comes_back() {
        var row = new Unpacker(new Packer(1)
                .optional(Optional.empty())
                .optional(Optional.of(-5L))
                .flag(true)
                .bytes(new byte[] {1, 2})
                .bytes(new byte[0])
                .end());

        assertThat(row.optional()).isEmpty();
        assertThat(row.optional()).contains(-5L);
        assertThat(row.flag()).isTrue();
        assertThat(row.bytes()).containsExactly(1, 2);
        assertThat(row.bytes()).isEmpty();
    }

    @Test
    void a_row_of_another_kind_is_not_read() {
        assertThatThrownBy(() -> new Unpacker("{\"id\":\"job_1\"}".getBytes(StandardCharsets.US_ASCII)))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new Unpacker(new byte[0])).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_text_of_a_form_comes_back_from_its_slots() {
        var forms = List.of(new Form("<a=", ",b=", ">"), new Form("<c=", ">"));
        var known = bytes("known");
        Form.Slots writtenBefore = null;
        Form.Slots readBefore = null;
        for (String text : List.of(
                "<a=1,b=2>",
                "<a=1,b=known>",
                "<a=other,b=known>",
                "<a=,b=>",
                "<a=known,b=>",
                "<a=1,b=,b=3>",
                "<a=<a=1,b=2>,b=" + "ab".repeat(32) + ">")) {
            var filled = Form.filled(forms, bytes(text), 0).orElseThrow();
            var row = new Packer(1);
            row.slots(filled.slots(), writtenBefore, known, bytes("other"));

            var read = new Unpacker(row.end()).slots(forms.get(filled.form()), readBefore, known, bytes("other"));

            assertThat(new String(read.text(), StandardCharsets.US_ASCII)).isEqualTo(text);
            assertThat(values(read)).isEqualTo(values(filled.slots()));
            writtenBefore = filled.slots();
            readBefore = read;
        }
    }

    @Test
    void a_slot_ends_at_the_first_quote_without_a_backslash_wherever_that_is() {
        var forms = List.of(new Form("{\"a\":\"", "\",\"b\":\"", "\"}"));
        for (int before = 0; before < 20; before++) {
            for (String special : List.of("", "\\\"", "\\\\", "\\\\\\\"", "\\n", ",", "\u00e9")) {
                for (int behind = 0; behind < 20; behind++) {
                    String first = "x".repeat(before) + special + "y".repeat(behind);
                    var text = "{\"a\":\"" + first + "\",\"b\":\"z\"}";

                    var filled = Form.filled(forms, text.getBytes(StandardCharsets.UTF_8), 0);

                    assertThat(filled).as(text).isPresent();
                    assertThat(values(filled.orElseThrow().slots())).containsExactly(first, "z");
                }
            }
        }
    }

    @Test
    void a_text_has_its_form_whichever_is_tried_first() {
        var forms = List.of(new Form("<a=", ",b=", ">"), new Form("<a=", ";b=", ">"), new Form("<c=", ">"));
        for (int likely = 0; likely < forms.size(); likely++) {
            assertThat(form(forms, "<a=1,b=2>", likely)).isZero();
            assertThat(form(forms, "<a=1;b=2>", likely)).isEqualTo(1);
            assertThat(form(forms, "<c=1>", likely)).isEqualTo(2);
        }
    }

    private static int form(List<Form> forms, String text, int likely) {
        return Form.filled(forms, bytes(text), likely).orElseThrow().form();
    }

    @Test
    void a_text_of_no_form_is_told_from_the_others() {
        var forms = List.of(new Form("<a=", ",b=", ">"), new Form("<c=", ">"));

        assertThat(Form.filled(forms, bytes("<c=1>"), 0))
                .hasValueSatisfying(filled -> assertThat(filled.form()).isEqualTo(1));
        for (String text : List.of("", "<", "<a=1>", "<a=1,b=2", "a=1,b=2>", "<c=", "<a=,b=")) {
            assertThat(Form.filled(forms, bytes(text), 1)).as(text).isEmpty();
        }
    }

    private static List<String> values(Form.Slots slots) {
        var values = new ArrayList<String>();
        for (int i = 0; i < slots.count(); i++) {
            values.add(slots.value(i));
        }
        return values;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
