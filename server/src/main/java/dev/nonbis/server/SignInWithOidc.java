package dev.nonbis.server;

import dev.nonbis.server.config.Config;
import dev.nonbis.server.oidc.Issuer;
import dev.nonbis.server.oidc.People;
import dev.nonbis.server.signing.Seal;
import dev.nonbis.server.ui.Console.OidcSignIn;
import java.time.InstantSource;
import java.util.Optional;

/** What the configuration says about people who sign in with an issuer. */
final class SignInWithOidc {

    private SignInWithOidc() {}

    static Optional<OidcSignIn> of(Config config, Seal seal, InstantSource clock) {
        return config.auth().oidc().map(oidc -> {
            var claims = oidc.claims();
            var issuer = new Issuer(
                    new Issuer.Settings(
                            oidc.issuer(), oidc.clientId(), oidc.clientSecret(), oidc.redirectUrl(), oidc.scopes()),
                    clock);
            var mapping = new People.Mapping(
                    claims.subject(), claims.tenant(), claims.tenantClaim(), claims.rolesClaim(), claims.roles());
            return new OidcSignIn(issuer, new People(mapping, oidc.sessionLifetime(), seal, clock));
        });
    }
}
