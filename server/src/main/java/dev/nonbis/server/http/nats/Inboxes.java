package dev.nonbis.server.http.nats;

import dev.nonbis.core.identity.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where answers may go. A client names the reply subject itself, and the server may publish where the client may not, so an answer goes to
 * an inbox and nowhere else.
 */
public final class Inboxes {

    private static final String TENANT = "{tenant}";
    private static final String WORD = "[^.*>\\s]+";

    private final List<Pattern> prefixes;
    private final Optional<String> own;

    /**
     * With these prefixes, each perhaps with {@code {tenant}} in it.
     *
     * @param own the prefix of the server's own inboxes, to which no answer goes unless it is among the others
     */
    public Inboxes(List<String> prefixes, String own) {
        this.prefixes = prefixes.stream().map(Inboxes::pattern).toList();
        this.own = prefixes.contains(own) ? Optional.empty() : Optional.of(own + ".");
    }

    private static Pattern pattern(String prefix) {
        int at = prefix.indexOf(TENANT);
        var start = at < 0
                ? Pattern.quote(prefix)
                : Pattern.quote(prefix.substring(0, at)) + "(?<tenant>" + WORD + ")"
                        + Pattern.quote(prefix.substring(at + TENANT.length()));
        return Pattern.compile(start + "(\\." + WORD + ")+");
    }

    /** Whether a caller of this tenant, or of none, may be answered there. */
    boolean allow(String subject, Optional<TenantId> caller) {
        if (own.filter(subject::startsWith).isPresent()) {
            return false;
        }
        for (var prefix : prefixes) {
            var match = prefix.matcher(subject);
            if (match.matches()) {
                var owner = match.namedGroups().containsKey("tenant")
                        ? Optional.of(match.group("tenant"))
                        : Optional.<String>empty();
                return owner.isEmpty() || owner.equals(caller.map(TenantId::value));
            }
        }
        return false;
    }
}
