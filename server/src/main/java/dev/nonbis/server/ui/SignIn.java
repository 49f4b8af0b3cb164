package dev.nonbis.server.ui;

import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.signing.Seal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The door. A key is typed in, or a link that works once is followed. */
public final class SignIn {

    private static final Pages.Page PAGE = new Pages.Page("sign-in.jte", "Sign in", "");
    private static final Duration LINK_LIFETIME = Duration.ofHours(1);

    private final Sessions sessions;
    private final Pages pages;
    private final InstantSource clock;
    private final Seal seal;
    private final boolean oidc;
    private final Map<String, Invitation> invitations = new ConcurrentHashMap<>();

    SignIn(Sessions sessions, Pages pages, Seal seal, InstantSource clock, boolean oidc) {
        this.seal = seal;
        this.oidc = oidc;
        this.sessions = sessions;
        this.pages = pages;
        this.clock = clock;
    }

    private record Invitation(String token, Instant until) {}

    /**
     * What the page shows.
     *
     * @param next where to go afterwards
     * @param code of a link that works once; empty for the form with a key
     * @param oidc whether there is an issuer that people can sign in with
     */
    public record Door(String next, String code, Optional<String> refused, boolean oidc) {}

    /** The path of a link that signs its first user in with this token. */
    String invite(String token) {
        String code = seal.drawn();
        invitations.put(code, new Invitation(token, clock.instant().plus(LINK_LIFETIME)));
        return "/sign-in?code=" + code;
    }

    Response show(Call call) {
        String code = call.request().query("code").orElse("");
        return pages.show(PAGE, 200, new Door(safe(call.request().query("next")), code, Optional.empty(), oidc));
    }

    Response enter(Call call) {
        if (!isFromHere(call.request())) {
            return Pages.redirect("/sign-in");
        }
        var form = Form.of(call.request());
        String next = safe(form.filled("next"));
        var token = form.filled("code").isPresent() ? invited(form.text("code")) : form.filled("key");
        return token.filter(t -> sessions.holder(t).isPresent())
                .map(t -> sessions.begin(t, Pages.redirect(next)))
                .orElseGet(() -> refused(403, next, refusal(form)));
    }

    /** The door again, with why it stays shut. */
    Response refused(int status, String next, String why) {
        return pages.show(PAGE, status, new Door(next, "", Optional.of(why), oidc));
    }

    Response leave(Visit visit, Form form) {
        return sessions.end(Pages.redirect("/sign-in"));
    }

    private Optional<String> invited(String code) {
        return Optional.ofNullable(invitations.remove(code))
                .filter(invitation -> invitation.until().isAfter(clock.instant()))
                .map(Invitation::token);
    }

    private static String refusal(Form form) {
        return form.filled("code").isPresent()
                ? "This link was used before, or its hour is over. Sign in with a key."
                : "Nobody here has this key.";
    }

    // There is no session yet whose token the form could carry, so the browser's word on where it comes from has to do.
    private static boolean isFromHere(Request request) {
        return request.header("sec-fetch-site")
                .map(site -> site.equals("same-origin") || site.equals("none"))
                .orElse(true);
    }

    /** A path of ours, whatever was asked for. */
    static String safe(Optional<String> next) {
        return next.filter(path -> path.startsWith("/") && !path.startsWith("//") && path.indexOf('\\') < 0)
                .filter(path -> path.chars().allMatch(c -> c > ' ' && c < 127))
                .orElse("/");
    }
}
