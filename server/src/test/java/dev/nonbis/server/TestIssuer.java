package dev.nonbis.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An OpenID Connect issuer on loopback that knows one person, and can be told to do wrong. */
final class TestIssuer implements AutoCloseable {

    /** What it does wrong. */
    enum Fault {
        NONE,
        WRONG_STATE,
        WRONG_NONCE,
        WRONG_AUDIENCE,
        WRONG_ISSUER,
        OTHER_CLIENT,
        EXPIRED,
        UNSIGNED,
        UNKNOWN_KEY,
        ANOTHERS_SIGNATURE,
        NO_GROUPS,
        REFUSES,
        FAILS
    }

    static final String CLIENT = "nonbis-console";
    static final String SECRET = "client secret/1";

    private static final RSAKey KEY = key("first");
    private static final RSAKey OTHER = key("first");
    private static final RSAKey UNPUBLISHED = key("second");

    private final HttpServer server;
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final AtomicInteger drawn = new AtomicInteger();
    volatile Fault fault = Fault.NONE;

    TestIssuer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/.well-known/openid-configuration", this::describe);
        server.createContext("/authorize", this::authorize);
        server.createContext("/token", this::token);
        server.createContext(
                "/keys", exchange -> answer(exchange, 200, new JWKSet(List.of(KEY.toPublicJWK())).toString()));
        server.start();
    }

    private static RSAKey key(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    /** Another site than that of a server at 127.0.0.1. */
    URI url() {
        return URI.create("http://localhost:" + server.getAddress().getPort());
    }

    private void describe(HttpExchange exchange) throws IOException {
        answer(
                exchange,
                200,
                "{\"issuer\":\"%1$s\",\"authorization_endpoint\":\"%1$s/authorize\",\"token_endpoint\":\"%1$s/token\",\"jwks_uri\":\"%1$s/keys\"}"
                        .formatted(url()));
    }

    private void authorize(HttpExchange exchange) throws IOException {
        var asked = fields(exchange.getRequestURI().getRawQuery());
        String code = "code-" + drawn.incrementAndGet();
        codes.put(code, asked);
        String state = fault == Fault.WRONG_STATE ? "0".repeat(64) : asked.get("state");
        String said = fault == Fault.REFUSES ? "error=access_denied" : "code=" + code;
        exchange.getResponseHeaders().add("Location", asked.get("redirect_uri") + "?" + said + "&state=" + state);
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void token(HttpExchange exchange) throws IOException {
        var sent = fields(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        var asked =
                Optional.ofNullable(codes.remove(sent.getOrDefault("code", ""))).orElse(Map.of());
        String basic = "Basic "
                + Base64.getEncoder()
                        .encodeToString((CLIENT + ":client+secret%2F1").getBytes(StandardCharsets.US_ASCII));
        boolean isGood = !asked.isEmpty()
                && basic.equals(exchange.getRequestHeaders().getFirst("Authorization"))
                && "authorization_code".equals(sent.get("grant_type"))
                && "S256".equals(asked.get("code_challenge_method"))
                && challenge(sent.getOrDefault("code_verifier", "")).equals(asked.get("code_challenge"))
                && asked.getOrDefault("redirect_uri", "none").equals(sent.get("redirect_uri"));
        if (fault == Fault.FAILS) {
            answer(exchange, 500, "{}");
        } else if (isGood) {
            answer(
                    exchange,
                    200,
                    "{\"token_type\":\"Bearer\",\"id_token\":\"" + idToken(asked.getOrDefault("nonce", "")) + "\"}");
        } else {
            answer(exchange, 400, "{\"error\":\"invalid_grant\"}");
        }
    }

    private String idToken(String nonce) {
        var now = Instant.now();
        var claims = new JWTClaimsSet.Builder()
                .issuer(fault == Fault.WRONG_ISSUER ? "http://localhost:1" : url().toString())
                .subject("7c9e6679")
                .claim("email", "dana@example.com")
                .claim("org", "acme")
                .claim("groups", fault == Fault.NO_GROUPS ? List.of("staff") : List.of("staff", "approvers"))
                .audience(fault == Fault.WRONG_AUDIENCE ? "another" : CLIENT)
                .claim("nonce", fault == Fault.WRONG_NONCE ? "0".repeat(64) : nonce)
                .issueTime(Date.from(now.minusSeconds(600)))
                .expirationTime(Date.from(fault == Fault.EXPIRED ? now.minusSeconds(120) : now.plusSeconds(300)));
        if (fault == Fault.OTHER_CLIENT) {
            claims.audience(List.of(CLIENT, "another")).claim("azp", "another");
        }
        if (fault == Fault.UNSIGNED) {
            return new PlainJWT(claims.build()).serialize();
        }
        var key = switch (fault) {
            case UNKNOWN_KEY -> UNPUBLISHED;
            case ANOTHERS_SIGNATURE -> OTHER;
            default -> KEY;
        };
        try {
            var token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .keyID(key.getKeyID())
                            .build(),
                    claims.build());
            token.sign(new RSASSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private static String challenge(String verifier) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, String> fields(String form) {
        var fields = new HashMap<String, String>();
        for (var pair : form.split("&", -1)) {
            var parts = pair.split("=", 2);
            fields.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return fields;
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
