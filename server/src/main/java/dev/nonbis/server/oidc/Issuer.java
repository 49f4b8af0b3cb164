package dev.nonbis.server.oidc;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonRefused;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Speaks with an OpenID Connect issuer: where to send people, and whom a code that came back stands for. */
public final class Issuer {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration REMEMBERED = Duration.ofMinutes(10);
    private static final long MAX_BYTES = 1 << 20;

    /**
     * How this server is known to the issuer.
     *
     * @param redirectUrl where browsers come back to
     */
    public record Settings(
            URI issuer, String clientId, Optional<String> clientSecret, URI redirectUrl, Set<String> scopes) {}

    /** What binds a code to the browser that asked for it: all three are drawn for one sign-in. */
    public record Secrets(String state, String nonce, String verifier) {}

    /** Whom a code stands for. */
    public sealed interface Redeemed {

        record Vouched(JsonObject claims) implements Redeemed {}

        /** The issuer or its token does not vouch for anybody; why, for the log. */
        record Refused(String why) implements Redeemed {}

        record Away(String why) implements Redeemed {}
    }

    private record Endpoints(URI authorization, URI token, URI keys, Instant until) {}

    /** The issuer cannot be asked. */
    private static final class AwayException extends Exception {

        private static final long serialVersionUID = 1L;

        AwayException(String message) {
            super(message);
        }
    }

    private final Settings settings;
    private final InstantSource clock;
    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(PATIENCE)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private volatile Optional<Endpoints> known = Optional.empty();

    public Issuer(Settings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /** Where a browser goes to sign in; empty while the issuer cannot be asked. */
    public Optional<URI> authorization(Secrets secrets) {
        try {
            var query = new LinkedHashMap<String, String>();
            query.put("response_type", "code");
            query.put("client_id", settings.clientId());
            query.put("redirect_uri", settings.redirectUrl().toString());
            query.put("scope", String.join(" ", new TreeSet<>(settings.scopes())));
            query.put("state", secrets.state());
            query.put("nonce", secrets.nonce());
            query.put("code_challenge", challenge(secrets.verifier()));
            query.put("code_challenge_method", "S256");
            var address = endpoints().authorization().toString();
            return Optional.of(URI.create(address + (address.contains("?") ? "&" : "?") + form(query)));
        } catch (AwayException e) {
            return Optional.empty();
        }
    }

    /** Whom the code stands for, by an id token that this issuer has signed for us and for this very sign-in. */
    public Redeemed redeem(String code, Secrets secrets) {
        try {
            var endpoints = endpoints();
            var fields = new LinkedHashMap<String, String>();
            fields.put("grant_type", "authorization_code");
            fields.put("code", code);
            fields.put("redirect_uri", settings.redirectUrl().toString());
            fields.put("client_id", settings.clientId());
            fields.put("code_verifier", secrets.verifier());
            var request = HttpRequest.newBuilder(endpoints.token())
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString(form(fields)));
            settings.clientSecret().ifPresent(secret -> request.header("Authorization", basic(secret)));
            var answer = send(request);
            if (answer.status() >= 500) {
                return new Redeemed.Away("its token endpoint answers " + answer.status());
            }
            var token = answer.json().string("id_token");
            if (answer.status() != 200 || token.isEmpty()) {
                return new Redeemed.Refused("the code was not taken: "
                        + answer.json().string("error").orElse("status " + answer.status()));
            }
            var keys = send(HttpRequest.newBuilder(endpoints.keys()));
            if (keys.status() != 200) {
                return new Redeemed.Away("its keys cannot be read: status " + keys.status());
            }
            var check = new IdTokens(settings.issuer().toString(), settings.clientId(), clock);
            return check.claims(token.get(), keys.text(), secrets.nonce());
        } catch (AwayException e) {
            return new Redeemed.Away(String.valueOf(e.getMessage()));
        }
    }

    private Endpoints endpoints() throws AwayException {
        var now = clock.instant();
        var before = known.filter(endpoints -> endpoints.until().isAfter(now));
        if (before.isPresent()) {
            return before.get();
        }
        var base = settings.issuer().toString();
        var where = URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base)
                + "/.well-known/openid-configuration");
        var document = send(HttpRequest.newBuilder(where));
        // Whoever answers for another issuer is not the one that was configured.
        if (document.status() != 200 || !document.json().string("issuer").equals(Optional.of(base))) {
            throw new AwayException("its description is not that of " + base);
        }
        var found = new Endpoints(
                endpoint(document, "authorization_endpoint"),
                endpoint(document, "token_endpoint"),
                endpoint(document, "jwks_uri"),
                now.plus(REMEMBERED));
        known = Optional.of(found);
        return found;
    }

    private URI endpoint(Answer document, String name) throws AwayException {
        var text = document.json().string(name).orElse("");
        boolean isSafe = text.startsWith("https://")
                || (text.startsWith("http://")
                        && "http".equals(settings.issuer().getScheme()));
        if (!isSafe) {
            throw new AwayException("its description has no safe " + name);
        }
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new AwayException("its description has no usable " + name);
        }
    }

    private record Answer(int status, String text) {

        JsonObject json() throws AwayException {
            try {
                return Json.parse(text.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject object
                        ? object
                        : JsonObject.EMPTY;
            } catch (JsonRefused e) {
                throw new AwayException("its answer is no JSON");
            }
        }
    }

    private Answer send(HttpRequest.Builder request) throws AwayException {
        try {
            var answer = http.send(
                    request.header("Accept", "application/json")
                            .timeout(PATIENCE)
                            .build(),
                    BodyHandlers.limiting(info -> BodySubscribers.ofString(StandardCharsets.UTF_8), MAX_BYTES));
            return new Answer(answer.statusCode(), answer.body());
        } catch (IOException e) {
            throw new AwayException("it does not answer: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AwayException("interrupted");
        }
    }

    private String basic(String secret) {
        var pair = encoded(settings.clientId()) + ":" + encoded(secret);
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
    }

    private static String challenge(String verifier) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform must offer SHA-256", e);
        }
    }

    private static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
