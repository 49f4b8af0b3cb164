package dev.nonbis.server.ui;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.FindStuck;
import dev.nonbis.core.operation.ListApprovals;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Response;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Makes pages from templates and what they show, with everything that surrounds them. */
final class Pages {

    static final String HTML = "text/html; charset=utf-8";

    static final int MANY = 99;

    /** Nothing but our own files, no script or style inside a page, and nobody may frame one. */
    private static final Map<String, String> HEADERS = headers();

    private final TemplateEngine engine = TemplateEngine.createPrecompiled(ContentType.Html);
    private final Sessions sessions;
    private final Store store;
    private final ListApprovals listApprovals;
    private final FindStuck findStuck;
    private final Frame.Addresses assets;

    Pages(Sessions sessions, Store store, Assets assets) {
        this.sessions = sessions;
        this.store = store;
        this.findStuck = new FindStuck(store);
        this.listApprovals = new ListApprovals(store);
        this.assets = assets.addresses();
    }

    /** A page and where it belongs. */
    record Page(String template, String title, String section) {}

    Response show(Visit visit, Page page, Object model) {
        return show(visit, page, 200, model);
    }

    Response show(Visit visit, Page page, int status, Object model) {
        var told = sessions.told(visit.request());
        var frame = new Frame(
                page.title(),
                page.section(),
                address(visit.request()),
                Optional.of(who(visit)),
                sessions.formToken(visit.session()),
                Shortcuts.areOn(sessions.cookies(), visit.request()),
                told,
                links(visit),
                visit.heard(),
                assets);
        var response = render(page.template(), status, frame, model);
        return told.isPresent() ? sessions.toldNow(response) : response;
    }

    /** A page for somebody who is not signed in. */
    Response show(Page page, int status, Object model) {
        var frame = new Frame(
                page.title(), page.section(), "", Optional.empty(), "", false, Optional.empty(), List.of(), 0, assets);
        return render(page.template(), status, frame, model);
    }

    /** How far a tenant's log has come. */
    long lastEvent(TenantId tenant) {
        return store.find(Tables.TENANTS, tenant)
                .orElse(TenantState.NEW)
                .audit()
                .seq();
    }

    private Response render(String template, int status, Frame frame, Object model) {
        var out = new VisibleOutput();
        engine.render(template, Map.of("frame", frame, "model", model), out);
        return new Response(status, HTML, HEADERS, out.toByteArray());
    }

    static Response redirect(String address) {
        return new Response(303, "text/plain; charset=utf-8", HEADERS, address.getBytes(StandardCharsets.UTF_8))
                .with("Location", address);
    }

    private static String address(Request request) {
        String query = request.query().entrySet().stream()
                .flatMap(entry -> entry.getValue().stream()
                        .map(value -> Show.segment(entry.getKey()) + "=" + Show.segment(value)))
                .collect(Collectors.joining("&"));
        return query.isEmpty() ? request.path() : request.path() + "?" + query;
    }

    private static Frame.Who who(Visit visit) {
        String roles = visit.actor().roles().stream().map(Role::word).sorted().collect(Collectors.joining(", "));
        return new Frame.Who(visit.actor().subject(), visit.tenant().value(), roles);
    }

    /** What the visitor may see; a link that would be refused is not shown. */
    private List<Frame.Link> links(Visit visit) {
        var links = new ArrayList<Frame.Link>();
        links.add(link("overview", "/", "Overview", ""));
        links.add(link("approvals", "/approvals", "Approvals", note(waiting(visit))));
        links.add(link(
                "stuck",
                "/stuck",
                "Stuck",
                note(findStuck.find(visit.tenant(), visit.now()).size())));
        links.add(link("jobs", "/jobs", "Jobs", ""));
        links.add(link("runs", "/runs", "Runs", ""));
        links.add(link("payments", "/payments", "Payments", ""));
        if (visit.may(Role.OPERATOR)) {
            links.add(link("requests", "/requests", "Requests", ""));
        }
        links.add(link("topics", "/topics", "Topics", ""));
        if (visit.may(Role.OPERATOR, Role.AUDITOR)) {
            links.add(link("letters", "/dead-letters", "Dead letters", ""));
            links.add(link("audit", "/audit", "Audit", ""));
        }
        return links;
    }

    private long waiting(Visit visit) {
        return listApprovals
                .list(visit.tenant(), Approval.Status.WAITING, Optional.empty(), MANY + 1)
                .items()
                .size();
    }

    private static Frame.Link link(String section, String address, String text, String note) {
        return new Frame.Link(section, address, text, note);
    }

    /** A number as it stands beside a link; nothing for none. */
    private static String note(long count) {
        return count == 0 ? "" : many(count);
    }

    /** A number that nobody counted to its end. */
    static String many(long count) {
        return count > MANY ? MANY + "+" : Long.toString(count);
    }

    private static Map<String, String> headers() {
        var headers = new LinkedHashMap<String, String>();
        headers.put(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                        + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Cross-Origin-Opener-Policy", "same-origin");
        headers.put("Cache-Control", "no-store");
        return headers;
    }
}
