package dev.nonbis.server.http;

import static dev.nonbis.server.http.Requests.code;
import static dev.nonbis.server.http.Requests.get;
import static dev.nonbis.server.http.Requests.json;
import static dev.nonbis.server.http.Requests.post;
import static dev.nonbis.server.http.Requests.request;
import static dev.nonbis.server.http.Requests.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.json.JsonRefused;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RouterTest {

    private static final Actor ALICE = new Actor(new TenantId("acme"), "alice", Set.of(Role.SUBMITTER));

    private final List<String> answered = new ArrayList<>();
    private final Router router = router(
            route(Method.GET, "/jobs", "list"),
            route(Method.POST, "/jobs", "submit"),
            route(Method.GET, "/jobs/{id}", "get"),
            route(Method.POST, "/jobs/{id}/cancel", "cancel"),
            route(Method.GET, "/jobs/stats", "stats"),
            route(Method.GET, "/keys/{operation}/{key}", "key"),
            new Route(Method.GET, "/open", Access.open(), "open", call -> text("open")),
            new Route(Method.GET, "/operators", Access.anyOf(Role.OPERATOR), "operators", call -> text("operators")));

    private Router router(Route... routes) {
        return router(Failures.NONE, routes);
    }

    private Router router(Failures failures, Route... routes) {
        Authenticator byName = request -> request.header("authorization")
                .<Authenticator.Result>map(
                        name -> name.equals("alice") ? new Authenticator.Known(ALICE) : new Authenticator.Invalid())
                .orElseGet(Authenticator.Missing::new);
        return new Router(
                List.of(routes),
                new Router.Parts(byName, failures, (id, status, nanos) -> answered.add(id + " " + status)));
    }

    private static Route route(Method method, String pattern, String id) {
        return new Route(
                method,
                pattern,
                Access.anyOf(Role.SUBMITTER),
                id,
                call -> text(id + call.request().pathParams()));
    }

    private static Response text(String text) {
        return new Response(200, "text/plain", Map.of(), text.getBytes(StandardCharsets.UTF_8));
    }

    private Response asAlice(Request request) {
        return router.handle(with(request, "authorization", "alice"));
    }

    private static String body(Response response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET    | /jobs                 | list{}",
                "HEAD   | /jobs                 | list{}",
                "POST   | /jobs                 | submit{}",
                "GET    | /jobs/job_1           | get{id=job_1}",
                "GET    | /jobs/stats           | stats{}",
                "POST   | /jobs/stats/cancel    | cancel{id=stats}",
                "GET    | /jobs/a%20b           | get{id=a b}",
                "GET    | /jobs/%73tats         | stats{}",
                "GET    | /keys/jobs/a%2Fb+c    | key{key=a/b+c, operation=jobs}",
                "GET    | /jobs/%C3%A9          | get{id=é}",
            })
    void a_path_finds_its_route(String method, String path, String answer) {
        assertThat(body(asAlice(request(method, path, "")))).isEqualTo(answer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "",
                "*",
                "/job",
                "/jobs/",
                "//jobs",
                "/jobs//cancel",
                "/jobs/a/b",
                "/jobs%2Fstats",
                "/jobs/..",
                "/jobs/.",
                "/jobs/%",
                "/jobs/%4",
                "/jobs/%zz",
                "/jobs/%00",
                "/jobs/%0a",
                "/jobs/%ff",
                "/jobs/%C3",
                "/jobs/a\u00e9",
                "http://x/jobs"
            })
    void any_other_path_is_not_found(String path) {
        var response = asAlice(get(path));

        assertThat(response.status()).isEqualTo(404);
        assertThat(code(response)).isEqualTo("not_found");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DELETE  | /jobs          | GET, HEAD, POST, OPTIONS",
                "PATCH   | /jobs          | GET, HEAD, POST, OPTIONS",
                "PUT     | /jobs/x        | GET, HEAD, OPTIONS",
                "TRACE   | /jobs/x        | GET, HEAD, OPTIONS",
                "GET     | /jobs/x/cancel | POST, OPTIONS"
            })
    void another_method_is_told_which_ones_there_are(String method, String path, String allow) {
        var response = asAlice(request(method, path, ""));

        assertThat(code(response)).isEqualTo("method_not_allowed");
        assertThat(response.headers()).containsEntry("Allow", allow);
    }

    @ParameterizedTest
    @ValueSource(strings = {"get", "BREW", "CONNECT"})
    void a_method_of_no_path_is_not_implemented(String method) {
        var response = asAlice(request(method, "/jobs/x", ""));

        assertThat(response.status()).isEqualTo(501);
        assertThat(code(response)).isEqualTo("not_implemented");
    }

    @Test
    void options_names_the_methods_of_a_path() {
        assertThat(router.handle(request("OPTIONS", "/jobs/x", "")).headers())
                .containsEntry("Allow", "GET, HEAD, OPTIONS");
        assertThat(router.handle(request("OPTIONS", "*", "")).status()).isEqualTo(204);
        assertThat(code(router.handle(request("OPTIONS", "/nowhere", "")))).isEqualTo("not_found");
    }

    @Test
    void the_body_of_a_caller_who_is_not_known_or_not_allowed_is_never_read() {
        Incoming unread = new Incoming() {
            @Override
            public void authenticated(Actor actor) {}

            @Override
            public byte[] body(int maxBytes) {
                throw new AssertionError("the body was read");
            }
        };

        assertThat(router.handle(get("/jobs"), unread).status()).isEqualTo(401);
        assertThat(router.handle(with(get("/operators"), "authorization", "alice"), unread)
                        .status())
                .isEqualTo(403);
        assertThat(router.handle(get("/nowhere"), unread).status()).isEqualTo(404);
    }

    @Test
    void every_answer_carries_the_request_id() {
        assertThat(asAlice(get("/jobs")).headers()).containsEntry("Nonbis-Request-Id", "req_1");
        assertThat(asAlice(get("/nowhere")).headers()).containsEntry("Nonbis-Request-Id", "req_1");
        assertThat(json(asAlice(get("/nowhere"))).string("instance")).contains("urn:nonbis:request:req_1");
    }

    @Test
    void an_open_route_asks_for_no_credential() {
        assertThat(body(router.handle(with(get("/open"), "authorization", "nobody"))))
                .isEqualTo("open");
    }

    @Test
    void a_caller_without_a_credential_is_challenged() {
        var response = router.handle(get("/jobs"));

        assertThat(response.status()).isEqualTo(401);
        assertThat(code(response)).isEqualTo("unauthenticated");
        assertThat(response.headers()).containsEntry("WWW-Authenticate", "Bearer");
    }

    @Test
    void a_caller_with_an_unknown_credential_is_told_so() {
        var response = router.handle(with(get("/jobs"), "authorization", "mallory"));

        assertThat(code(response)).isEqualTo("unauthenticated");
        assertThat(response.headers()).containsEntry("WWW-Authenticate", "Bearer error=\"invalid_token\"");
    }

    @Test
    void a_caller_without_the_role_is_told_which_one_is_missing() {
        var response = asAlice(get("/operators"));

        assertThat(response.status()).isEqualTo(403);
        assertThat(code(response)).isEqualTo("forbidden");
        assertThat(body(response)).contains("\"roles\":[\"operator\"]");
    }

    @Test
    void a_tenant_header_must_name_the_credentials_tenant() {
        assertThat(asAlice(with(get("/jobs"), "x-tenant-id", "acme")).status()).isEqualTo(200);
        assertThat(code(asAlice(with(get("/jobs"), "x-tenant-id", "other")))).isEqualTo("tenant_mismatch");
        assertThat(code(asAlice(with(get("/jobs"), "x-tenant-id", "acme", "other"))))
                .isEqualTo("tenant_mismatch");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "Application/JSON",
                "application/json; charset=utf-8",
                "application/json;charset=\"UTF-8\""
            })
    void a_body_may_be_json(String type) {
        assertThat(asAlice(with(post("/jobs", "{}"), "content-type", type)).status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"text/plain", "application/xml", "", "application/jsonp", "application/json; charset=latin1"})
    void a_body_may_be_nothing_else(String type) {
        assertThat(code(asAlice(with(post("/jobs", "{}"), "content-type", type))))
                .isEqualTo("unsupported_media_type");
    }

    @Test
    void a_body_need_not_say_what_it_is_and_no_body_may_say_anything() {
        assertThat(asAlice(post("/jobs", "{}")).status()).isEqualTo(200);
        assertThat(asAlice(with(get("/jobs"), "content-type", "text/plain")).status())
                .isEqualTo(200);
    }

    @Test
    void a_failure_that_nobody_foresaw_tells_nothing_about_itself() {
        var failing = router(new Route(Method.GET, "/x", Access.open(), "x", call -> {
            throw new IllegalStateException("secret");
        }));

        var response = failing.handle(get("/x"));

        assertThat(response.status()).isEqualTo(500);
        assertThat(code(response)).isEqualTo("internal_error");
        assertThat(body(response)).doesNotContain("secret").doesNotContain("Exception");
    }

    @Test
    void a_failure_of_the_world_is_told_as_such() {
        var busy =
                Problem.of(ProblemCode.STORE_UNAVAILABLE, "The store is away.").after(Duration.ofMillis(1200));
        var failing = router(failure -> Optional.of(busy), new Route(Method.GET, "/x", Access.open(), "x", call -> {
            throw new IllegalStateException("connection refused");
        }));

        var response = failing.handle(get("/x"));

        assertThat(code(response)).isEqualTo("store_unavailable");
        assertThat(response.headers()).containsEntry("Retry-After", "2");
        assertThat(response.contentType()).isEqualTo("application/problem+json");
    }

    @ParameterizedTest
    @CsvSource({"SYNTAX,malformed_json", "TOO_DEEP,json_too_deep", "NOT_CANONICAL,json_not_canonical"})
    void json_that_is_refused_says_which_rule_it_broke(JsonRefused.Reason reason, String code) {
        var refusing = router(new Route(Method.GET, "/x", Access.open(), "x", call -> {
            throw new JsonRefused(reason, "at byte 3");
        }));

        assertThat(code(refusing.handle(get("/x")))).isEqualTo(code);
    }

    @Test
    void the_observer_hears_of_every_answer() {
        asAlice(get("/jobs/1"));
        asAlice(get("/nowhere"));
        router.handle(get("/jobs"));

        assertThat(answered).containsExactly("get 200", "unmatched 404", "list 401");
    }

    @Test
    void two_routes_for_one_path_are_a_mistake_of_ours() {
        assertThatIllegalStateException()
                .isThrownBy(() -> router(route(Method.GET, "/a/{x}", "one"), route(Method.GET, "/a/{y}", "two")));
    }
}
