package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.Role;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.server.Envelopes;
import dev.nonbis.server.http.Access;
import dev.nonbis.server.http.Route;
import dev.nonbis.testkit.store.MemoryBackend;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every route, with every role, from every tenant. Who may do what is written down here a second time, and a new route must be too. */
class AccessTest {

    /** What a caller finds who names another tenant's thing. */
    private enum Foreign {
        /** That there is no such thing. */
        NOTHING,
        /** Its own, because the name counts within a tenant: never anything of the other. */
        OWN,
        /** That it may not even ask. */
        REFUSED
    }

    private record Expected(Set<Role> roles, Foreign foreign) {}

    private static final Set<String> OPEN = Set.of(
            "getLiveness",
            "getReadiness",
            "getProblem",
            "listProblems",
            "getApiDescription",
            "getStyles",
            "getSigningKeys");

    private static final Map<String, Expected> EXPECTED = new TreeMap<>();

    private static void expect(String operation, String roles, Foreign foreign) {
        var set = roles.equals("any")
                ? Set.of(Role.values())
                : Arrays.stream(roles.split(" "))
                        .map(word -> Role.of(word).orElseThrow())
                        .collect(Collectors.toSet());
        EXPECTED.put(operation, new Expected(set, foreign));
    }

    static {
        expect("submitPayment", "submitter operator", Foreign.OWN);
        expect("listPayments", "any", Foreign.OWN);
        expect("getPayment", "any", Foreign.NOTHING);
        expect("getBudgets", "any", Foreign.OWN);
        expect("submitJob", "submitter operator", Foreign.OWN);
        expect("listJobs", "any", Foreign.OWN);
        expect("getJob", "any", Foreign.NOTHING);
        expect("getJobTimeline", "any", Foreign.NOTHING);
        expect("cancelJob", "submitter operator", Foreign.NOTHING);
        expect("listApprovals", "any", Foreign.OWN);
        expect("getApproval", "any", Foreign.NOTHING);
        expect("approve", "approver", Foreign.NOTHING);
        expect("reject", "approver", Foreign.NOTHING);
        expect("listWorkflows", "any", Foreign.OWN);
        expect("putWorkflow", "operator", Foreign.OWN);
        expect("getWorkflow", "any", Foreign.NOTHING);
        expect("startRun", "submitter operator", Foreign.NOTHING);
        expect("listRuns", "any", Foreign.OWN);
        expect("getRun", "any", Foreign.NOTHING);
        expect("getRunTimeline", "any", Foreign.NOTHING);
        expect("cancelRun", "submitter operator", Foreign.NOTHING);
        expect("getTenantLimits", "any", Foreign.REFUSED);
        expect("putTenantLimits", "operator", Foreign.REFUSED);
        expect("getIdempotencyKey", "operator", Foreign.NOTHING);
        expect("releaseIdempotencyKey", "operator", Foreign.NOTHING);
        expect("explainPolicy", "auditor operator", Foreign.OWN);
        expect("listAuditEvents", "auditor operator", Foreign.OWN);
        expect("getAuditHead", "auditor operator", Foreign.OWN);
        expect("redactAuditEvent", "operator", Foreign.NOTHING);
        expect("dropAuditSegment", "admin", Foreign.OWN);
        expect("listCheckpoints", "auditor operator", Foreign.OWN);
        expect("sealCheckpoint", "auditor operator", Foreign.OWN);
        expect("getAuditSeal", "auditor operator", Foreign.OWN);
        expect("proveInclusion", "auditor operator", Foreign.OWN);
        expect("proveConsistency", "auditor operator", Foreign.OWN);
        expect("pollWork", "worker", Foreign.OWN);
        expect("startJob", "worker", Foreign.NOTHING);
        expect("heartbeat", "worker", Foreign.NOTHING);
        expect("recordResult", "worker", Foreign.NOTHING);
        expect("reportUnreadable", "worker", Foreign.OWN);
        expect("resolveJob", "operator", Foreign.NOTHING);
        expect("republishJob", "operator", Foreign.NOTHING);
        expect("streamEvents", "any", Foreign.OWN);
        expect("listWebhooks", "operator", Foreign.OWN);
        expect("putWebhook", "operator", Foreign.OWN);
        expect("deleteWebhook", "operator", Foreign.NOTHING);
        expect("listDeliveries", "operator", Foreign.NOTHING);
        expect("listDeadLetters", "operator auditor", Foreign.OWN);
        expect("retryDeadLetter", "operator", Foreign.NOTHING);
        expect("discardDeadLetter", "operator", Foreign.NOTHING);
    }

    private final TestPlane plane = plane();

    private static TestPlane plane() {
        return new TestPlane(
                new DirectStore(new MemoryBackend()), PaymentPlane.policy(PaymentPlane.POLICY), Settings.DEFAULTS);
    }

    @Test
    void every_route_has_its_entry_here_and_every_entry_its_route() {
        var guarded = new TreeSet<String>();
        var open = new TreeSet<String>();
        for (var route : plane.routes()) {
            (route.access() instanceof Access.Open ? open : guarded).add(route.operationId());
        }

        assertThat(guarded).isEqualTo(EXPECTED.keySet());
        assertThat(open).isEqualTo(new TreeSet<>(OPEN));
    }

    @Test
    void nobody_gets_in_without_a_good_credential() {
        for (var route : guarded()) {
            var missing = call(route, TestPlane.ACME).anonymously().send();
            var unknown = call(route, "nobody's-token").send();

            assertThat(missing.status()).as(route.operationId()).isEqualTo(401);
            assertThat(unknown.status()).as(route.operationId()).isEqualTo(401);
            assertThat(missing.header("WWW-Authenticate")).startsWith("Bearer");
        }
    }

    @Test
    void every_role_gets_where_it_may_go_and_nowhere_else() {
        for (var route : guarded()) {
            for (var role : Role.values()) {
                var answer = call(route, "acme-" + role.word()).send();
                assertThat(isForbidden(answer))
                        .as("%s as %s: %s", route.operationId(), role, answer.text())
                        .isEqualTo(!isAllowed(route, role));
            }
        }
    }

    @Test
    void a_header_that_names_another_tenant_is_refused_everywhere() {
        for (var route : guarded()) {
            var answer =
                    call(route, TestPlane.ACME).header("x-tenant-id", "globex").send();

            assertThat(answer.status()).as(route.operationId()).isEqualTo(403);
            assertThat(answer.code()).as(route.operationId()).isEqualTo("tenant_mismatch");
        }
    }

    @Test
    void another_tenants_things_are_not_there_for_any_role() {
        var things = new ThingsOfAcme(plane);
        long events = plane.auditEvents(TestPlane.ACME);
        // Those that make something of their own under the same name come last.
        var routes = guarded().stream()
                .sorted(Comparator.comparing(route -> expected(route).foreign()))
                .toList();
        for (var route : routes) {
            for (var role : Role.values()) {
                var answer = send(plane, route, things, "globex-only-" + role.word());
                var as = route.operationId() + " as " + role + ": " + answer.text();

                assertThat(answer.text())
                        .as("%s tells nothing of the other", as)
                        .doesNotContain(ThingsOfAcme.SECRET)
                        .doesNotContain(things.ids());
                if (!isAllowed(route, role)) {
                    assertThat(isForbidden(answer)).as(as).isTrue();
                    continue;
                }
                switch (expected(route).foreign()) {
                    case NOTHING -> assertThat(answer.status()).as(as).isEqualTo(404);
                    case REFUSED -> assertThat(answer.status()).as(as).isIn(403, 404);
                    case OWN -> assertThat(answer.status()).as(as).isNotEqualTo(500);
                }
            }
        }
        assertThat(plane.auditEvents(TestPlane.ACME))
                .as("nothing of acme's was touched")
                .isEqualTo(events);
    }

    @Test
    void the_owner_finds_each_of_these_things() {
        var naming = guarded().stream()
                .filter(route -> expected(route).foreign() != Foreign.OWN)
                .toList();
        for (var route : naming) {
            // What one route does to a thing must not hide it from the next.
            var fresh = plane();
            var answer = send(fresh, route, new ThingsOfAcme(fresh), TestPlane.ACME);

            assertThat(answer.status())
                    .as(route.operationId() + ": " + answer.text())
                    .isNotIn(401, 404, 500);
        }
    }

    private static TestPlane.Answer send(TestPlane plane, Route route, ThingsOfAcme things, String token) {
        var sending =
                plane.send(route.method(), path(route, things.ids())).as(token).body(body(route, plane));
        return (route.operationId().equals("submitPayment") ? sending.key("a-key-of-" + token) : sending).send();
    }

    private static String path(Route route, List<String> ids) {
        return ThingsOfAcme.path(route.pattern(), ids);
    }

    // Good enough to pass every check of form, so that the answer is about the thing that the path names.
    private static String body(Route route, TestPlane plane) {
        return switch (route.operationId()) {
            case "startJob", "heartbeat" -> "{\"worker_id\":\"w\",\"fence\":1}";
            case "recordResult" -> "{\"worker_id\":\"w\",\"fence\":1,\"status\":\"succeeded\"}";
            case "resolveJob" -> "{\"outcome\":\"failed\",\"reason\":\"r\"}";
            case "releaseIdempotencyKey", "redactAuditEvent" -> "{\"reason\":\"r\"}";
            case "putTenantLimits" -> "{\"max_concurrent_runs\":1}";
            case "startRun" -> "{\"input\":{}}";
            case "pollWork" -> "{\"worker_id\":\"w\",\"topics\":[\"job.default\"]}";
            case "submitPayment" ->
                Envelopes.valid(plane.clock.instant().plus(Duration.ofMinutes(5)))
                        .json();
            case "submitJob" -> "{\"topic\":\"job.default\"}";
            case "putWorkflow" -> "{\"steps\":[{\"id\":\"b\",\"topic\":\"job.a\"}]}";
            case "putWebhook" -> "{\"url\":\"https://192.0.2.1/own\"}";
            case "explainPolicy" -> "{\"job\":{\"topic\":\"job.default\"}}";
            case "dropAuditSegment" -> "{\"through\":1,\"reason\":\"r\"}";
            default -> "{}";
        };
    }

    private TestPlane.Sending call(Route route, String token) {
        return plane.send(route.method(), path(route, ThingsOfAcme.UNKNOWN))
                .as(token)
                .body(body(route, plane));
    }

    private static boolean isAllowed(Route route, Role role) {
        return role == Role.ADMIN || expected(route).roles().contains(role);
    }

    private static boolean isForbidden(TestPlane.Answer answer) {
        return answer.status() == 403 && answer.code().equals("forbidden");
    }

    private static Expected expected(Route route) {
        return Objects.requireNonNull(EXPECTED.get(route.operationId()), route.operationId());
    }

    private List<Route> guarded() {
        return plane.routes().stream()
                .filter(route -> route.access() instanceof Access.AnyOf)
                .toList();
    }
}
