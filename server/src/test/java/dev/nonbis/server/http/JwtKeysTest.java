package dev.nonbis.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JwtKeysTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final Actor ALICE = new Actor(new TenantId("acme"), "alice", Set.of(Role.SUBMITTER, Role.AUDITOR));
    private static final JwtKeys.Expected EXPECTED = new JwtKeys.Expected(Optional.of("issuer"), Optional.of("nonbis"));

    @SuppressWarnings("NullAway.Init")
    private static KeyPair edPair;

    @SuppressWarnings("NullAway.Init")
    private static ECKey ecKey;

    @SuppressWarnings("NullAway.Init")
    private static RSAKey rsaKey;

    @SuppressWarnings("NullAway.Init")
    private static String jwks;

    @BeforeAll
    static void makeKeys() throws Exception {
        edPair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        ecKey = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
        rsaKey = new RSAKeyGenerator(2048).keyID("rsa").generate();
        jwks = new JWKSet(List.<JWK>of(edKey(), ecKey, rsaKey)).toString(true);
    }

    private static OctetKeyPair edKey() {
        var encoded = edPair.getPublic().getEncoded();
        var x = Base64URL.encode(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
        return new OctetKeyPair.Builder(Curve.Ed25519, x).keyID("ed").build();
    }

    private static JwtKeys keys(Instant now) {
        return new JwtKeys(jwks, EXPECTED, InstantSource.fixed(now));
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .subject("alice")
                .issuer("issuer")
                .audience("nonbis")
                .claim("tenant", "acme")
                .claim("roles", List.of("submitter", "auditor", "unheard-of"))
                .expirationTime(Date.from(NOW.plusSeconds(300)));
    }

    private static String token(JWSAlgorithm algorithm, String kid, JWTClaimsSet claims, JWSSigner signer)
            throws Exception {
        var jwt = new SignedJWT(new JWSHeader.Builder(algorithm).keyID(kid).build(), claims);
        jwt.sign(signer);
        return jwt.serialize();
    }

    private static String es256(JWTClaimsSet.Builder claims) throws Exception {
        return token(JWSAlgorithm.ES256, "ec", claims.build(), new ECDSASigner(ecKey));
    }

    private static String edDsa(String header, JWTClaimsSet claims) throws Exception {
        var input = Base64URL.encode(header) + "." + Base64URL.encode(claims.toString());
        var signature = Signature.getInstance("Ed25519");
        signature.initSign(edPair.getPrivate());
        signature.update(input.getBytes(StandardCharsets.US_ASCII));
        return input + "." + Base64URL.encode(signature.sign());
    }

    private static void refused(String token) {
        assertThat(keys(NOW).holder(token)).isEmpty();
    }

    @Test
    void a_token_signed_with_es256_is_known() throws Exception {
        assertThat(keys(NOW).holder(es256(claims()))).contains(ALICE);
    }

    @Test
    void a_token_signed_with_rs256_is_known() throws Exception {
        assertThat(keys(NOW).holder(token(JWSAlgorithm.RS256, "rsa", claims().build(), new RSASSASigner(rsaKey))))
                .contains(ALICE);
    }

    @Test
    void a_token_signed_with_eddsa_is_known() throws Exception {
        assertThat(keys(NOW).holder(edDsa("{\"alg\":\"EdDSA\",\"kid\":\"ed\"}", claims().build())))
                .contains(ALICE);
    }

    @Test
    void a_token_may_be_late_by_the_skew_and_not_more() throws Exception {
        var token = es256(claims());
        var expiry = NOW.plusSeconds(300);

        assertThat(keys(expiry.plusSeconds(59)).holder(token)).contains(ALICE);
        assertThat(keys(expiry.plusSeconds(60)).holder(token)).isEmpty();
        assertThat(JwtKeys.SKEW).isLessThanOrEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void a_token_must_expire_and_must_have_begun() throws Exception {
        refused(es256(claims().expirationTime(null)));
        refused(es256(claims().notBeforeTime(Date.from(NOW.plusSeconds(61)))));
        assertThat(keys(NOW).holder(es256(claims().notBeforeTime(Date.from(NOW.plusSeconds(60))))))
                .contains(ALICE);
    }

    @Test
    void a_token_must_come_from_the_issuer_and_be_meant_for_us() throws Exception {
        refused(es256(claims().issuer("somebody")));
        refused(es256(claims().issuer(null)));
        refused(es256(claims().audience("somebody")));
        refused(es256(claims().audience((String) null)));
        var anyone = new JwtKeys.Expected(Optional.empty(), Optional.empty());
        assertThat(new JwtKeys(jwks, anyone, InstantSource.fixed(NOW)).holder(es256(claims().issuer("somebody"))))
                .contains(ALICE);
    }

    @Test
    void a_token_must_say_who_and_for_whom() throws Exception {
        refused(es256(claims().subject(null)));
        refused(es256(claims().subject(" ")));
        refused(es256(claims().claim("tenant", null)));
        refused(es256(claims().claim("tenant", "Not A Tenant")));
        refused(es256(claims().claim("tenant", 7)));
        refused(es256(claims().claim("roles", null)));
        refused(es256(claims().claim("roles", "admin")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "system:expiry",
                "System:expiry",
                "alice\nbob",
                "alice\u0000",
                "ali\u202eec",
                "al ice",
                "al\u00adice",
                "zo\u00eb",
                ""
            })
    void a_subject_is_one_visible_word_and_not_the_servers_own(String subject) throws Exception {
        refused(es256(claims().subject(subject)));
    }

    @Test
    void a_subject_has_at_most_128_characters() throws Exception {
        assertThat(keys(NOW).holder(es256(claims().subject("a".repeat(128))))).isPresent();
        refused(es256(claims().subject("a".repeat(129))));
    }

    @Test
    void a_subject_is_a_string_and_roles_are_a_list_of_strings() throws Exception {
        for (Object other : List.of(7, true, List.of("alice"), Map.of("name", "alice"))) {
            refused(es256(claims().claim("sub", other)));
        }
        for (Object other : List.of(7, Map.of("a", "b"), List.of(7), List.of(List.of("admin")))) {
            refused(es256(claims().claim("roles", other)));
        }
        refused(es256(claims().claim("tenant", List.of("acme"))));
        refused(es256(claims().claim("tenant", "acme\n")));
    }

    @Test
    void a_token_without_a_signature_is_refused() throws Exception {
        var payload = Base64URL.encode(claims().build().toString());

        refused(Base64URL.encode("{\"alg\":\"none\"}") + "." + payload + ".");
        refused(Base64URL.encode("{\"alg\":\"none\",\"kid\":\"ed\"}") + "." + payload + ".");
        refused(Base64URL.encode("{\"alg\":\"EdDSA\",\"kid\":\"ed\"}") + "." + payload + ".");
        refused(Base64URL.encode("{\"alg\":\"ES256\",\"kid\":\"ec\"}") + "." + payload + ".AAAA");
    }

    @Test
    void a_changed_token_is_refused() throws Exception {
        var parts = es256(claims()).split("\\.", -1);
        var other = Base64URL.encode(claims().claim("tenant", "other").build().toString());

        refused(parts[0] + "." + other + "." + parts[2]);
    }

    @Test
    void the_key_decides_the_algorithm() throws Exception {
        refused(token(JWSAlgorithm.RS512, "rsa", claims().build(), new RSASSASigner(rsaKey)));
        refused(token(JWSAlgorithm.RS256, "ec", claims().build(), new RSASSASigner(rsaKey)));
        refused(token(
                JWSAlgorithm.HS256,
                "rsa",
                claims().build(),
                new MACSigner(rsaKey.toRSAPublicKey().getEncoded())));
    }

    @Test
    void a_key_that_is_not_ours_is_refused() throws Exception {
        var stranger = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();

        refused(token(JWSAlgorithm.ES256, "ec", claims().build(), new ECDSASigner(stranger)));
        refused(token(JWSAlgorithm.ES256, "other", claims().build(), new ECDSASigner(ecKey)));
        refused(edDsa("{\"alg\":\"EdDSA\"}", claims().build()));
    }

    @Test
    void a_header_that_must_be_understood_is_not() throws Exception {
        refused(edDsa("{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"crit\":[\"x\"],\"x\":1}", claims().build()));
    }

    @Test
    void what_is_no_token_is_refused_quietly() {
        for (var text : List.of("", "secret", "a.b.c", "ey.ey.ey", "eyJ.eyJ", "ey\u00e9.x.y", "..")) {
            refused(text);
        }
    }

    @Test
    void a_set_with_a_key_that_cannot_be_used_stops_the_start() throws Exception {
        var p384 = new ECKeyGenerator(Curve.P_384).keyID("p384").generate();
        var nameless = new ECKeyGenerator(Curve.P_256).generate();

        for (var bad : List.of("", "{}", new JWKSet(p384).toString(true), new JWKSet(nameless).toString(true))) {
            assertThatIllegalArgumentException().isThrownBy(() -> new JwtKeys(bad, EXPECTED, InstantSource.fixed(NOW)));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JwtKeys(new JWKSet(p384).toString(true), EXPECTED, InstantSource.fixed(NOW)))
                .withMessageContaining("p384");
    }
}
