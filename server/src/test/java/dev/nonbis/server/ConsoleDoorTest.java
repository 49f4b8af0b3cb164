package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who gets into the console, and what the door lets through. */
class ConsoleDoorTest {

    private static final Pattern FORM_TOKEN = Pattern.compile("name=\"form_token\" value=\"([0-9a-f]+)\"");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Scene scene;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        scene = new Scene(directory);
    }

    @AfterEach
    void stop() {
        scene.close();
        client.close();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(scene.server.url() + path));
    }

    private HttpResponse<String> get(String path, String cookie) {
        return send(to(path).header("Cookie", cookie));
    }

    private HttpResponse<String> post(String path, String cookie, Map<String, String> fields) {
        String body = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return send(to(path).header("Cookie", cookie)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> enter(String key) {
        return post("/sign-in", "a=b", Map.of("key", key, "next", "/jobs"));
    }

    private String signIn(String key) {
        return cookie(enter(key));
    }

    private static String cookie(HttpResponse<String> response) {
        return response.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
    }

    private String formToken(String cookie) {
        var matcher = FORM_TOKEN.matcher(get("/", cookie).body());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    private String state(String job) {
        return scene.server.get("/api/v1/jobs/" + job, RealServer.ACME).string("state");
    }

    @Test
    void a_key_opens_a_session_that_no_script_sees_and_that_does_not_hold_the_key_in_clear() {
        var entered = enter(RealServer.ACME);

        assertThat(entered.statusCode()).isEqualTo(303);
        assertThat(entered.headers().firstValue("Location")).contains("/jobs");
        var cookie = entered.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("HttpOnly").contains("SameSite=Strict").contains("Path=/");
        assertThat(cookie).doesNotContain(RealServer.ACME);
        assertThat(get("/", signIn(RealServer.ACME)).body())
                .contains("Overview")
                .contains("alice");
    }

    @Test
    void a_wrong_key_and_a_cookie_that_was_changed_open_nothing() {
        assertThat(enter("nobody").statusCode()).isEqualTo(403);
        var cookie = signIn(RealServer.ACME);
        var changed = cookie.substring(0, cookie.length() - 2) + (cookie.endsWith("A") ? "BB" : "AA");
        // Where the last character stands for fewer than six bits, this one may stand for the same.
        var other = cookie.substring(0, cookie.length() - 1) + neighbour(cookie.charAt(cookie.length() - 1));
        for (var bad : new String[] {"a=b", "nonbis_session=", "nonbis_session=%%%", changed, other, cookie + "="}) {
            assertThat(get("/jobs", bad).statusCode()).as(bad).isEqualTo(303);
            assertThat(get("/jobs", bad).headers().firstValue("Location")).contains("/sign-in?next=%2Fjobs");
        }
    }

    private static char neighbour(char digit) {
        var digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        return digits.charAt(digits.indexOf(digit) ^ 1);
    }

    @Test
    void after_sign_in_only_paths_of_this_server_are_gone_to() {
        for (var next : new String[] {"//evil.example", "https://evil.example", "/\\evil.example", "/\n"}) {
            var entered = post("/sign-in", "a=b", Map.of("key", RealServer.ACME, "next", next));
            assertThat(entered.headers().firstValue("Location")).as(next).contains("/");
        }
    }

    @Test
    void a_form_that_does_not_say_what_is_decided_decides_nothing() {
        var job = scene.refund("vague", 300);
        var cookie = signIn(RealServer.BOB);
        var token = formToken(cookie);

        for (var fields : List.of(
                Map.of("form_token", token),
                Map.of("form_token", token, "decision", "maybe", "request_hash", hash(job)),
                Map.of("form_token", token, "decision", "approve"))) {
            assertThat(post("/approvals/" + job, cookie, fields).statusCode()).isEqualTo(303);
            assertThat(state(job)).isEqualTo("APPROVAL");
        }
    }

    @Test
    void a_form_that_does_not_say_what_to_do_with_a_dead_letter_does_nothing() {
        scene.play();
        var cookie = signIn(RealServer.ACME);
        var before = scene.server.get("/api/v1/dlq", RealServer.ACME).body();
        var letter = before.replaceFirst("(?s).*?\"job_id\":\"([^\"]+)\".*", "$1");
        assertThat(letter).startsWith("job_");

        for (var action : List.of("", "burn")) {
            var fields = Map.of("form_token", formToken(cookie), "action", action);
            assertThat(post("/dead-letters/" + letter, cookie, fields).statusCode())
                    .isEqualTo(303);
        }

        assertThat(scene.server.get("/api/v1/dlq", RealServer.ACME).body()).isEqualTo(before);
    }

    private String hash(String job) {
        return scene.server.get("/api/v1/approvals/" + job, RealServer.ACME).string("request_hash");
    }

    @Test
    void a_form_without_the_sessions_token_does_nothing() {
        var job = scene.refund("forged", 300);
        var cookie = signIn(RealServer.BOB);
        var fields = new LinkedHashMap<>(Map.of("decision", "approve", "request_hash", hash(job)));

        assertThat(post("/approvals/" + job, cookie, fields).statusCode()).isEqualTo(403);
        fields.put("form_token", formToken(signIn(RealServer.CAROL)));
        assertThat(post("/approvals/" + job, cookie, fields).statusCode()).isEqualTo(403);
        assertThat(state(job)).isEqualTo("APPROVAL");

        fields.put("form_token", formToken(cookie));
        assertThat(post("/approvals/" + job, cookie, fields).statusCode()).isEqualTo(303);
        assertThat(state(job)).isNotEqualTo("APPROVAL");
    }

    @Test
    void looking_decides_nothing_and_a_stale_page_cannot_decide() {
        var job = scene.refund("looked-at", 300);
        var cookie = signIn(RealServer.BOB);
        get("/approvals/" + job + "?decision=approve", cookie);
        send(to("/approvals/" + job).header("Cookie", cookie).method("HEAD", HttpRequest.BodyPublishers.noBody()));
        assertThat(state(job)).isEqualTo("APPROVAL");

        var stale = post(
                "/approvals/" + job,
                cookie,
                Map.of("decision", "approve", "form_token", formToken(cookie), "request_hash", "0".repeat(64)));
        assertThat(get("/approvals/" + job, cookie + "; " + cookie(stale)).body())
                .contains("approval_stale_request");
        assertThat(state(job)).isEqualTo("APPROVAL");
    }

    @Test
    void roles_are_those_of_the_key() {
        var job = scene.refund("roles", 300);
        var bob = signIn(RealServer.BOB);

        assertThat(get("/", bob).body()).doesNotContain("href=\"/audit\"").doesNotContain("href=\"/requests\"");
        assertThat(get("/audit", bob).statusCode()).isEqualTo(403);
        assertThat(get("/requests", bob).statusCode()).isEqualTo(403);
        assertThat(get("/requests/key?operation=jobs&key=roles", bob).statusCode())
                .isEqualTo(403);
        var cancelled = post("/jobs/" + job + "/cancel", bob, Map.of("form_token", formToken(bob)));
        assertThat(get("/jobs/" + job, bob + "; " + cookie(cancelled)).body()).contains("forbidden");
        assertThat(state(job)).isEqualTo("APPROVAL");
    }

    @Test
    void pages_allow_nothing_but_their_own_files_and_are_kept_nowhere() {
        var page = get("/", signIn(RealServer.ACME));

        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'")
                .contains("script-src 'self'")
                .doesNotContain("unsafe");
        assertThat(page.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(page.body())
                .doesNotContain("<style")
                .doesNotContain(" style=")
                .doesNotContain(" onclick");
        assertThat(get("/assets/htmx.js", "a=b").statusCode()).isEqualTo(200);
    }

    @Test
    void signing_out_ends_the_session_of_the_browser() {
        var cookie = signIn(RealServer.ACME);
        var out = post("/sign-out", cookie, Map.of("form_token", formToken(cookie)));

        assertThat(out.headers().firstValue("Set-Cookie").orElseThrow()).contains("Max-Age=0");
    }

    @Test
    void a_link_that_signs_in_works_once_and_only_when_its_button_is_pressed() {
        var link = scene.server.signInLink(RealServer.ACME);
        var shown = get(link.getPath() + "?" + link.getQuery(), "a=b");
        assertThat(shown.statusCode()).isEqualTo(200);
        assertThat(shown.headers().firstValue("Set-Cookie")).isEmpty();
        var code = link.getQuery().substring("code=".length());

        assertThat(post("/sign-in", "a=b", Map.of("code", code)).statusCode()).isEqualTo(303);
        assertThat(post("/sign-in", "a=b", Map.of("code", code)).statusCode()).isEqualTo(403);
    }

    @Test
    void another_tenants_things_are_not_there() {
        var job = scene.refund("mine", 300);
        var gina = signIn(RealServer.GLOBEX);

        for (var path : new String[] {"/jobs/" + job, "/approvals/" + job}) {
            assertThat(get(path, gina).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(get("/jobs", gina).body()).doesNotContain(job);
        assertThat(get("/approvals", gina).body()).doesNotContain(job);
        assertThat(get("/approvals?at=" + job, gina).body()).doesNotContain("A-1841");
    }

    @Test
    void the_pages_stream_needs_a_session() {
        assertThat(get("/console/events", "a=b").statusCode()).isEqualTo(303);
    }
}
