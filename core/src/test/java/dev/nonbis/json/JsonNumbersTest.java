package dev.nonbis.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.nonbis.json.JsonRefused.Reason;
import dev.nonbis.json.JsonValue.JsonNumber;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonNumbersTest {

    private static final int MEBIBYTE = 1 << 20;

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "-0.0e5, 0",
        "0e999999999999999999999, 0",
        "0.1, 0.1",
        "4.50, 4.5",
        "1E30, 1e+30",
        "-1.5E-7, -1.5e-7",
        "333333333.33333329, 333333333.3333333",
        "9007199254740992, 9007199254740992",
        "9007199254740991, 9007199254740991",
        "9007199254740994, 9007199254740994",
        "-9007199254740991, -9007199254740991",
        "1753900000123456, 1753900000123456",
        "1753900000.123456, 1753900000.123456",
        "100000000000000000000000, 1e+23",
        "1e23, 1e+23",
        "0.1000000000000000055511151231257827021181583404541015625, 0.1",
        "1.7976931348623157e308, 1.7976931348623157e+308",
        "2.2250738585072014e-308, 2.2250738585072014e-308",
        "5e-324, 5e-324",
        "4.9e-324, 5e-324",
        "4.94e-324, 5e-324",
        "1e-323, 1e-323",
        "5.684341886080802e-14, 5.684341886080802e-14",
        "5.6843418860808015e-14, 5.684341886080802e-14",
        "18446744073709551616, 18446744073709552000",
        "1000000000000000000000, 1e+21",
        "999999999999999900000, 999999999999999900000",
        "0.000001, 0.000001",
        "0.0000001, 1e-7",
    })
    void a_number_that_a_double_holds_is_taken(String sent, String written) {
        assertThat(Json.canonical(parse(sent))).asString(UTF_8).isEqualTo(written);
        assertThat(Json.write(parse(sent))).asString(UTF_8).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9007199254740993",
                "-9007199254740993",
                "9007199254740993.0",
                "9007199254740993e0",
                "900719925474099.3e1",
                "18446744073709551615",
                "0.10000000000000000001",
                "1e400",
                "-1e400",
                "1.8e308",
                "1e309",
                "1e999999999",
                "1e99999999999999999999999999",
                "1e-400",
                "-1e-400",
                "2e-324",
                "4e-324",
                "1e-999999999",
                "1e-99999999999999999999999999",
                "0.30000000000000000001",
                "12345678901234567",
                "1234567890123456.9e1",
                "333333333.333333291",
                "123456789.123456789123",
                "0.1000000000000000055511151231257827",
                "0.100000000000000006",
                "36893488147419103230"
            })
    void a_number_that_a_double_would_change_is_refused(String sent) {
        assertThat(refusal(sent).reason()).isEqualTo(Reason.NOT_CANONICAL);
    }

    @Test
    void numbers_as_long_as_a_body_may_be_are_decided_at_once() {
        String zeros = "0".repeat(MEBIBYTE);
        assertThat(refusal("1".repeat(MEBIBYTE)).reason()).isEqualTo(Reason.NOT_CANONICAL);
        assertThat(refusal("0." + "3".repeat(MEBIBYTE)).reason()).isEqualTo(Reason.NOT_CANONICAL);
        assertThat(refusal("1e" + "9".repeat(MEBIBYTE)).reason()).isEqualTo(Reason.NOT_CANONICAL);
        assertThat(refusal("1e-" + "9".repeat(MEBIBYTE)).reason()).isEqualTo(Reason.NOT_CANONICAL);
        assertThat(refusal("1" + zeros).reason()).isEqualTo(Reason.NOT_CANONICAL);
        assertThat(parse("1" + zeros + "e-" + MEBIBYTE)).isEqualTo(new JsonNumber(1));
        assertThat(parse("0." + zeros + "1e" + (MEBIBYTE + 1))).isEqualTo(new JsonNumber(1));
        assertThat(parse("1." + zeros)).isEqualTo(new JsonNumber(1));
        assertThat(parse("1e" + zeros + "1")).isEqualTo(new JsonNumber(10));
    }

    @Test
    void the_longest_number_that_is_a_double_is_taken() {
        String exact = new BigDecimal(Math.nextDown(Double.MIN_NORMAL)).toString();
        assertThat(new BigDecimal(exact).precision()).isEqualTo(767);
        assertThat(parse(exact)).isEqualTo(new JsonNumber(Math.nextDown(Double.MIN_NORMAL)));
        assertThat(refusal(exact.replaceFirst("E", "1E")).reason()).isEqualTo(Reason.NOT_CANONICAL);
    }

    @Test
    void the_decision_is_that_of_exact_arithmetic() {
        Random random = new Random(8785);
        for (int i = 0; i < 50_000; i++) {
            String sent = randomNumber(random);
            boolean taken = parsedOrNull(sent) != null;
            assertThat(taken).as(sent).isEqualTo(isUnchanged(new BigDecimal(sent)));
        }
    }

    @Test
    void the_smallest_numbers_have_the_fewest_digits() {
        for (long bits = 1; bits <= 2_000; bits++) {
            double value = Double.longBitsToDouble(bits);
            String written = new String(Json.canonical(new JsonNumber(value)), UTF_8);
            BigDecimal decimal = new BigDecimal(written);

            assertThat(decimal.doubleValue()).isEqualTo(value);
            if (decimal.precision() > 1) {
                MathContext shorter = new MathContext(decimal.precision() - 1, RoundingMode.HALF_EVEN);
                assertThat(new BigDecimal(value).round(shorter).doubleValue())
                        .as(written)
                        .isNotEqualTo(value);
            }
        }
    }

    @Test
    void numbers_that_json_cannot_write_are_a_mistake_of_ours() {
        for (double value : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Json.canonical(new JsonNumber(value)));
            assertThatIllegalArgumentException().isThrownBy(() -> Json.write(new JsonNumber(value)));
        }
    }

    private static boolean isUnchanged(BigDecimal sent) {
        if (sent.signum() == 0) {
            return true;
        }
        double nearest = sent.doubleValue();
        if (nearest == 0 || Double.isInfinite(nearest)) {
            return false;
        }
        int digits = sent.stripTrailingZeros().precision();
        BigDecimal exact = new BigDecimal(nearest);
        boolean isFraction = sent.stripTrailingZeros().scale() > 0;
        return exact.compareTo(sent) == 0
                || (digits <= 17 && rounded(exact, digits).compareTo(sent) == 0)
                || (isFraction && digits == 17 && rounded(exact, 16).compareTo(rounded(sent, 16)) == 0)
                || new BigDecimal(Double.toString(nearest)).compareTo(sent) == 0;
    }

    private static BigDecimal rounded(BigDecimal decimal, int digits) {
        return decimal.round(new MathContext(digits, RoundingMode.HALF_EVEN));
    }

    private static String randomNumber(Random random) {
        StringBuilder text = new StringBuilder(random.nextBoolean() ? "-" : "");
        text.append(1 + random.nextInt(9));
        int digits = random.nextInt(20);
        for (int i = 0; i < digits; i++) {
            text.append(random.nextInt(10));
        }
        if (random.nextBoolean()) {
            text.append('.').append(random.nextInt(1 << (1 + random.nextInt(30))));
        }
        return switch (random.nextInt(4)) {
            case 0 -> text.append("e").append(random.nextInt(20) - 10).toString();
            case 1 -> text.append("E").append(random.nextInt(700) - 350).toString();
            case 2 ->
                new BigDecimal(Double.longBitsToDouble(random.nextLong() & 0x7FEF_FFFF_FFFF_FFFFL))
                        .round(new MathContext(14 + random.nextInt(8)))
                        .toString();
            default -> text.toString();
        };
    }

    private static @Nullable JsonValue parsedOrNull(String text) {
        try {
            return parse(text);
        } catch (JsonRefused e) {
            assertThat(e.reason()).isEqualTo(Reason.NOT_CANONICAL);
            return null;
        }
    }

    private static JsonValue parse(String text) {
        return Json.parse(text.getBytes(UTF_8));
    }

    private static JsonRefused refusal(String text) {
        return catchThrowableOfType(JsonRefused.class, () -> parse(text));
    }
}
