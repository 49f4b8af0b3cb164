package dev.nonbis.server.config;

import dev.nonbis.core.identity.Subject;
import dev.nonbis.server.config.Config.Durability;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The readers of single values. Each refusal says what was written, unless it may be secret, and what would be taken. */
final class Values {

    static final Set<String> ROLES = ordered("submitter", "approver", "worker", "operator", "auditor", "admin");
    static final Set<String> OPERATIONS = ordered("jobs", "runs", "payments");

    private static final Pattern NAME = Pattern.compile("^[a-z0-9][a-z0-9_-]{0,62}$");
    private static final Pattern SHA256 = Pattern.compile("^[0-9a-f]{64}$");
    private static final Pattern HOST = Pattern.compile("^[A-Za-z0-9._:-]{1,253}$");
    // Not what streams take in, nor what the broker or this server listens to.
    private static final Pattern INBOX =
            Pattern.compile("^(?!(job|sys|nonbis)(\\.|$))[A-Za-z0-9_-]{1,64}(\\.[A-Za-z0-9_-]{1,64}){0,7}$");
    private static final Pattern BROKER =
            Pattern.compile("^(nats|tls)://([^@/,\\s]+@)?([A-Za-z0-9._-]{1,253}|\\[[0-9a-fA-F:]+\\])(:[0-9]{1,5})?$");
    private static final Pattern WEB_URL = Pattern.compile(
            "^(https?)://([A-Za-z0-9._-]{1,253}|\\[[0-9a-fA-F:]+\\])(:[0-9]{1,5})?(/[A-Za-z0-9._~/%-]*)?$");
    private static final Pattern ADDRESS_RANGE = Pattern.compile("^([0-9a-fA-F.:]{2,45})(?:/([0-9]{1,3}))?$");
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");
    private static final Pattern DURATION = Pattern.compile("^([0-9]{1,9})(ms|s|m|h|d)$");

    private Values() {}

    static String host(Scalar scalar) throws BadValue {
        return matching(HOST, scalar.text(), quoted(scalar) + " is not a host: give a name or an address");
    }

    static Integer port(Scalar scalar) throws BadValue {
        return whole(scalar, 0, 65_535, "a port");
    }

    static Reader<Integer> between(int least, int most) {
        return scalar -> whole(scalar, least, most, "a number in range");
    }

    static Boolean bool(Scalar scalar) throws BadValue {
        return switch (scalar.text()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new BadValue(quoted(scalar) + " is not true or false");
        };
    }

    static Duration duration(Scalar scalar) throws BadValue {
        var match = DURATION.matcher(scalar.text());
        if (!match.matches()) {
            throw new BadValue(
                    quoted(scalar) + " is not a duration: give a whole number and ms, s, m, h or d, as in 30s or 90d");
        }
        var amount = Long.parseLong(match.group(1));
        if (amount == 0) {
            throw new BadValue(quoted(scalar) + " is not a duration: it must be longer than zero");
        }
        return switch (match.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    static Optional<Duration> durationOrNone(Scalar scalar) throws BadValue {
        if (scalar.text().equals("none")) {
            return Optional.empty();
        }
        if (!DURATION.matcher(scalar.text()).matches()) {
            throw new BadValue(quoted(scalar)
                    + " is not a duration: give a whole number and ms, s, m, h or d, as in 30s or 90d, or none");
        }
        return Optional.of(duration(scalar));
    }

    static Durability durability(Scalar scalar) throws BadValue {
        return switch (scalar.text()) {
            case "strict" -> Durability.STRICT;
            case "relaxed" -> Durability.RELAXED;
            default -> throw new BadValue(quoted(scalar) + " is not strict or relaxed");
        };
    }

    static Config.Logs.Format logFormat(Scalar scalar) throws BadValue {
        return switch (scalar.text()) {
            case "text" -> Config.Logs.Format.TEXT;
            case "json" -> Config.Logs.Format.JSON;
            default -> throw new BadValue(quoted(scalar) + " is not text or json");
        };
    }

    static Config.Logs.Requests loggedRequests(Scalar scalar) throws BadValue {
        return switch (scalar.text()) {
            case "none" -> Config.Logs.Requests.NONE;
            case "failed" -> Config.Logs.Requests.FAILED;
            case "all" -> Config.Logs.Requests.ALL;
            default -> throw new BadValue(quoted(scalar) + " is not none, failed or all");
        };
    }

    /** An address, or a range of them as CIDR writes it. Names are not looked up. */
    static AddressRange addressRange(Scalar scalar) throws BadValue {
        var match = ADDRESS_RANGE.matcher(scalar.text());
        if (match.matches()) {
            try {
                var network = InetAddress.ofLiteral(match.group(1));
                int most = network.getAddress().length * Byte.SIZE;
                int bits = match.group(2) == null ? most : Integer.parseInt(match.group(2));
                if (bits <= most) {
                    return new AddressRange(network, bits);
                }
            } catch (IllegalArgumentException notAnAddress) {
                // Refused below, like what does not look like one.
            }
        }
        throw new BadValue(quoted(scalar) + " is not an address: give one as in 10.1.2.3, or a range as in 10.0.0.0/8");
    }

    /** An address that a browser or a client can be sent to; in clear only where nobody can listen. */
    static URI webUrl(Scalar scalar) throws BadValue {
        var match = WEB_URL.matcher(scalar.text());
        if (!match.matches()) {
            throw new BadValue(quoted(scalar) + " is not a URL: give https://HOST/PATH");
        }
        if (match.group(1).equals("http") && !LOOPBACK.contains(match.group(2))) {
            throw new BadValue(quoted(scalar) + " is not encrypted: give https://, or http:// with a loopback address");
        }
        return URI.create(scalar.text());
    }

    static Path readableFile(Scalar scalar) throws BadValue {
        var file = scalar.path(scalar.text());
        if (scalar.text().isEmpty() || !Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new BadValue("cannot read the file " + file);
        }
        return file;
    }

    static Path readableFileOrDirectory(Scalar scalar) throws BadValue {
        var path = scalar.path(scalar.text());
        return !scalar.text().isEmpty() && Files.isDirectory(path) && Files.isReadable(path)
                ? path
                : readableFile(scalar);
    }

    /** A file that may have to be made. */
    static Path path(Scalar scalar) throws BadValue {
        return scalar.path(text(scalar));
    }

    static StoreUrl storeUrl(Scalar scalar) throws BadValue {
        var url = secret(scalar);
        return switch (scheme(url)) {
            case "sqlite" -> sqlite(scalar, url.substring("sqlite:".length()));
            case "postgres", "postgresql" -> PostgresUrl.read(url);
            case "redis", "rediss" -> RedisUrl.read(url);
            default ->
                throw new BadValue("not a store: give sqlite:PATH, " + PostgresUrl.FORM + " or " + RedisUrl.FORM);
        };
    }

    static BusUrl busUrl(Scalar scalar) throws BadValue {
        var url = secret(scalar);
        if (url.equals("embedded:")) {
            return new BusUrl.Embedded();
        }
        var servers = servers(url);
        if (servers.isPresent()) {
            return new BusUrl.Nats(servers.get(), BusUrl.NatsOptions.DEFAULTS);
        }
        throw new BadValue(
                "not a bus: give embedded: or nats://HOST:4222, tls:// for TLS, several with commas between");
    }

    static List<String> brokers(Scalar scalar) throws BadValue {
        return servers(secret(scalar))
                .orElseThrow(() -> new BadValue(
                        "not a broker: give nats://HOST:4222, tls:// for TLS, several with commas between"));
    }

    private static Optional<List<String>> servers(String url) {
        var servers = List.of(url.split(",", -1));
        return servers.stream().allMatch(server -> BROKER.matcher(server).matches())
                ? Optional.of(servers)
                : Optional.empty();
    }

    static String inbox(Scalar scalar) throws BadValue {
        return matching(INBOX, scalar.text(), quoted(scalar) + " is not the beginning of an inbox, such as _INBOX");
    }

    /** One that may hold {@code {tenant}} once. */
    static String inboxOfCallers(Scalar scalar) throws BadValue {
        matching(
                INBOX,
                scalar.text().replaceFirst("\\{tenant}", "tenant"),
                quoted(scalar) + " is not the beginning of an inbox, such as _INBOX or _INBOX_{tenant}");
        return scalar.text();
    }

    static BusUrl.Dedup dedup(Scalar scalar) throws BadValue {
        return switch (scalar.text()) {
            case "window" -> BusUrl.Dedup.WINDOW;
            case "stream" -> BusUrl.Dedup.STREAM;
            default -> throw new BadValue(quoted(scalar) + " is not window or stream");
        };
    }

    static String tenant(Scalar scalar) throws BadValue {
        return matching(NAME, scalar.text(), quoted(scalar) + " is not a tenant: it must match " + NAME.pattern());
    }

    static String subject(Scalar scalar) throws BadValue {
        if (!Subject.isValid(scalar.text())) {
            throw new BadValue(quoted(scalar) + " is not a subject: give " + Subject.GRAMMAR);
        }
        return scalar.text();
    }

    static String role(Scalar scalar) throws BadValue {
        return oneOf(scalar, ROLES, "a role");
    }

    static String operation(Scalar scalar) throws BadValue {
        return oneOf(scalar, OPERATIONS, "an operation");
    }

    static String sha256(Scalar scalar) throws BadValue {
        return matching(
                SHA256,
                secret(scalar).toLowerCase(Locale.ROOT),
                "not a SHA-256: give 64 hex digits, the output of: printf %s TOKEN | sha256sum");
    }

    static String text(Scalar scalar) throws BadValue {
        if (scalar.text().isBlank()) {
            throw new BadValue("must not be empty");
        }
        return scalar.text();
    }

    /** The text itself, or the content of the file that a {@code file:} reference names, without its last line end. */
    static String secret(Scalar scalar) throws BadValue {
        if (!scalar.text().startsWith("file:")) {
            return scalar.text();
        }
        var file = scalar.path(scalar.text().substring("file:".length()));
        try {
            return Files.readString(file).stripTrailing();
        } catch (IOException e) {
            throw new BadValue("cannot read the file " + file);
        }
    }

    private static StoreUrl sqlite(Scalar scalar, String path) throws BadValue {
        if (path.isEmpty() || path.startsWith("//") || path.contains("?")) {
            throw new BadValue("not a path: give sqlite:PATH, as in sqlite:./nonbis-data/nonbis.db");
        }
        return new StoreUrl.Sqlite(scalar.path(path));
    }

    private static String scheme(String url) {
        var colon = url.indexOf(':');
        return colon < 0 ? "" : url.substring(0, colon);
    }

    private static int whole(Scalar scalar, int least, int most, String what) throws BadValue {
        try {
            var number = Integer.parseInt(scalar.text());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Answered like a number out of range: the same sentence helps in both cases.
        }
        throw new BadValue(quoted(scalar) + " is not " + what + ": give a whole number from " + least + " to " + most);
    }

    private static String oneOf(Scalar scalar, Set<String> words, String what) throws BadValue {
        if (words.contains(scalar.text())) {
            return scalar.text();
        }
        throw new BadValue(quoted(scalar) + " is not " + what + ": give one of " + String.join(", ", words));
    }

    private static String matching(Pattern pattern, String text, String refusal) throws BadValue {
        if (pattern.matcher(text).matches()) {
            return text;
        }
        throw new BadValue(refusal);
    }

    private static String quoted(Scalar scalar) {
        return "\"" + scalar.text() + "\"";
    }

    private static Set<String> ordered(String... words) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(List.copyOf(Arrays.asList(words))));
    }
}
