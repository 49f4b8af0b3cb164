package dev.nonbis.server.http;

import static dev.nonbis.server.http.Requests.get;
import static dev.nonbis.server.http.Requests.json;
import static dev.nonbis.server.http.Requests.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SystemRoutesTest {

    private static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    private static Router router(boolean ready) {
        var routes = new ArrayList<>(SystemRoutes.reference());
        routes.addAll(SystemRoutes.health(() -> new Readiness(ready, JsonObject.EMPTY), () -> true));
        return new Router(
                routes, new Router.Parts(request -> new Authenticator.Missing(), Failures.NONE, Observer.NONE));
    }

    private static String text(Response response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource
    void every_problem_has_a_page_for_people_and_one_for_programs(ProblemCode code) {
        var path = "/problems/" + code.word();

        var page = router(true).handle(with(get(path), "accept", BROWSER));
        var data = router(true).handle(get(path));

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.contentType()).startsWith("text/html");
        assertThat(page.headers().get("Content-Security-Policy")).startsWith("default-src 'none'");
        assertThat(text(page)).contains(code.word(), code.retry().word()).doesNotContain("<script", "style=");
        assertThat(json(data).string("code")).contains(code.word());
        assertThat(json(data).string("advice")).contains(code.advice());
    }

    @Test
    void the_index_links_to_every_page() {
        var index = text(router(true).handle(with(get("/problems"), "accept", BROWSER)));

        for (var code : ProblemCode.values()) {
            assertThat(index).contains("href=\"/problems/" + code.word() + "\"");
        }
        assertThat(json(router(true).handle(get("/problems")))
                        .array("items")
                        .orElseThrow()
                        .items())
                .hasSameSizeAs(ProblemCode.values());
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "application/json", "application/json, text/html;q=0.5", "text/html;q=0"})
    void a_program_gets_json(String accept) {
        var response = router(true).handle(with(get("/problems/not_found"), "accept", accept));

        assertThat(response.contentType()).isEqualTo("application/json");
    }

    @Test
    void a_code_that_does_not_exist_has_no_page() {
        assertThat(router(true).handle(get("/problems/%3Cscript%3E")).status()).isEqualTo(404);
    }

    @Test
    void the_pages_style_sheet_is_served() {
        var response = router(true).handle(get("/assets/nonbis.css"));

        assertThat(response.contentType()).isEqualTo("text/css; charset=utf-8");
        assertThat(text(response)).contains("prefers-color-scheme: dark");
    }

    @Test
    void a_live_server_says_so_even_when_it_is_not_ready() {
        assertThat(router(false).handle(get("/livez")).status()).isEqualTo(200);
        assertThat(router(false).handle(get("/readyz")).status()).isEqualTo(503);
        assertThat(router(true).handle(get("/readyz")).status()).isEqualTo(200);
    }
}
