package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.Role;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.server.http.Method;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import dev.nonbis.server.http.Router;
import dev.nonbis.server.oidc.Issuer;
import dev.nonbis.server.oidc.People;
import dev.nonbis.server.signing.Seal;
import dev.nonbis.server.ui.Console;
import dev.nonbis.testkit.store.MemoryBackend;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every page and every form of the console, with every role, from every tenant; a new one needs its entry here. */
class ConsoleAccessTest {

    /** What somebody finds who names another tenant's thing. */
    private enum Foreign {
        /** That there is no such thing. */
        NOTHING,
        /** Nothing but their own: no name of a thing is asked for. */
        OWN
    }

    /** Who may, and what others find. */
    private record Expected(Set<Role> roles, Foreign foreign, String form) {}

    /** Before anybody is known. */
    private static final Set<String> OPEN =
            Set.of("getHtmx", "getConsoleScript", "getIcon", "showSignIn", "signIn", "beginOidc", "endOidc");

    private static final Map<String, Expected> EXPECTED = new TreeMap<>();

    private static void expect(String operation, String roles, Foreign foreign, String form) {
        var set = roles.equals("any")
                ? Set.of(Role.values())
                : Arrays.stream((roles + " admin").split(" "))
                        .map(word -> Role.of(word).orElseThrow())
                        .collect(Collectors.toSet());
        EXPECTED.put(operation, new Expected(set, foreign, form));
    }

    private static void expect(String operation, String roles, Foreign foreign) {
        expect(operation, roles, foreign, "");
    }

    static {
        expect("showOverview", "any", Foreign.OWN);
        expect("showApprovals", "any", Foreign.OWN);
        expect("showDecided", "any", Foreign.OWN);
        expect("showApproval", "any", Foreign.NOTHING);
        expect("decideByForm", "approver", Foreign.NOTHING, "decision=approve&request_hash=" + "0".repeat(64));
        expect("showJobs", "any", Foreign.OWN);
        expect("showJob", "any", Foreign.NOTHING);
        expect("cancelJobByForm", "submitter operator", Foreign.NOTHING);
        expect("resolveJobByForm", "operator", Foreign.NOTHING, "outcome=failed&reason=r");
        expect("showRuns", "any", Foreign.OWN);
        expect("showRun", "any", Foreign.NOTHING);
        expect("cancelRunByForm", "submitter operator", Foreign.NOTHING);
        expect("showRequests", "operator", Foreign.OWN);
        expect("showKey", "operator", Foreign.NOTHING);
        expect("releaseKeyByForm", "operator", Foreign.NOTHING, "operation=jobs&key=acmes-key&reason=r");
        expect("showPayments", "any", Foreign.OWN);
        expect("showPayment", "any", Foreign.NOTHING);
        expect("showAudit", "auditor operator", Foreign.OWN);
        expect("verifyAuditByForm", "auditor operator", Foreign.OWN);
        expect("exportAuditByForm", "auditor operator", Foreign.OWN);
        expect("showStuck", "any", Foreign.OWN);
        expect("showTopics", "any", Foreign.OWN);
        expect("showDeadLetters", "operator auditor", Foreign.OWN);
        expect("actOnDeadLetter", "operator", Foreign.NOTHING, "action=retry");
        expect("setShortcuts", "any", Foreign.OWN, "keys=on&back=/jobs");
        expect("signOut", "any", Foreign.OWN);
        expect("streamEventsToPage", "any", Foreign.OWN);
    }

    /** A server's plane with its console. */
    private static final class Place {

        final TestPlane plane = new TestPlane(
                new DirectStore(new MemoryBackend()), PaymentPlane.policy(PaymentPlane.POLICY), Settings.DEFAULTS);
        final Seal seal = new Seal(plane.signer);
        final Router router;

        Place() {
            var issuer = new Issuer(
                    new Issuer.Settings(
                            URI.create("http://127.0.0.1:1"),
                            "nonbis",
                            Optional.empty(),
                            URI.create("http://127.0.0.1:7420/sign-in/oidc/callback"),
                            Set.of("openid")),
                    plane.clock);
            var people = new People(
                    new People.Mapping("sub", Optional.of("acme"), Optional.empty(), "roles", Map.of()),
                    Duration.ofHours(1),
                    seal,
                    plane.clock);
            var console = new Console(new Console.Parts(
                    plane.ports,
                    topic -> plane.topicRules,
                    plane.parts,
                    plane.router,
                    plane.requestIds,
                    plane.events,
                    plane.polls.workers(),
                    plane.metrics.recent(),
                    seal,
                    Optional.of(new Console.OidcSignIn(issuer, people)),
                    false));
            router = new Router(console.routes(), plane.parts);
        }

        /** The cookie of somebody who signed in with this key. */
        String signIn(String token) {
            return cookie(send(Method.POST, "/sign-in", "", "key=" + token), "nonbis_session");
        }

        /** What the forms of this session carry, taken from a page as a browser does. */
        String formToken(String cookie) {
            var token =
                    Pattern.compile("name=\"form_token\" value=\"([^\"]+)\"").matcher(text(get("/", cookie)));
            assertThat(token.find()).isTrue();
            return token.group(1);
        }

        Response get(String target, String cookie) {
            return send(Method.GET, target, cookie, "");
        }

        Response send(Method method, String target, String cookie, String form) {
            var headers = new LinkedHashMap<String, List<String>>();
            headers.put("cookie", List.of(cookie));
            if (method == Method.POST) {
                headers.put("content-type", List.of("application/x-www-form-urlencoded"));
            }
            int mark = target.indexOf('?');
            var query = new LinkedHashMap<String, List<String>>();
            if (mark >= 0) {
                for (var pair : target.substring(mark + 1).split("&", -1)) {
                    int equals = pair.indexOf('=');
                    query.put(pair.substring(0, equals), List.of(pair.substring(equals + 1)));
                }
            }
            return router.handle(new Request(
                    plane.requestIds.next(),
                    method.name(),
                    mark < 0 ? target : target.substring(0, mark),
                    Map.of(),
                    query,
                    headers,
                    form.getBytes(StandardCharsets.UTF_8)));
        }

        /** The page, or what the next one will say of how the form ended. */
        String told(Response response) {
            String told = cookie(response, "nonbis_told");
            return text(response)
                    + seal.open("nonbis_told", told.substring(told.indexOf('=') + 1))
                            .orElse("");
        }
    }

    private final Place place = new Place();

    @Test
    void every_page_and_form_has_its_entry_here_and_every_entry_its_route() {
        var entries = new TreeSet<>(EXPECTED.keySet());
        entries.addAll(OPEN);

        assertThat(place.router.routes().stream().map(Route::operationId)).containsExactlyInAnyOrderElementsOf(entries);
    }

    @Test
    void whoever_is_not_signed_in_is_sent_to_the_door() {
        for (var cookie : List.of("", "nonbis_session=forged")) {
            for (var route : guarded()) {
                var answer = send(place, route, ThingsOfAcme.UNKNOWN, cookie, "form_token=x");

                assertThat(answer.status()).as(route.operationId()).isEqualTo(303);
                assertThat(answer.headers().get("Location"))
                        .as(route.operationId())
                        .startsWith("/sign-in");
            }
        }
    }

    @Test
    void the_door_opens_for_a_known_key_and_for_no_other() {
        assertThat(place.send(Method.POST, "/sign-in", "", "key=token-of-acme").headers())
                .containsEntry("Location", "/");
        for (var form : List.of("key=nobodys", "key=", "", "code=used")) {
            var refused = place.send(Method.POST, "/sign-in", "", form);

            assertThat(refused.status()).as(form).isEqualTo(403);
            assertThat(refused.headers()).as(form).doesNotContainKey("Set-Cookie");
        }
        assertThat(place.get("/sign-in/oidc/callback?code=c&state=s", "").status())
                .isEqualTo(403);
    }

    @Test
    void a_form_that_is_not_of_the_session_does_nothing() {
        var things = new ThingsOfAcme(place.plane);
        long events = place.plane.auditEvents(TestPlane.ACME);
        var cookie = place.signIn(TestPlane.ACME);
        var others = place.formToken(place.signIn(TestPlane.BOB));
        for (var route : guarded()) {
            if (route.method() == Method.POST) {
                for (var token : List.of("", "form_token=x", "form_token=" + others)) {
                    var answer = send(place, route, things.ids(), cookie, token);

                    assertThat(answer.status()).as(route.operationId()).isEqualTo(403);
                }
            }
        }
        assertThat(place.plane.auditEvents(TestPlane.ACME)).isEqualTo(events);
    }

    @Test
    void every_role_gets_where_it_may_go_and_nowhere_else() {
        for (var role : Role.values()) {
            var fresh = new Place();
            var things = new ThingsOfAcme(fresh.plane);
            var cookie = fresh.signIn("acme-" + role.word());
            var token = "form_token=" + fresh.formToken(cookie);
            for (var route : guarded()) {
                var answer = send(fresh, route, things.ids(), cookie, token);
                var told = fresh.told(answer);
                var as = route.operationId() + " as " + role + ": " + told;

                assertThat(isRefused(answer, told)).as(as).isEqualTo(!isAllowed(route, role));
                assertThat(answer.status()).as(as).isNotIn(404, 500);
                assertThat(told).as(as).doesNotContain("not_found");
            }
        }
    }

    @Test
    void another_tenants_things_are_not_there_for_any_role() {
        var things = new ThingsOfAcme(place.plane);
        long events = place.plane.auditEvents(TestPlane.ACME);
        for (var role : Role.values()) {
            var cookie = place.signIn("globex-only-" + role.word());
            var token = "form_token=" + place.formToken(cookie);
            for (var route : guarded()) {
                var answer = send(place, route, things.ids(), cookie, token);
                var told = place.told(answer);
                var as = route.operationId() + " as " + role + ": " + told;

                assertThat(told).as(as).doesNotContain(ThingsOfAcme.SECRET);
                assertThat(isRefused(answer, told)).as(as).isEqualTo(!isAllowed(route, role));
                if (!isAllowed(route, role)) {
                    continue;
                }
                switch (expected(route).foreign()) {
                    case NOTHING ->
                        assertThat(answer.status() == 404 || told.contains("not_found"))
                                .as(as)
                                .isTrue();
                    case OWN -> assertThat(told).as(as).doesNotContain(things.ids());
                }
            }
        }
        assertThat(place.plane.auditEvents(TestPlane.ACME))
                .as("nothing of acme's was touched")
                .isEqualTo(events);
    }

    @Test
    void text_that_hides_something_is_shown_as_escapes() {
        String id = place.plane
                .post("/api/v1/jobs")
                .body("{\"topic\":\"job.default\",\"prompt\":\"pay \u202e001 EUR\",\"labels\":{\"to\":\"a\u200bb\"}}")
                .send()
                .string("job_id");

        assertThat(text(place.get("/jobs/" + id, place.signIn(TestPlane.ACME))))
                .contains("<bdi>pay \\u202e001 EUR</bdi>", "<bdi>a\\u200bb</bdi>")
                .doesNotContain("\u202e", "\u200b");
    }

    private static Response send(Place at, Route route, List<String> ids, String cookie, String token) {
        String path = ThingsOfAcme.path(route.pattern(), ids);
        String target = route.operationId().equals("showKey") ? path + "?operation=jobs&key=acmes-key" : path;
        String form = route.method() == Method.POST ? expected(route).form() + "&" + token : "";
        return at.send(route.method(), target, cookie, form);
    }

    private static boolean isRefused(Response answer, String told) {
        return answer.status() == 403 || told.contains("(forbidden)");
    }

    private static boolean isAllowed(Route route, Role role) {
        return expected(route).roles().contains(role);
    }

    private static Expected expected(Route route) {
        return Objects.requireNonNull(EXPECTED.get(route.operationId()), route.operationId());
    }

    private List<Route> guarded() {
        return place.router.routes().stream()
                .filter(route -> !OPEN.contains(route.operationId()))
                .toList();
    }

    private static String cookie(Response response, String name) {
        String set = response.headers().getOrDefault("Set-Cookie", "");
        return set.startsWith(name + "=") ? set.substring(0, set.indexOf(';')) : "";
    }

    private static String text(Response response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }
}
