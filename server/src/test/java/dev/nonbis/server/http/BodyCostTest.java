package dev.nonbis.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyCostTest {

    private static final int MIB = 1 << 20;

    /** The trees were measured with compact object headers on the JDK that the project is built for. */
    @ParameterizedTest
    @CsvSource({
        "'1,', 11", // one number for each two bytes
        "'{\"a\":1},', 22", // an object with a member for each eight
        "'1.5,', 6",
        "'\"\",', 7",
        "'[[[[]]]],', 17",
    })
    void the_cost_covers_the_tree(String piece, int measuredMib) {
        var body = "[" + piece.repeat(MIB / piece.length() - 1) + "1]";

        assertThat(cost(body)).isBetween((long) measuredMib * MIB, 40L * MIB);
    }

    @ParameterizedTest
    @CsvSource({"'x'", "':'", "'{'", "'\\\\\"'"})
    void what_stands_in_a_string_makes_no_values(String piece) {
        var body = "\"" + piece.repeat(MIB / piece.length() - 1) + "\"";

        assertThat(cost(body)).isLessThanOrEqualTo((long) BodyCost.PER_BYTE * (MIB + 2));
    }

    private static long cost(String body) {
        var bytes = ByteBuffer.wrap(body.getBytes(US_ASCII));
        var cost = new BodyCost();
        long sum = 0;
        while (bytes.hasRemaining()) {
            var piece = bytes.slice(bytes.position(), Math.min(1000, bytes.remaining()));
            sum += cost.of(piece);
            bytes.position(bytes.position() + piece.remaining());
        }
        return sum;
    }
}
