package dev.nonbis.server.ui;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.server.http.Authenticator;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.signing.Seal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who is signed in. A session is a sealed cookie; the server keeps nothing, and the token stands nowhere in clear. */
final class Sessions {

    static final Duration LIFETIME = Duration.ofHours(12);

    private static final String COOKIE = "nonbis_session";
    private static final String TOLD = "nonbis_told";
    private static final Duration TOLD_LIFETIME = Duration.ofMinutes(1);

    private final Seal seal;
    private final Cookies cookies;
    private final Authenticator authenticator;
    private final InstantSource clock;

    Sessions(Authenticator authenticator, Seal seal, InstantSource clock, boolean tls) {
        this.seal = seal;
        this.authenticator = authenticator;
        this.clock = clock;
        this.cookies = new Cookies(tls);
    }

    /** A session and whose it is now. */
    record Known(Session session, Actor actor) {}

    Optional<Actor> holder(String token) {
        var request = new Request(
                "", "GET", "/", Map.of(), Map.of(), Map.of("authorization", List.of("Bearer " + token)), new byte[0]);
        return authenticator.authenticate(request) instanceof Authenticator.Known(var actor)
                ? Optional.of(actor)
                : Optional.empty();
    }

    Optional<Known> of(Request request) {
        return cookies.read(request, COOKIE)
                .flatMap(cookie -> seal.open(COOKIE, cookie))
                .map(text -> text.split("\n", 3))
                .map(parts -> new Session(parts[2], parts[0], Timestamps.parse(parts[1])))
                .filter(session -> session.startedAt().plus(LIFETIME).isAfter(clock.instant()))
                .flatMap(session -> holder(session.token()).map(actor -> new Known(session, actor)));
    }

    Response begin(String token, Response answer) {
        String text = seal.drawn() + "\n" + Timestamps.format(clock.instant()) + "\n" + token;
        return answer.with("Set-Cookie", cookies.write(COOKIE, seal.close(COOKIE, text), LIFETIME));
    }

    Response end(Response answer) {
        return answer.with("Set-Cookie", cookies.remove(COOKIE));
    }

    /** What the session's forms must carry. */
    String formToken(Session session) {
        return seal.derived("form", session.id());
    }

    boolean isFormOf(Session session, Form form) {
        return MessageDigest.isEqual(
                formToken(session).getBytes(StandardCharsets.US_ASCII),
                form.text("form_token").getBytes(StandardCharsets.UTF_8));
    }

    /** Has the next page say how it ended; sealed, so that no link can put words into our mouth. */
    Response telling(Told told, Response answer) {
        String text = seal.close(TOLD, told.tone() + "\n" + told.text());
        return answer.with("Set-Cookie", cookies.write(TOLD, text, TOLD_LIFETIME));
    }

    Optional<Told> told(Request request) {
        return cookies.read(request, TOLD)
                .flatMap(cookie -> seal.open(TOLD, cookie))
                .map(text -> text.split("\n", 2))
                .map(parts -> new Told(parts[0], parts[1]));
    }

    Response toldNow(Response answer) {
        return answer.with("Set-Cookie", cookies.remove(TOLD));
    }

    Cookies cookies() {
        return cookies;
    }
}
