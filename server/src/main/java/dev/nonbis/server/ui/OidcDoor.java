package dev.nonbis.server.ui;

import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.logging.LogFields;
import dev.nonbis.server.oidc.Issuer.Redeemed;
import dev.nonbis.server.oidc.Issuer.Secrets;
import dev.nonbis.server.signing.Seal;
import dev.nonbis.server.ui.Console.OidcSignIn;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The way in for people whom an issuer vouches for.
 *
 * <pre>
 *   begin ──▶ the issuer, with state, nonce and challenge ──▶ end: state ours? code redeemed? then a session
 * </pre>
 *
 * What belongs to one sign-in is sealed in a cookie of the browser that began it, so that any server can end it, and none but that browser.
 */
final class OidcDoor {

    private static final Logger LOG = System.getLogger(OidcDoor.class.getName());
    private static final String COOKIE = "nonbis_oidc";
    private static final Duration LIFETIME = Duration.ofMinutes(10);

    private final OidcSignIn oidc;
    private final Door door;
    private final Seal seal;
    private final InstantSource clock;

    /** Where it leads to. */
    record Door(SignIn signIn, Sessions sessions, Pages pages) {}

    private record Begun(Secrets secrets, String next) {}

    OidcDoor(OidcSignIn oidc, Door door, Seal seal, InstantSource clock) {
        this.oidc = oidc;
        this.door = door;
        this.seal = seal;
        this.clock = clock;
    }

    Response begin(Call call) {
        var secrets = new Secrets(seal.drawn(), seal.drawn(), seal.drawn());
        String next = SignIn.safe(call.request().query("next"));
        var text = String.join(
                "\n",
                Timestamps.format(clock.instant().plus(LIFETIME)),
                secrets.state(),
                secrets.nonce(),
                secrets.verifier(),
                next);
        return oidc.issuer()
                .authorization(secrets)
                .map(address -> Pages.redirect(address.toString())
                        .with(
                                "Set-Cookie",
                                door.sessions().cookies().writeForReturn(COOKIE, seal.close(COOKIE, text), LIFETIME)))
                .orElseGet(() -> away(next));
    }

    Response end(Call call) {
        var request = call.request();
        var begun = begun(request);
        if (begun.isEmpty()) {
            return door.signIn()
                    .refused(403, "/", "This sign-in was not begun in this browser, or it took too long. Begin again.");
        }
        String next = begun.get().next();
        var code = request.query("code");
        if (code.isEmpty()) {
            return door.signIn().refused(403, next, "Your organisation did not let you in.");
        }
        return switch (oidc.issuer().redeem(code.get(), begun.get().secrets())) {
            case Redeemed.Vouched(var claims) ->
                oidc.people()
                        .token(claims)
                        .map(token -> enter(token, next))
                        .orElseGet(() -> door.signIn()
                                .refused(403, next, "You are known, but you have no role here. Ask an administrator."));
            case Redeemed.Refused(var why) -> {
                LogFields.of("request_id", request.id())
                        .during(() -> LOG.log(Level.WARNING, "nobody was signed in: {0}", why));
                yield door.signIn().refused(403, next, "Your organisation's answer does not prove who you are.");
            }
            case Redeemed.Away(var why) -> {
                LogFields.of("request_id", request.id())
                        .during(() -> LOG.log(Level.WARNING, "the issuer cannot be asked: {0}", why));
                yield away(next);
            }
        };
    }

    // The browser came from another site, so it would keep the new strict cookie back on a redirect. A page of ours
    // goes on by itself.
    private Response enter(String token, String next) {
        return door.sessions().begin(token, door.pages().show(Guard.ONCE_MORE, 200, next));
    }

    private Response away(String next) {
        return door.signIn()
                .refused(503, next, "Your organisation cannot be asked right now. Try again, or use a key.");
    }

    private Optional<Begun> begun(Request request) {
        return door.sessions()
                .cookies()
                .read(request, COOKIE)
                .flatMap(cookie -> seal.open(COOKIE, cookie))
                .map(text -> text.split("\n", 5))
                .filter(parts -> Timestamps.parse(parts[0]).isAfter(clock.instant()))
                .filter(parts -> isSame(parts[1], request.query("state").orElse("")))
                .map(parts -> new Begun(new Secrets(parts[1], parts[2], parts[3]), parts[4]));
    }

    private static boolean isSame(String ours, String sent) {
        return MessageDigest.isEqual(ours.getBytes(StandardCharsets.UTF_8), sent.getBytes(StandardCharsets.UTF_8));
    }
}
