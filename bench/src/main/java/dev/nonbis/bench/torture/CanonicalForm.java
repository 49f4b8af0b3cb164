package dev.nonbis.bench.torture;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A second, independent writer of the RFC 8785 form, against which the server's audit chain is judged. */
public final class CanonicalForm {

    private final StringBuilder out = new StringBuilder();

    private CanonicalForm() {}

    static String of(JsonNode value) {
        var form = new CanonicalForm();
        form.value(value);
        return form.out.toString();
    }

    public static String sha256(JsonNode value) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(of(value).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform must offer SHA-256", e);
        }
    }

    private void value(JsonNode value) {
        if (value.isObject()) {
            object(value);
        } else if (value.isArray()) {
            array(value);
        } else if (value.isString()) {
            string(value.stringValue());
        } else if (value.isNumber()) {
            out.append(number(value.doubleValue()));
        } else {
            out.append(value.asString("null"));
        }
    }

    private void object(JsonNode object) {
        // String order is the order of UTF-16 code units, as the RFC wants it.
        List<String> names = object.propertyNames().stream().sorted().toList();
        out.append('{');
        for (int i = 0; i < names.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            string(names.get(i));
            out.append(':');
            value(object.path(names.get(i)));
        }
        out.append('}');
    }

    private void array(JsonNode array) {
        out.append('[');
        for (int i = 0; i < array.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            value(array.path(i));
        }
        out.append(']');
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /** As ECMAScript prints a double: plain digits from 1e-6 up to 1e21, an exponent outside. */
    static String number(double value) {
        if (value == 0) {
            return "0";
        }
        var digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        double size = Math.abs(value);
        if (size >= 1e-6 && size < 1e21) {
            return digits.toPlainString();
        }
        var unscaled = digits.unscaledValue().abs().toString();
        int exponent = unscaled.length() - 1 - digits.scale();
        var mantissa = unscaled.length() == 1 ? unscaled : unscaled.charAt(0) + "." + unscaled.substring(1);
        return (value < 0 ? "-" : "") + mantissa + "e" + (exponent < 0 ? "-" : "+") + Math.abs(exponent);
    }
}
