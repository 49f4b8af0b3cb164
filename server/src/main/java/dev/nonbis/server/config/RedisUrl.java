package dev.nonbis.server.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code redis://user:password@host:port/database}, or for TLS {@code rediss:} and perhaps {@code ?sslrootcert=FILE}. No refusal repeats what was
 * written: it may hold a password.
 */
final class RedisUrl {

    static final String FORM = "redis://host:6379/0";

    private static final Pattern URL = Pattern.compile(
            "^redis(s)?://(?:([^:@/?]*):([^@/?]*)@)?([A-Za-z0-9._-]+|\\[[0-9a-fA-F:]+])(?::([0-9]{1,5}))?(?:/([0-9]{0,4}))?(?:\\?sslrootcert=([^&]+))?$");
    private static final int DEFAULT_PORT = 6379;
    private static final int LAST_PORT = 65_535;

    private RedisUrl() {}

    static StoreUrl.Redis read(String url) throws BadValue {
        var match = URL.matcher(url);
        if (!match.matches()) {
            throw new BadValue("not a Redis server: give " + FORM + ", or redis://user:password@host:6379/0");
        }
        if (match.group(7) != null && match.group(1) == null) {
            throw new BadValue("sslrootcert without TLS: begin with rediss://");
        }
        int port = number(match.group(5), DEFAULT_PORT);
        if (port < 1 || port > LAST_PORT) {
            throw new BadValue("not a port: give a whole number from 1 to " + LAST_PORT);
        }
        return new StoreUrl.Redis(
                match.group(4).replaceAll("[\\[\\]]", ""),
                port,
                number(match.group(6), 0),
                decoded(match.group(2)),
                decoded(match.group(3)),
                match.group(1) != null,
                decoded(match.group(7)));
    }

    private static int number(@Nullable String digits, int absent) {
        return digits == null || digits.isEmpty() ? absent : Integer.parseInt(digits);
    }

    private static String decoded(@Nullable String text) throws BadValue {
        try {
            // Only percent signs mean something here; the decoder is for forms and would take a plus for a space.
            return text == null ? "" : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new BadValue("a percent sign that is not followed by two hex digits: write it as %25");
        }
    }
}
