package dev.nonbis.server.ui;

import static dev.nonbis.server.http.Access.open;

import dev.nonbis.core.dispatch.Topics;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.server.api.WorkersSeen;
import dev.nonbis.server.events.EventStreams;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Handler;
import dev.nonbis.server.http.Method;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import dev.nonbis.server.http.Router;
import dev.nonbis.server.metrics.Recent;
import dev.nonbis.server.oidc.Issuer;
import dev.nonbis.server.oidc.People;
import dev.nonbis.server.signing.Seal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The console: every page and every form. */
public final class Console {

    private final Parts parts;
    private final Guard guard;
    private final Sessions sessions;
    private final Pages pages;
    private final SignIn signIn;
    private final Assets assets = new Assets();
    private final Api api;

    /**
     * What the console works with.
     *
     * @param api the routes of the API, which the console calls for whoever is signed in
     * @param http the console's own way of knowing callers, who may be people that an issuer vouches for
     * @param tls whether browsers reach it over TLS
     */
    public record Parts(
            Ports ports,
            Topics topics,
            Router.Parts http,
            Router api,
            RequestIds ids,
            EventStreams events,
            WorkersSeen workers,
            Recent recent,
            Seal seal,
            Optional<OidcSignIn> oidc,
            boolean tls) {}

    /** How people sign in with an issuer. */
    public record OidcSignIn(Issuer issuer, People people) {}

    public Console(Parts parts) {
        this.parts = parts;
        var clock = parts.ports().clock();
        this.sessions = new Sessions(parts.http().authenticator(), parts.seal(), clock, parts.tls());
        this.pages = new Pages(sessions, parts.ports().store(), assets);
        this.guard = new Guard(sessions, pages, parts.http().failures(), clock);
        this.signIn =
                new SignIn(sessions, pages, parts.seal(), clock, parts.oidc().isPresent());
        this.api = new Api(parts.api(), parts.ids());
    }

    /** The path of a link that signs in whoever follows it first, within an hour. */
    public String invite(String token) {
        return signIn.invite(token);
    }

    public List<Route> routes() {
        var store = parts.ports().store();
        var approvals = new ApprovalPages(api, pages, sessions, store);
        var jobs = new JobPages(api, pages, sessions);
        var runs = new RunPages(api, pages, sessions);
        var requests = new RequestPages(api, pages, sessions, store, parts.recent());
        var payments = new PaymentPages(api, pages, store);
        var audit = new AuditPages(api, pages, sessions, parts.ports());
        var stuck = new StuckPage(pages, store);
        var overview = new OverviewPage(pages, stuck, parts.ports(), parts.recent());
        var topics = new TopicsPage(pages, store, parts.topics(), parts.workers());
        var letters = new DeadLetterPages(api, pages, sessions);
        var routes = new ArrayList<>(assets.routes());
        routes.addAll(List.of(
                page("/", "showOverview", overview::show),
                page("/approvals", "showApprovals", approvals::inbox),
                page("/approvals/decided", "showDecided", approvals::decided),
                page("/approvals/{id}", "showApproval", approvals::one),
                action("/approvals/{id}", "decideByForm", approvals::decide),
                page("/jobs", "showJobs", jobs::list),
                page("/jobs/{id}", "showJob", jobs::one),
                action("/jobs/{id}/cancel", "cancelJobByForm", jobs::cancel),
                action("/jobs/{id}/resolve", "resolveJobByForm", jobs::resolve),
                page("/runs", "showRuns", runs::list),
                page("/runs/{id}", "showRun", runs::one),
                action("/runs/{id}/cancel", "cancelRunByForm", runs::cancel),
                page("/requests", "showRequests", requests::list),
                page("/requests/key", "showKey", requests::key),
                action("/requests/key/release", "releaseKeyByForm", requests::release),
                page("/payments", "showPayments", payments::list),
                page("/payments/{id}", "showPayment", payments::one),
                page("/audit", "showAudit", audit::list),
                action("/audit/verify", "verifyAuditByForm", audit::verify),
                action("/audit/export", "exportAuditByForm", audit::export),
                page("/stuck", "showStuck", stuck::show),
                page("/topics", "showTopics", topics::show),
                page("/dead-letters", "showDeadLetters", letters::list),
                action("/dead-letters/{id}", "actOnDeadLetter", letters::act),
                action("/shortcuts", "setShortcuts", this::shortcuts),
                get("/sign-in", "showSignIn", signIn::show),
                post("/sign-in", "signIn", signIn::enter),
                action("/sign-out", "signOut", signIn::leave),
                page("/console/events", "streamEventsToPage", this::events)));
        parts.oidc().ifPresent(oidc -> {
            var door = new OidcDoor(
                    oidc,
                    new OidcDoor.Door(signIn, sessions, pages),
                    parts.seal(),
                    parts.ports().clock());
            routes.add(get("/sign-in/oidc", "beginOidc", door::begin));
            routes.add(get("/sign-in/oidc/callback", "endOidc", door::end));
        });
        return routes;
    }

    /** The same stream as the API's, for a browser that can send no credential but its cookie. */
    private Response events(Visit visit) {
        return parts.events().stream(new Call(visit.request(), Optional.of(visit.actor())));
    }

    private Response shortcuts(Visit visit, Form form) {
        boolean on = form.text("keys").equals("on");
        String back = form.filled("back")
                .filter(path -> path.matches("/[a-z][a-z/-]*"))
                .orElse("/");
        return Shortcuts.set(sessions.cookies(), on, Pages.redirect(back));
    }

    private Route page(String pattern, String name, Guard.Page page) {
        return get(pattern, name, guard.page(page));
    }

    private Route action(String pattern, String name, Guard.Action action) {
        return post(pattern, name, guard.action(action));
    }

    private static Route get(String pattern, String name, Handler handler) {
        return new Route(Method.GET, pattern, open(), name, handler);
    }

    private static Route post(String pattern, String name, Handler handler) {
        return new Route(Method.POST, pattern, open(), name, handler, Route.BodyType.FORM);
    }
}
