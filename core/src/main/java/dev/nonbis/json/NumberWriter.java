package dev.nonbis.json;

/** Writes doubles as ECMAScript's {@code Number::toString} does. */
final class NumberWriter {

    /** A sign, "0.", five zeros and 17 digits. */
    static final int MOST_BYTES = 25;

    private static final double MOST_EXACT_LONG = 1L << 53;
    private static final int MOST_PLAIN_DIGITS = 21;
    private static final int MOST_ZEROS_AFTER_POINT = 5;

    private NumberWriter() {}

    /** Writes from a place on, where {@link #MOST_BYTES} must be free, and returns the place after the number. */
    static int write(double value, byte[] into, int at) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("a number that JSON cannot write");
        }
        int from = at;
        if (value < 0) {
            into[from++] = '-';
        }
        double magnitude = Math.abs(value);
        return magnitude <= MOST_EXACT_LONG && magnitude == (long) magnitude
                ? digits((long) magnitude, into, from)
                : decimal(ShortestDecimal.of(magnitude), into, from);
    }

    private static int decimal(ShortestDecimal decimal, byte[] into, int at) {
        int end = digits(decimal.digits(), into, at);
        int digits = end - at;
        int beforePoint = digits + decimal.exponent();
        if (beforePoint > MOST_PLAIN_DIGITS || beforePoint < -MOST_ZEROS_AFTER_POINT) {
            return exponential(beforePoint - 1, into, at, end);
        }
        if (beforePoint >= digits) {
            return zeros(beforePoint - digits, into, end);
        }
        if (beforePoint > 0) {
            return point(beforePoint, into, at, end);
        }
        int shift = 2 - beforePoint;
        System.arraycopy(into, at, into, at + shift, digits);
        zeros(shift, into, at);
        into[at + 1] = '.';
        return end + shift;
    }

    private static int exponential(int exponent, byte[] into, int at, int end) {
        int next = end - at > 1 ? point(1, into, at, end) : end;
        into[next++] = 'e';
        into[next++] = (byte) (exponent < 0 ? '-' : '+');
        return digits(Math.abs(exponent), into, next);
    }

    /** Puts a point after the first digits of those between {@code at} and {@code end}. */
    private static int point(int after, byte[] into, int at, int end) {
        System.arraycopy(into, at + after, into, at + after + 1, end - at - after);
        into[at + after] = '.';
        return end + 1;
    }

    private static int zeros(int count, byte[] into, int at) {
        for (int i = 0; i < count; i++) {
            into[at + i] = '0';
        }
        return at + count;
    }

    private static int digits(long number, byte[] into, int at) {
        int end = at + 1;
        for (long rest = number / 10; rest != 0; rest /= 10) {
            end++;
        }
        long rest = number;
        for (int i = end - 1; i >= at; i--) {
            into[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return end;
    }
}
