package dev.nonbis.server.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code postgres://user:password@host:port,host:port/database?option=value}. No refusal repeats what was written: it may hold a password. */
final class PostgresUrl {

    static final String FORM = "postgres://user:password@host:5432/database";

    private static final Pattern URL =
            Pattern.compile("^postgres(?:ql)?://(?:([^:@/?]*)(?::([^@/?]*))?@)?([^/?@]+)/([^/?]+)(?:\\?(.*))?$");
    private static final Pattern HOST = Pattern.compile("^(?:[A-Za-z0-9._-]+|\\[[0-9a-fA-F:]+])(?::([0-9]{1,5}))?$");
    private static final Set<String> OPTIONS =
            Set.of("sslmode", "sslrootcert", "sslcert", "sslkey", "channelBinding", "currentSchema");

    private static final int USUAL_PORT = 5432;

    private PostgresUrl() {}

    static StoreUrl.Postgres read(String url) throws BadValue {
        var match = URL.matcher(url);
        if (!match.matches()) {
            throw new BadValue("not a database: give " + FORM);
        }
        var hosts = match.group(3);
        for (var host : hosts.split(",", -1)) {
            var place = HOST.matcher(host);
            if (!place.matches() || !isPort(place.group(1))) {
                throw new BadValue("not a host and port: give " + FORM);
            }
        }
        var user = match.group(1);
        if (user == null || user.isEmpty()) {
            throw new BadValue("no user: give " + FORM);
        }
        return new StoreUrl.Postgres(
                hosts,
                decoded(match.group(4)),
                decoded(user),
                decoded(orEmpty(match.group(2))),
                options(orEmpty(match.group(5))));
    }

    private static Map<String, String> options(String query) throws BadValue {
        var options = new LinkedHashMap<String, String>();
        if (query.isEmpty()) {
            return options;
        }
        for (var pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            var name = equals < 0 ? pair : pair.substring(0, equals);
            if (equals < 0 || !OPTIONS.contains(name)) {
                throw new BadValue(
                        "unknown option in the query: known are " + String.join(", ", new TreeSet<>(OPTIONS)));
            }
            options.put(name, decoded(pair.substring(equals + 1)));
        }
        return options;
    }

    private static boolean isPort(@Nullable String number) {
        int port = number == null ? USUAL_PORT : Integer.parseInt(number);
        return port >= 1 && port <= 65_535;
    }

    private static String orEmpty(@Nullable String group) {
        return group == null ? "" : group;
    }

    private static String decoded(String text) throws BadValue {
        try {
            // Only percent signs mean something here; the decoder is for forms and would take a plus for a space.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new BadValue("a percent sign that is not followed by two hex digits: write it as %25");
        }
    }
}
