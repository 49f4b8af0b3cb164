package dev.nonbis.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/** Finds the double that holds a number without change, in time linear in the text however large the number is. */
final class NumberReader {

    /** No double has more significant digits, so a longer number cannot be one. */
    private static final int MOST_DIGITS = 767;

    /** Any decimal of so many digits survives the way into a double and back, unless it is too small or too large. */
    private static final int SAFE_DIGITS = 15;

    /**
     * So many digits tell any two doubles apart, yet no double is so fine that the last of them would carry meaning: RFC 8785
     * itself has 333333333.33333329 stand for 333333333.3333333. In a fraction that digit may change; in a whole number, which
     * may well be somebody's id, it may not. With more digits, the number must be the double's exact value.
     */
    private static final int NOISY_DIGITS = 17;

    private static final int MOST_DIGITS_IN_LONG = 18;
    private static final long MOST_EXACT_LONG = 1L << 53;
    private static final int LARGEST_EXPONENT = 308;
    private static final int SMALLEST_EXPONENT = -324;

    /** Where an exponent stops being counted: beyond any text's length, so zeros cannot make up for it. */
    private static final long EXPONENT_CEILING = 1L << 40;

    private static final double[] EXACT_POWERS_OF_TEN = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    private final char[] text;

    /** From the first digit that is not zero to the last one. */
    private final int first;

    private final int last;
    private final int digits;

    /** The power of ten of the last digit. */
    private final int exponent;

    private NumberReader(char[] text, int first, int last, int digits, int exponent) {
        this.text = text;
        this.first = first;
        this.last = last;
        this.digits = digits;
        this.exponent = exponent;
    }

    /** The value of a number that is well-formed JSON, or NaN when a double would change it. */
    static double read(char[] text, int offset, int length) {
        int end = offset + length;
        boolean negative = text[offset] == '-';
        int first = -1;
        int last = -1;
        int point = -1;
        int i = negative ? offset + 1 : offset;
        for (; i < end && text[i] != 'e' && text[i] != 'E'; i++) {
            if (text[i] == '.') {
                point = i;
            } else if (text[i] != '0') {
                first = first < 0 ? i : first;
                last = i;
            }
        }
        if (first < 0) {
            return 0;
        }
        if (point < 0) {
            point = i;
        }
        int digits = last - first + (first < point && point < last ? 0 : 1);
        long exponent = exponent(text, i + 1, end) + (last < point ? point - last - 1 : point - last);
        long leading = exponent + digits - 1;
        if (digits > MOST_DIGITS || leading > LARGEST_EXPONENT || leading < SMALLEST_EXPONENT) {
            return Double.NaN;
        }
        double magnitude = new NumberReader(text, first, last, digits, (int) exponent).magnitude();
        return negative ? -magnitude : magnitude;
    }

    private static long exponent(char[] text, int from, int end) {
        if (from >= end) {
            return 0;
        }
        boolean negative = text[from] == '-';
        long exponent = 0;
        for (int i = negative || text[from] == '+' ? from + 1 : from; i < end; i++) {
            exponent = Math.min(exponent * 10 + (text[i] - '0'), EXPONENT_CEILING);
        }
        return negative ? -exponent : exponent;
    }

    private double magnitude() {
        if (digits > MOST_DIGITS_IN_LONG) {
            return nearestIfUnchanged(0);
        }
        long significand = significand();
        if (significand <= MOST_EXACT_LONG) {
            if (exponent == 0) {
                return significand;
            }
            // Both operands are exact, so the one rounding gives the nearest double.
            if (digits <= SAFE_DIGITS && Math.abs(exponent) < EXACT_POWERS_OF_TEN.length) {
                return exponent > 0
                        ? significand * EXACT_POWERS_OF_TEN[exponent]
                        : significand / EXACT_POWERS_OF_TEN[-exponent];
            }
        }
        return nearestIfUnchanged(significand);
    }

    private long significand() {
        long significand = 0;
        for (int i = first; i <= last; i++) {
            if (text[i] != '.') {
                significand = significand * 10 + (text[i] - '0');
            }
        }
        return significand;
    }

    private double nearestIfUnchanged(long significand) {
        String sent = sentDigits();
        double nearest = Double.parseDouble(sent + "E" + exponent);
        if (nearest == 0 || Double.isInfinite(nearest)) {
            return Double.NaN;
        }
        boolean unchanged = (digits <= SAFE_DIGITS && nearest >= Double.MIN_NORMAL)
                || ShortestDecimal.of(nearest).equals(new ShortestDecimal(significand, exponent))
                || isClosest(new BigDecimal(new BigInteger(sent), -exponent), new BigDecimal(nearest));
        return unchanged ? nearest : Double.NaN;
    }

    private boolean isClosest(BigDecimal sent, BigDecimal nearest) {
        if (digits > NOISY_DIGITS) {
            return sent.compareTo(nearest) == 0;
        }
        return agree(sent, nearest, digits)
                || (digits == NOISY_DIGITS && exponent < 0 && agree(sent, nearest, NOISY_DIGITS - 1));
    }

    private static boolean agree(BigDecimal sent, BigDecimal nearest, int digits) {
        MathContext rounding = new MathContext(digits, RoundingMode.HALF_EVEN);
        return nearest.round(rounding).compareTo(sent.round(rounding)) == 0;
    }

    private String sentDigits() {
        StringBuilder sent = new StringBuilder(digits);
        for (int i = first; i <= last; i++) {
            if (text[i] != '.') {
                sent.append(text[i]);
            }
        }
        return sent.toString();
    }
}
