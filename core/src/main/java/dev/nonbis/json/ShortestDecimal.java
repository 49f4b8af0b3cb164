package dev.nonbis.json;

/**
 * The decimal with the fewest digits that only this double is nearest to: {@code digits} × 10^{@code exponent}, without zeros
 * at the end of the digits.
 */
record ShortestDecimal(long digits, int exponent) {

    /** Above it, doubles lie so close together that a form of two digits never hides one of a single digit. */
    private static final double FEW_BITS = 1e-321;

    /** Of a number above zero that is not infinite. */
    static ShortestDecimal of(double value) {
        ShortestDecimal decimal = read(Double.toString(value));
        return value < FEW_BITS ? decimal.shortenedTo(value) : decimal;
    }

    private static ShortestDecimal read(String text) {
        long digits = 0;
        int exponent = 0;
        int afterPoint = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 'E') {
                exponent += Integer.parseInt(text, i + 1, text.length(), 10);
                break;
            } else if (c == '.') {
                afterPoint = 1;
            } else {
                digits = digits * 10 + (c - '0');
                exponent -= afterPoint;
            }
        }
        while (digits % 10 == 0) {
            digits /= 10;
            exponent++;
        }
        return new ShortestDecimal(digits, exponent);
    }

    /** Java prints at least two digits (4.9E-324) where ECMAScript is content with one (5e-324). */
    private ShortestDecimal shortenedTo(double value) {
        if (digits < 10 || digits > 99) {
            return this;
        }
        long nearest = (digits + 5) / 10;
        return Double.parseDouble(nearest + "E" + (exponent + 1)) == value
                ? new ShortestDecimal(nearest, exponent + 1).withoutZero()
                : this;
    }

    private ShortestDecimal withoutZero() {
        return digits == 10 ? new ShortestDecimal(1, exponent + 1) : this;
    }
}
