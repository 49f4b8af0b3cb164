package dev.nonbis.server.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonRefused;
import dev.nonbis.server.oidc.Issuer.Redeemed;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Date;
import java.util.Set;

/** Checks id tokens: signed by the issuer with a public key, for us, in time, and for the sign-in that asked. */
record IdTokens(String issuer, String clientId, InstantSource clock) {

    private static final Duration SKEW = Duration.ofSeconds(60);
    // A secret shared with us proves nothing about who signed, and "none" proves nothing at all.
    private static final Set<JWSAlgorithm> ALGORITHMS =
            Set.of(JWSAlgorithm.RS256, JWSAlgorithm.PS256, JWSAlgorithm.ES256, JWSAlgorithm.RS512, JWSAlgorithm.ES384);

    Redeemed claims(String token, String jwks, String nonce) {
        var processor = new DefaultJWTProcessor<SecurityContext>();
        processor.setJWTClaimsSetVerifier(verifier(nonce));
        try {
            processor.setJWSKeySelector(
                    new JWSVerificationKeySelector<>(ALGORITHMS, new ImmutableJWKSet<>(JWKSet.parse(jwks))));
            var claims = processor.process(token, null);
            boolean forAnother = claims.getStringClaim("azp") != null && !clientId.equals(claims.getStringClaim("azp"));
            return forAnother
                    ? new Redeemed.Refused("the id token was issued to another client")
                    : new Redeemed.Vouched(
                            (JsonObject) Json.parse(claims.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (ParseException | JsonRefused e) {
            return new Redeemed.Refused("the id token or the issuer's keys cannot be read");
        } catch (BadJOSEException | JOSEException e) {
            return new Redeemed.Refused("the id token is not good: " + e.getMessage());
        }
    }

    private DefaultJWTClaimsVerifier<SecurityContext> verifier(String nonce) {
        var exact =
                new JWTClaimsSet.Builder().issuer(issuer).claim("nonce", nonce).build();
        var verifier = new DefaultJWTClaimsVerifier<SecurityContext>(clientId, exact, Set.of("sub", "exp", "iat")) {
            @Override
            protected Date currentTime() {
                return Date.from(clock.instant());
            }
        };
        verifier.setMaxClockSkew((int) SKEW.toSeconds());
        return verifier;
    }
}
