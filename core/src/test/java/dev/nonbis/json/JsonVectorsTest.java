package dev.nonbis.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.Vectors;
import dev.nonbis.json.JsonValue.JsonNumber;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonVectorsTest {

    @ParameterizedTest
    @ValueSource(strings = {"arrays", "french", "structures", "unicode", "values", "weird"})
    void the_canonical_form_is_that_of_rfc_8785(String name) {
        byte[] input = Vectors.bytes("jcs/input/" + name + ".json");
        byte[] output = Vectors.bytes("jcs/output/" + name + ".json");

        assertThat(Json.canonical(Json.parse(input))).asString(UTF_8).isEqualTo(new String(output, UTF_8));
        assertThat(Json.canonical(Json.parse(output))).isEqualTo(output);
    }

    @Test
    void numbers_are_written_as_ecmascript_writes_them_and_are_read_back_as_the_same_double() {
        String file = new String(Vectors.bytes("jcs/es6testfile_1000.txt"), UTF_8);

        assertThat(file.lines()).hasSize(1000).allSatisfy(line -> {
            int comma = line.indexOf(',');
            JsonNumber number = new JsonNumber(Double.longBitsToDouble(Long.parseUnsignedLong(line, 0, comma, 16)));
            byte[] form = line.substring(comma + 1).getBytes(UTF_8);

            assertThat(Json.canonical(number)).asString(UTF_8).isEqualTo(new String(form, UTF_8));
            assertThat(Json.parse(form)).isEqualTo(number);
        });
    }
}
