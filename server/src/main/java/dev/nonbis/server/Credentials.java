package dev.nonbis.server;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.server.cli.StartRefused;
import dev.nonbis.server.config.Config;
import dev.nonbis.server.http.ApiKeys;
import dev.nonbis.server.http.Authenticator;
import dev.nonbis.server.http.JwtKeys;
import dev.nonbis.server.http.TokenAuthenticator;
import dev.nonbis.server.http.Tokens;
import java.io.IOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Who may call: the API keys and JWT keys that the configuration names. */
final class Credentials {

    private Credentials() {}

    static Authenticator authenticator(Config config, InstantSource clock, Tokens... more) {
        var kinds = new ArrayList<>(List.of(more));
        kinds.add(new ApiKeys(config.auth().keys().stream()
                .map(key -> new ApiKeys.Key(
                        key.sha256(), new Actor(new TenantId(key.tenant()), key.subject(), roles(key.roles()))))
                .toList()));
        config.auth().jwt().ifPresent(jwt -> kinds.add(jwtKeys(jwt, clock)));
        return new TokenAuthenticator(kinds);
    }

    private static JwtKeys jwtKeys(Config.Jwt jwt, InstantSource clock) {
        try {
            var expected = new JwtKeys.Expected(Optional.of(jwt.issuer()), Optional.of(jwt.audience()));
            return new JwtKeys(Files.readString(jwt.jwksFile()), expected, clock);
        } catch (IOException e) {
            throw new StartRefused("cannot read " + jwt.jwksFile() + ": " + e.getMessage(), "see auth.jwt.jwks_file");
        }
    }

    private static Set<Role> roles(Set<String> words) {
        return words.stream().flatMap(word -> Role.of(word).stream()).collect(Collectors.toUnmodifiableSet());
    }
}
