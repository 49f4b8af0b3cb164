package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.dispatch.TopicRules;
import dev.nonbis.core.dispatch.TopicRules.LostWorker;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.problem.Retry;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.json.JsonValue.JsonString;
import dev.nonbis.server.Envelopes;
import dev.nonbis.server.http.Access;
import dev.nonbis.server.http.Method;
import dev.nonbis.server.http.Readiness;
import dev.nonbis.server.http.Route;
import dev.nonbis.testkit.store.MemoryBackend;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OpenApiTest {

    private static final String KEY = "order-1841";
    private static final Set<String> TOLD_HEADERS = Set.of(
            "Nonbis-Request-Id",
            "Idempotent-Replayed",
            "Nonbis-Original-Request",
            "Nonbis-Blocked-By",
            "Retry-After",
            "WWW-Authenticate");
    // Answered by the listener or by a store that fails, neither of which is here.
    private static final Set<String> OUT_OF_REACH = Set.of("413", "503", "default");

    // Any name that can be decoded is one that may be used.
    private static final Set<String> AT_ANY_NAME = Set.of("getBudgets", "putWorkflow", "putWebhook");

    private final ApiDocument document = new ApiDocument(
            new TestPlane().get("/openapi.json").anonymously().send().json());
    private final Set<String> seen = new TreeSet<>();

    @Test
    void every_route_is_described_and_everything_described_is_a_route() {
        var routes = new TestPlane().routes();

        assertThat(document.operations().stream().map(op -> op.method + " " + op.path + " " + op.id()))
                .containsExactlyInAnyOrderElementsOf(routes.stream()
                        .map(route -> route.method() + " " + route.pattern() + " " + route.operationId())
                        .toList());
        for (var route : routes) {
            var operation = document.operation(route.operationId());
            assertThat(rolesDescribed(operation)).as("roles of %s", operation).isEqualTo(roles(route));
            assertThat(operation.parameters("path").stream().map(OpenApiTest::name))
                    .as("path parameters of %s", operation)
                    .containsExactlyInAnyOrderElementsOf(Pattern.compile("\\{(\\w+)}")
                            .matcher(route.pattern())
                            .results()
                            .map(match -> match.group(1))
                            .toList());
        }
    }

    private static Optional<Set<String>> roles(Route route) {
        return switch (route.access()) {
            case Access.Open() -> Optional.empty();
            case Access.AnyOf(var roles, var unknown) ->
                Optional.of(roles.stream().map(Role::word).collect(Collectors.toSet()));
        };
    }

    private static Optional<Set<String>> rolesDescribed(ApiDocument.Operation operation) {
        return operation.isOpen()
                ? Optional.empty()
                : Optional.of(Set.copyOf(ApiDocument.strings(operation.json, "x-roles")));
    }

    @Test
    void the_document_is_valid_by_the_schema_of_openapi() {
        assertThat(document.root().string("openapi")).contains("3.1.0");
        assertThat(document.complaints()).isEmpty();
    }

    @Test
    void the_schema_of_openapi_finds_a_missing_title_and_an_unknown_type() {
        assertThat(complaints("{\"openapi\":\"3.1.0\",\"info\":{\"version\":\"1\"},\"paths\":{}}"))
                .isNotEmpty();
        assertThat(complaints("{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{}}"))
                .isEmpty();
        assertThat(complaints("{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{},"
                        + "\"components\":{\"schemas\":{\"A\":{\"type\":\"strng\"}}}}"))
                .isNotEmpty();
    }

    private static List<String> complaints(String json) {
        return new ApiDocument((JsonObject) Json.parse(json.getBytes(StandardCharsets.UTF_8))).complaints();
    }

    @Test
    void every_reference_leads_somewhere() {
        document.forEachObject((at, object) -> object.string("$ref").ifPresent(ref -> {
            var target = document.root();
            for (String name : ref.substring("#/".length()).split("/", -1)) {
                target = ApiDocument.object(target, name);
            }
        }));
    }

    @Test
    void every_object_with_named_members_is_closed() {
        document.forEachObject((at, object) -> {
            if (object.string("type").equals(Optional.of("object")) && object.has("properties")) {
                assertThat(object.bool("additionalProperties")).as(at).contains(false);
            }
        });
    }

    @Test
    void every_problem_code_is_listed_and_every_listed_code_exists() {
        assertThat(ApiDocument.strings(document.schema("ProblemCode"), "enum"))
                .containsExactlyElementsOf(Arrays.stream(ProblemCode.values())
                        .map(ProblemCode::word)
                        .toList());
        assertThat(ApiDocument.strings(document.schema("Retry"), "enum"))
                .containsExactlyElementsOf(
                        Arrays.stream(Retry.values()).map(Retry::word).toList());
        assertThat(ApiDocument.strings(document.schema("Role"), "enum"))
                .containsExactlyElementsOf(
                        Arrays.stream(Role.values()).map(Role::word).toList());
    }

    @Test
    void every_answer_has_an_example_that_fits_its_schema() {
        for (var operation : document.operations()) {
            operation
                    .responses()
                    .forEach((status, answer) -> answer.content().forEach((type, media) -> {
                        if (type.endsWith("json")) {
                            var examples = answer.examples(type);
                            assertThat(examples)
                                    .as("examples of %s %s", operation, status)
                                    .isNotEmpty();
                            examples.forEach((name, value) -> assertThat(document.misfits(answer.schema(type), value))
                                    .as("%s %s %s", operation, status, name)
                                    .isEmpty());
                        }
                    }));
        }
    }

    @Test
    void every_example_of_a_problem_says_what_its_code_says() {
        for (var operation : document.operations()) {
            operation.responses().forEach((status, answer) -> {
                if (answer.content().containsKey("application/problem+json")) {
                    answer.examples("application/problem+json")
                            .values()
                            .forEach(value -> checkProblem(status, (JsonObject) value));
                }
            });
        }
    }

    private static void checkProblem(String status, JsonObject example) {
        var code = ProblemCode.of(example.string("code").orElseThrow()).orElseThrow();
        assertThat(example.string("type")).contains("/problems/" + code.word());
        assertThat(example.string("title")).contains(code.title());
        assertThat(example.string("retry")).contains(code.retry().word());
        assertThat(example.integer("status")).contains((long) code.status());
        if (!status.equals("default")) {
            assertThat(status).isEqualTo(Integer.toString(code.status()));
        }
    }

    @Test
    void every_example_of_a_request_fits_its_schema_and_is_taken_by_the_server() {
        for (var operation : document.operations()) {
            if (operation.hasBody()) {
                assertThat(operation.requestExamples()).as(operation.id()).isNotEmpty();
            }
            operation.requestExamples().forEach((name, body) -> {
                assertThat(document.misfits(operation.requestSchema(), body))
                        .as("%s %s", operation, name)
                        .isEmpty();
                var answer = new World(new TestPlane())
                        .call(operation)
                        .body(Json.write(body))
                        .send();
                assertThat(answer.status())
                        .as("%s %s: %s", operation, name, answer.text())
                        .isEqualTo(200);
                check(operation, answer);
            });
        }
    }

    @Test
    void the_hashes_in_the_examples_are_the_real_ones() {
        var world = new World(new TestPlane());
        var submit = document.operation("submitJob");
        var fresh = submit.response("200").example("fresh");

        assertThat(world.call(submit)
                        .body(Json.write(submit.requestExample("full")))
                        .send()
                        .string("request_hash"))
                .isEqualTo(fresh.string("request_hash").orElseThrow());
        var put = document.operation("putWorkflow");
        var stored = put.response("200").example("stored");
        assertThat(world.call(put)
                        .body(Json.write(put.requestExample("refund")))
                        .send()
                        .string("hash"))
                .isEqualTo(stored.string("hash").orElseThrow());
    }

    @Test
    void every_query_parameter_is_known_to_the_server_and_no_other_is() {
        for (var operation : document.operations()) {
            var parameters = operation.parameters("query");
            var world = new World(new TestPlane());
            for (var parameter : parameters) {
                var answer = world.plane
                        .get(operation.path + "?" + name(parameter) + "="
                                + text(parameter.get("example").orElseThrow()))
                        .send();
                assertThat(answer.status())
                        .as("%s %s: %s", operation, name(parameter), answer.text())
                        .isEqualTo(200);
                check(operation, answer);
            }
            if (!parameters.isEmpty()) {
                assertThat(world.plane.get(operation.path + "?nope=1").send().code())
                        .isEqualTo("invalid_query");
            }
        }
    }

    @Test
    void an_empty_query_parameter_is_taken_where_the_document_says_so() {
        for (var operation : document.operations()) {
            for (var parameter : operation.parameters("query")) {
                boolean taken = parameter.bool("allowEmptyValue").orElse(false);
                check(
                        operation,
                        new World(new TestPlane())
                                .plane
                                .get(operation.path + "?" + name(parameter) + "=")
                                .send(),
                        taken ? 200 : 400);
            }
        }
    }

    @Test
    void a_path_with_a_control_character_is_answered_as_described() {
        for (var operation : document.operations()) {
            if (operation.path.contains("{")) {
                check(
                        operation,
                        new TestPlane()
                                .send(Method.valueOf(operation.method), undecodable(operation))
                                .send(),
                        404);
            }
        }
    }

    private static String undecodable(ApiDocument.Operation operation) {
        return operation.path.replaceAll("\\{\\w+}", "%01");
    }

    @Test
    void what_is_wrong_with_an_envelope_is_described_for_an_explanation_too() {
        var explain = document.operation("explainPolicy");
        var payment = new String(Json.write(explain.requestExample("payment")), StandardCharsets.UTF_8);

        check(
                explain,
                new World(new TestPlane())
                        .call(explain)
                        .body(payment.replace("\"0.05\"", "\"0\""))
                        .send(),
                400);
    }

    @Test
    void the_largest_fence_that_is_described_is_the_largest_that_is_taken() {
        var start = document.operation("startJob");
        long largest = document.schema("Fence").integer("maximum").orElseThrow();
        var body = "{\"worker_id\":\"worker-1\",\"fence\":%d}";

        check(
                start,
                new World(new TestPlane())
                        .call(start)
                        .body(body.formatted(largest))
                        .send(),
                409);
        check(
                start,
                new World(new TestPlane())
                        .call(start)
                        .body(body.formatted(largest + 1))
                        .send(),
                400);
    }

    @Test
    void every_answer_fits_its_description_and_every_described_answer_is_given() {
        var world = new World(new TestPlane());
        document.operations().forEach(operation -> refusals(world, operation));
        keyedAnswers();
        policyAnswers();
        atTheLimit();
        workerAnswers();
        decisions();
        paymentAnswers();
        document.operations().stream()
                .filter(op -> op.method.equals("GET"))
                .forEach(op -> check(op, world.call(op).send()));
        document.operations().stream().filter(op -> !op.method.equals("GET")).forEach(op -> example(world, op));
        world.plane.readiness = new Readiness(
                false, JsonObject.builder().put("store", "unavailable").build());
        check(document.operation("getReadiness"), world.plane.get("/readyz").send());

        var described = new TreeSet<String>();
        document.operations()
                .forEach(op -> op.responses().keySet().stream()
                        .filter(status -> !OUT_OF_REACH.contains(status))
                        .forEach(status -> described.add(op.id() + " " + status)));
        assertThat(seen).containsAll(described);
    }

    /** What anybody can do wrong with any operation. */
    private void refusals(World world, ApiDocument.Operation operation) {
        if (!operation.isOpen()) {
            check(operation, world.call(operation).anonymously().send(), 401);
            check(operation, world.call(operation).as("nobody").send(), 401);
            check(
                    operation,
                    world.call(operation).header("x-tenant-id", "globex").send(),
                    403);
            Arrays.stream(Role.values())
                    .filter(role -> role != Role.ADMIN
                            && !rolesDescribed(operation).orElseThrow().contains(role.word()))
                    .forEach(role -> check(
                            operation,
                            world.call(operation).as("acme-" + role.word()).send(),
                            403));
        }
        if (operation.hasBody()) {
            check(operation, world.call(operation).body("{\"nope\":1}").send(), 400);
            check(operation, world.call(operation).body("{").send(), 400);
            check(operation, world.call(operation).body("{\"a\":1,\"a\":1}").send(), 400);
            check(
                    operation,
                    world.call(operation)
                            .body("{}")
                            .header("content-type", "text/plain")
                            .send(),
                    415);
        }
        if (!operation.parameters("query").isEmpty()) {
            check(operation, world.plane.get(operation.path + "?nope=1").send(), 400);
        }
        if (operation.responses().containsKey("404")) {
            var body = operation.requestExamples().values().stream().findFirst();
            var path = AT_ANY_NAME.contains(operation.id()) ? undecodable(operation) : World.nowhere(operation.path);
            var call = world.plane.send(Method.valueOf(operation.method), path);
            body.ifPresent(json -> call.body(Json.write(json)));
            check(operation, call.send(), 404);
        }
    }

    private void keyedAnswers() {
        for (var operation : List.of(document.operation("submitJob"), document.operation("startRun"))) {
            var world = new World(new TestPlane());
            var body =
                    Json.write(operation.requestExamples().values().iterator().next());
            check(operation, world.call(operation).key("k").body(body).send(), 200);
            var replay = world.call(operation).key("k").body(body).send();
            assertThat(replay.replayed()).isTrue();
            check(operation, replay, 200);
            String other = operation.id().equals("submitJob") ? "{\"topic\":\"job.other\"}" : "{\"input\":{\"x\":1}}";
            check(operation, world.call(operation).key("k").body(other).send(), 422);
            check(operation, world.call(operation).key("a b").body(body).send(), 400);
            var strict = new TestPlane(
                    new DirectStore(new MemoryBackend()),
                    Policy.ALLOW_ALL,
                    Settings.DEFAULTS,
                    EnumSet.allOf(Operation.class));
            check(operation, new World(strict).call(operation).body(body).send(), 400);
        }
    }

    private void paymentAnswers() {
        var submit = document.operation("submitPayment");
        var world = new World(new TestPlane());
        var body = Json.write(submit.requestExample("api_call"));
        var other = Json.write(submit.requestExample("transfer"));
        check(submit, world.call(submit).key("k").body(body).send(), 200);
        var replay = world.call(submit).key("k").body(body).send();
        assertThat(replay.replayed()).isTrue();
        check(submit, replay, 200);
        check(submit, world.call(submit).key("k").body(other).send(), 409);
        check(submit, world.call(submit).key("k2").body(body).send(), 409);
        check(submit, world.call(submit).key("a b").body(other).send(), 400);
    }

    private void policyAnswers() {
        var submit = document.operation("submitJob");
        var denying = new World(ruledBy(new Verdict.Deny(Optional.of("no-refunds"), "refund_too_big")));
        var body = Json.write(submit.requestExample("full"));
        check(submit, denying.call(submit).key("k").body(body).send(), 403);
        check(submit, denying.call(submit).key("k").body(body).send(), 403);
        check(
                document.operation("cancelJob"),
                denying.call(document.operation("cancelJob")).send(),
                409);
        check(
                document.operation("cancelRun"),
                denying.call(document.operation("cancelRun")).send(),
                409);
        var throttling = new World(ruledBy(new Verdict.Throttle(Optional.empty(), Duration.ofSeconds(3))), false);
        check(submit, throttling.call(submit).body(body).send(), 429);
        var asking = new World(ruledBy(new Verdict.RequireApproval(Optional.empty())));
        check(submit, asking.call(submit).body(body).send(), 200);
        var retry = document.operation("retryDeadLetter");
        for (var later : List.of(
                new Verdict.Deny(Optional.of("no-refunds"), "refund_too_big"),
                new Verdict.Throttle(Optional.empty(), Duration.ofSeconds(3)))) {
            var verdict = new Verdict[] {new Verdict.Allow(Optional.empty())};
            var world = new World(new TestPlane(
                    new DirectStore(new MemoryBackend()),
                    (tenant, job) -> new Policy.Ruling(verdict[0], Optional.empty()),
                    Settings.DEFAULTS));
            var call = world.call(retry);
            verdict[0] = later;
            check(retry, call.send(), later instanceof Verdict.Deny ? 403 : 429);
        }
    }

    private static TestPlane ruledBy(Verdict verdict) {
        return new TestPlane(
                new DirectStore(new MemoryBackend()),
                (tenant, job) -> new Policy.Ruling(verdict, Optional.of("a".repeat(64))),
                Settings.DEFAULTS);
    }

    private void workerAnswers() {
        var world = new World(new TestPlane());
        var start = document.operation("startJob");
        var beat = document.operation("heartbeat");
        var report = document.operation("recordResult");
        String first = "{\"worker_id\":\"worker-1\",\"fence\":1}";
        String other = "{\"worker_id\":\"worker-2\",\"fence\":1}";
        String done = "{\"worker_id\":\"worker-1\",\"fence\":1,\"status\":\"succeeded\"}";
        check(start, world.call(start).body(first).send(), 200);
        check(start, world.call(start).body(first).send(), 200);
        check(start, world.call(start).body(other).send(), 409);
        check(beat, world.call(beat).body(other).send(), 409);
        check(
                report,
                world.call(report)
                        .body(other.replace("}", ",\"status\":\"failed\"}"))
                        .send(),
                409);
        check(report, world.call(report).body(done).send(), 200);
        check(report, world.call(report).body(done).send(), 200);
        check(
                report,
                world.call(report).body(done.replace("succeeded", "failed")).send(),
                409);
        var poll = document.operation("pollWork");
        var body = "{\"worker_id\":\"worker-1\",\"topics\":[\"job.default\",\"job.refund\"],\"max\":10}";
        check(poll, world.call(poll).body(body).send(), 200);
        var resolve = document.operation("resolveJob");
        String word = "{\"outcome\":\"failed\",\"reason\":\"seen\"}";
        check(resolve, world.call(resolve).body(word).send(), 200);
        check(resolve, world.call(resolve).body(word).send(), 200);
        check(resolve, world.call(resolve).body(word.replace("failed", "retry")).send(), 409);
        var retry = document.operation("retryDeadLetter");
        check(retry, world.call(retry).send(), 200);
        check(retry, world.call(retry).send(), 200);
        var list = document.operation("listDeadLetters");
        check(list, world.call(list).send(), 200);
    }

    private void atTheLimit() {
        var world = new World(new TestPlane());
        world.plane
                .put("/api/v1/tenants/acme/limits")
                .body("{\"max_concurrent_runs\":1}")
                .send();
        var start = document.operation("startRun");
        check(start, world.call(start).body("{}").send(), 429);
    }

    private void decisions() {
        for (var operation : List.of(document.operation("approve"), document.operation("reject"))) {
            var world = new World(new TestPlane());
            check(operation, world.call(operation).as(TestPlane.DAVE).send(), 403);
            check(
                    operation,
                    world.call(operation).body("{\"request_hash\":\"0\"}").send(),
                    409);
            check(operation, world.call(operation).body("{\"reason\":\"r\"}").send(), 200);
            var replay = world.call(operation).send();
            assertThat(replay.replayed()).isTrue();
            check(operation, replay, 200);
            check(
                    document.operation("listApprovals"),
                    world.plane.get("/api/v1/approvals?status=decided").send(),
                    200);
            check(
                    document.operation("getApproval"),
                    world.call(document.operation("getApproval")).send(),
                    200);
            var opposite = document.operation(operation.id().equals("approve") ? "reject" : "approve");
            check(opposite, world.call(opposite).send(), 409);
        }
    }

    private void example(World world, ApiDocument.Operation operation) {
        if (!operation.hasBody()) {
            check(operation, world.call(operation).send());
        }
        operation
                .requestExamples()
                .values()
                .forEach(body -> check(
                        operation, world.call(operation).body(Json.write(body)).send()));
    }

    private void check(ApiDocument.Operation operation, TestPlane.Answer answer, int status) {
        assertThat(answer.status()).as("%s: %s", operation, answer.text()).isEqualTo(status);
        check(operation, answer);
    }

    private void check(ApiDocument.Operation operation, TestPlane.Answer answer) {
        String status = Integer.toString(answer.status());
        assertThat(operation.responses())
                .as("%s answers %s: %s", operation, status, answer.text())
                .containsKey(status);
        var described = operation.response(status);
        String type = answer.response().contentType().replaceFirst(";.*", "");
        assertThat(described.content()).as("%s %s", operation, status).containsKey(type);
        if (type.endsWith("json")) {
            assertThat(document.misfits(
                            described.schema(type), Json.parse(answer.response().body())))
                    .as("%s %s: %s", operation, status, answer.text())
                    .isEmpty();
        }
        assertThat(answer.response().headers()).containsKey("Nonbis-Request-Id");
        answer.response().headers().keySet().stream()
                .filter(TOLD_HEADERS::contains)
                .forEach(name -> assertThat(described.hasHeader(name))
                        .as("%s %s %s", operation, status, name)
                        .isTrue());
        seen.add(operation.id() + " " + status);
    }

    private static String name(JsonObject parameter) {
        return parameter.string("name").orElseThrow();
    }

    private static String text(JsonValue example) {
        return switch (example) {
            case JsonString(var text) -> text;
            case JsonArray(var items) -> text(items.getFirst());
            case JsonNumber number -> new String(Json.write(number), StandardCharsets.UTF_8);
            default -> throw new AssertionError("no example for a query: " + example);
        };
    }

    /** A plane with one of everything, so that every path leads somewhere. */
    private final class World {

        final TestPlane plane;
        private final String job;
        private final String run;
        private final String waiting;
        private final Map<JobState, String> worked = new EnumMap<>(JobState.class);
        private final String payment;
        private int keys;

        World(TestPlane plane) {
            this(plane, true);
        }

        World(TestPlane plane, boolean withJob) {
            this.plane = plane;
            var definition = Json.write(document.operation("putWorkflow").requestExample("refund"));
            plane.put("/api/v1/workflows/refund").body(definition).send();
            // A checkpoint that a segment can be dropped up to.
            plane.post("/api/v1/audit/checkpoints").send();
            var input = "{\"input\":{\"order\":\"1841\",\"eur\":24.5}}";
            run = plane.post("/api/v1/workflows/refund/runs")
                    .key(KEY)
                    .body(input)
                    .send()
                    .string("run_id");
            job = withJob
                    ? plane.post("/api/v1/jobs")
                            .key(KEY)
                            .body("{\"topic\":\"job.default\"}")
                            .send()
                            .string("job_id")
                    : "none";
            waiting = waitingJob();
            payment = plane.post("/v1/payment-requests")
                    .key("world")
                    .body(Envelopes.valid(plane.clock.instant()).json())
                    .send()
                    .string("payment_id");
            plane.post("/api/v1/audit/checkpoints").send();
            plane.put("/api/v1/webhooks/mirror")
                    .body("{\"url\":\"https://hooks.example.com/\"}")
                    .send();
        }

        /** The job of a step that waits for a human other than the caller. */
        private String waitingJob() {
            plane.put("/api/v1/workflows/ask").body("""
                    {"steps":[{"id":"refund","topic":"job.refund","approval":true,"input":{"order":"1841","eur":24.5}}]}""").send();
            String asked = plane.post("/api/v1/workflows/ask/runs")
                    .key("ask")
                    .as(TestPlane.DAVE)
                    .body("{}")
                    .send()
                    .string("run_id");
            return JobId.ofStep(new RunId(asked), "refund").value();
        }

        /** The job in a state to which workers and time have brought it, always the same one; FAILED has a dead letter. */
        private String workedOn(JobState state) {
            return worked.computeIfAbsent(state, wanted -> {
                if (wanted == JobState.UNKNOWN) {
                    plane.topicRules = new TopicRules(Duration.ofMinutes(5), Duration.ofMillis(1), 50, LostWorker.HOLD);
                }
                String id = plane.post("/api/v1/jobs")
                        .body("{\"topic\":\"job.default\",\"max_attempts\":1}")
                        .send()
                        .string("job_id");
                plane.settle();
                if (wanted != JobState.DISPATCHED) {
                    plane.post("/api/v1/jobs/" + id + "/start")
                            .body("{\"worker_id\":\"worker-1\",\"fence\":1}")
                            .send();
                }
                if (wanted == JobState.UNKNOWN) {
                    plane.clock.advance(Duration.ofMillis(1));
                    plane.settle();
                    plane.topicRules = TopicRules.DEFAULTS;
                }
                if (wanted == JobState.FAILED) {
                    plane.post("/api/v1/jobs/" + id + "/result")
                            .body("{\"worker_id\":\"worker-1\",\"fence\":1,\"status\":\"retryable\"}")
                            .send();
                }
                return id;
            });
        }

        TestPlane.Sending call(ApiDocument.Operation operation) {
            var call = plane.send(Method.valueOf(operation.method), target(operation.path));
            return operation.id().equals("submitPayment") ? call.key("pay-" + keys++) : call;
        }

        private String target(String path) {
            String worker = switch (path) {
                case "/api/v1/jobs/{id}/start" -> path.replace("{id}", workedOn(JobState.DISPATCHED));
                case "/api/v1/jobs/{id}/heartbeat", "/api/v1/jobs/{id}/result" ->
                    path.replace("{id}", workedOn(JobState.RUNNING));
                case "/api/v1/jobs/{id}/resolve" -> path.replace("{id}", workedOn(JobState.UNKNOWN));
                case "/api/v1/dlq/{id}", "/api/v1/dlq/{id}/retry" -> path.replace("{id}", workedOn(JobState.FAILED));
                default -> path;
            };
            return worker.replace("/jobs/{id}", "/jobs/" + job)
                    .replace("/payment-requests/{id}", "/payment-requests/" + payment)
                    .replace("{agent}", "research-agent-01")
                    .replace("{seq}", "2")
                    .replace("/approvals/{id}", "/approvals/" + waiting)
                    .replace("/runs/{id}", "/runs/" + run)
                    .replace("/workflows/{id}", "/workflows/refund")
                    .replace("/webhooks/{id}", "/webhooks/mirror")
                    .replace("{tenant}", "acme")
                    .replace("{operation}", "jobs")
                    .replace("{key}", KEY)
                    .replace("{code}", "method_not_allowed");
        }

        static String nowhere(String path) {
            return path.replace("{tenant}", "globex")
                    .replace("{operation}", "jobs")
                    .replaceAll("\\{\\w+}", "nowhere");
        }
    }
}
