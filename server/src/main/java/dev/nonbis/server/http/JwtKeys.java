package dev.nonbis.server.http;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimNames;
import com.nimbusds.jwt.SignedJWT;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.Subject;
import dev.nonbis.core.identity.TenantId;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * JSON Web Tokens signed with EdDSA, ES256 or RS256 by a key of a JWKS. The key decides the algorithm, never the token; a token
 * must name its key and must expire.
 */
public final class JwtKeys implements Tokens {

    /** How far the issuer's clock may be from ours. */
    static final Duration SKEW = Duration.ofSeconds(60);

    private static final Logger LOG = System.getLogger(JwtKeys.class.getName());
    private static final int MIN_RSA_BITS = 2048;

    /** What a token must say besides, where configured. */
    public record Expected(Optional<String> issuer, Optional<String> audience) {}

    private record Verifier(JWSAlgorithm algorithm, Predicate<SignedJWT> signed) {}

    private final Map<String, Verifier> verifiers = new HashMap<>();
    private final Expected expected;
    private final InstantSource clock;

    /**
     * @param jwks the text of a JWK set (RFC 7517)
     * @throws IllegalArgumentException naming the key that cannot be used
     */
    public JwtKeys(String jwks, Expected expected, InstantSource clock) {
        this.expected = expected;
        this.clock = clock;
        try {
            for (var key : JWKSet.parse(jwks).getKeys()) {
                add(key);
            }
        } catch (ParseException e) {
            throw new IllegalArgumentException("not a JWK set: " + e.getMessage(), e);
        }
    }

    private void add(JWK key) {
        var id = key.getKeyID();
        if (id == null) {
            throw new IllegalArgumentException("a key of the JWK set has no kid");
        }
        var verifier = verifier(key, id);
        boolean otherUse = key.getKeyUse() != null && !KeyUse.SIGNATURE.equals(key.getKeyUse());
        boolean otherAlgorithm =
                key.getAlgorithm() != null && !verifier.algorithm().equals(key.getAlgorithm());
        if (otherUse || otherAlgorithm) {
            throw new IllegalArgumentException("key " + id + " is not for signatures with " + verifier.algorithm());
        }
        if (verifiers.put(id, verifier) != null) {
            throw new IllegalArgumentException("two keys have the kid " + id);
        }
    }

    private static Verifier verifier(JWK key, String id) {
        try {
            return switch (key) {
                case OctetKeyPair okp
                when Curve.Ed25519.equals(okp.getCurve()) ->
                    new Verifier(JWSAlgorithm.EdDSA, new Ed25519Signed(okp.getDecodedX()));
                case ECKey ec
                when Curve.P_256.equals(ec.getCurve()) ->
                    new Verifier(JWSAlgorithm.ES256, signedWith(new ECDSAVerifier(ec)));
                case RSAKey rsa
                when rsa.size() >= MIN_RSA_BITS ->
                    new Verifier(JWSAlgorithm.RS256, signedWith(new RSASSAVerifier(rsa)));
                default ->
                    throw new IllegalArgumentException(
                            "key " + id + " is neither Ed25519 nor P-256 nor RSA of 2048 bits or more");
            };
        } catch (JOSEException e) {
            throw new IllegalArgumentException("key " + id + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static Predicate<SignedJWT> signedWith(JWSVerifier verifier) {
        return token -> {
            try {
                return token.verify(verifier);
            } catch (JOSEException notVerifiable) {
                return false;
            }
        };
    }

    @Override
    public Optional<Actor> holder(String token) {
        if (!looksLikeJwt(token)) {
            return Optional.empty();
        }
        try {
            var jwt = SignedJWT.parse(token);
            return signed(jwt) ? holder(jwt) : Optional.empty();
        } catch (ParseException notJwt) {
            return Optional.empty();
        }
    }

    private static boolean looksLikeJwt(String token) {
        return token.startsWith("ey") && token.chars().filter(c -> c == '.').count() == 2;
    }

    private boolean signed(SignedJWT jwt) {
        var header = jwt.getHeader();
        var verifier = header.getKeyID() == null ? null : verifiers.get(header.getKeyID());
        boolean extended = header.getCriticalParams() != null || !header.isBase64URLEncodePayload();
        return verifier != null
                && !extended
                && verifier.algorithm().equals(header.getAlgorithm())
                && verifier.signed().test(jwt);
    }

    private Optional<Actor> holder(SignedJWT jwt) throws ParseException {
        var claims = jwt.getJWTClaimsSet();
        var now = clock.instant();
        boolean inTime = claims.getExpirationTime() != null
                && now.isBefore(instant(claims.getExpirationTime()).plus(SKEW))
                && (claims.getNotBeforeTime() == null || !now.plus(SKEW).isBefore(instant(claims.getNotBeforeTime())));
        boolean forUs = expected.issuer().map(i -> i.equals(claims.getIssuer())).orElse(true)
                && expected.audience().map(claims.getAudience()::contains).orElse(true);
        var subject = subject(jwt);
        var tenant = Optional.ofNullable(claims.getStringClaim("tenant")).flatMap(TenantId::parse);
        List<String> roles = claims.getStringListClaim("roles");
        if (!inTime || !forUs || subject.isEmpty() || tenant.isEmpty() || roles == null) {
            return Optional.empty();
        }
        var known = roles.stream().flatMap(role -> Role.of(role).stream()).collect(Collectors.toSet());
        return Optional.of(new Actor(tenant.get(), subject.get(), known));
    }

    // From the payload itself: the library makes a text of a number.
    private static Optional<String> subject(SignedJWT jwt) {
        if (jwt.getPayload().toJSONObject().get(JWTClaimNames.SUBJECT) instanceof String name
                && Subject.isValid(name)) {
            return Optional.of(name);
        }
        // What it says instead may forge a line of the log.
        LOG.log(Level.DEBUG, "a signed token was refused: its sub is not " + Subject.GRAMMAR);
        return Optional.empty();
    }

    private static Instant instant(Date date) {
        return date.toInstant();
    }
}
