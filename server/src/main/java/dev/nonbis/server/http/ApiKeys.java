package dev.nonbis.server.http;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.json.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * API keys, known by the SHA-256 of their token alone. A look-up by digest tells an attacker who measures time nothing about a
 * token, because nobody can choose a digest.
 */
public final class ApiKeys implements Tokens {

    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    /** One key: the lowercase hex SHA-256 of the token, and whose it is. */
    public record Key(String sha256, Actor holder) {
        public Key {
            if (!DIGEST.matcher(sha256).matches()) {
                throw new IllegalArgumentException("not a lowercase hex SHA-256");
            }
        }
    }

    private final Map<String, Actor> holders;

    public ApiKeys(List<Key> keys) {
        var byDigest = new HashMap<String, Actor>();
        for (var key : keys) {
            if (byDigest.put(key.sha256(), key.holder()) != null) {
                throw new IllegalArgumentException("the key of " + key.holder().subject() + " is listed twice");
            }
        }
        this.holders = Map.copyOf(byDigest);
    }

    @Override
    public Optional<Actor> holder(String token) {
        return Optional.ofNullable(holders.get(Sha256.hex(token.getBytes(StandardCharsets.UTF_8))));
    }
}
