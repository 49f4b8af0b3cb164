package dev.nonbis.server;

import static dev.nonbis.server.ConsolePicturesTest.signedIn;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.sun.net.httpserver.HttpServer;
import dev.nonbis.server.Browser.Look;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What people do in the console, done in a real browser. */
@Timeout(120)
class ConsoleTest {

    @TempDir
    static Path directory;

    private static Scene scene;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        browser = Browser.open();
        scene = new Scene(directory);
    }

    @AfterAll
    static void stop() {
        if (scene != null) {
            scene.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    private static String url(String path) {
        return scene.server.url() + path;
    }

    private static String state(String job) {
        return scene.server.get("/api/v1/jobs/" + job, RealServer.ACME).string("state");
    }

    private static String told(Page page) {
        return page.locator(".told").first().textContent();
    }

    @Test
    void two_browsers_that_decide_at_once_make_one_decision_and_one_is_told_who_was_quicker() {
        var job = scene.refund("at-once", 300);
        try (var one = browser.visitor(Look.DESK);
                var other = browser.visitor(Look.DESK)) {
            var bob = signedIn(one, scene.server, RealServer.BOB);
            var carol = signedIn(other, scene.server, RealServer.CAROL);
            for (var page : List.of(bob, carol)) {
                page.navigate(url("/approvals/" + job));
                page.fill("#reason", "fine by me");
            }
            for (var page : List.of(bob, carol)) {
                page.evaluate(
                        "at => setTimeout(() => document.getElementById('approve').click(), at - Date.now())",
                        (double) System.currentTimeMillis() + 700);
            }
            var texts = List.of(bob, carol).stream()
                    .map(page -> {
                        page.waitForSelector("main > .told");
                        return page.locator("main > .told").textContent();
                    })
                    .toList();

            assertThat(texts).filteredOn(text -> text.contains("You approved")).hasSize(1);
            assertThat(texts)
                    .filteredOn(text -> text.contains("already_approved"))
                    .singleElement()
                    .asString()
                    .contains(texts.getFirst().contains("You approved") ? "by bob" : "by carol");
        }
        var decided =
                scene.server.get("/api/v1/audit?limit=1000", RealServer.ACME).body();
        assertThat(decided.split("\"approval.approved\"", -1)).hasSizeGreaterThanOrEqualTo(2);
        assertThat(decided.split("\"subject\":\"" + job + "\"[^}]*\"type\":\"approval.approved\"", -1))
                .hasSize(2);
    }

    @Test
    void the_inbox_is_worked_with_the_keyboard_alone() {
        var older = scene.refund("by-keys-1", 301);
        var newer = scene.refund("by-keys-2", 302);
        try (var visitor = browser.visitor(Look.DESK)) {
            var page = signedIn(visitor, scene.server, RealServer.BOB);
            page.navigate(url("/approvals"));
            assertThat(page.locator(".question").textContent()).contains(newer);

            page.keyboard().press("j");
            page.waitForURL("**/approvals?at=" + older);
            page.keyboard().press("k");
            page.waitForURL("**/approvals?at=" + newer);
            page.keyboard().press("n");
            page.keyboard().type("too much");
            assertThat(page.locator("#armed").textContent()).contains("Enter to reject");
            page.keyboard().press("Enter");
            page.waitForSelector("main > .told");

            assertThat(told(page)).contains("You rejected " + newer);
            assertThat(state(newer)).isEqualTo("DENIED");
            assertThat(scene.server
                            .get("/api/v1/approvals/" + newer, RealServer.ACME)
                            .body())
                    .contains("\"reason\":\"too much\"");

            page.navigate(url("/approvals?at=" + older));
            page.keyboard().press("y");
            page.keyboard().press("Escape");
            page.keyboard().press("Enter");
            assertThat(state(older)).isEqualTo("APPROVAL");
        }
    }

    @Test
    void shortcuts_can_be_switched_off() {
        scene.refund("no-keys-1", 301);
        scene.refund("no-keys-2", 302);
        try (var visitor = browser.visitor(Look.DESK)) {
            var page = signedIn(visitor, scene.server, RealServer.BOB);
            page.navigate(url("/approvals"));
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Switch shortcuts off"))
                    .click();
            page.waitForSelector("body[data-keys=off]");

            page.keyboard().press("y");
            assertThat(page.locator("#armed").textContent()).isEmpty();
            page.keyboard().press("j");
            assertThat(page.url()).endsWith("/approvals");
        }
    }

    @Test
    void what_others_do_shows_without_loading_the_page_again() {
        try (var visitor = browser.visitor(Look.DESK)) {
            var page = signedIn(visitor, scene.server, RealServer.BOB);
            scene.refund("live-0", 400);
            page.navigate(url("/approvals"));
            var before = page.evaluate("window.loaded = true");
            assertThat(before).isEqualTo(true);

            var job = scene.refund("live-1", 401);
            page.waitForSelector("#item-" + job);
            scene.server.post("/api/v1/approvals/" + job + "/approve", RealServer.CAROL, "", "");
            page.waitForSelector(
                    "#item-" + job,
                    new Page.WaitForSelectorOptions()
                            .setState(com.microsoft.playwright.options.WaitForSelectorState.DETACHED));

            assertThat(page.evaluate("window.loaded")).isEqualTo(true);
        }
    }

    @Test
    void a_page_hears_what_happened_between_its_making_and_its_listening() {
        try (var visitor = browser.visitor(Look.DESK)) {
            var page = signedIn(visitor, scene.server, RealServer.BOB);
            page.navigate(url("/approvals"));
            var listensAt = page.evaluate("document.body.dataset.events");

            var job = scene.refund("unheard", 402);

            assertThat(page.evaluate("""
                            async address => {
                              const stream = await fetch(address, {signal: AbortSignal.timeout(10000)});
                              const reader = stream.body.getReader();
                              let text = "";
                              while (!text.includes("data:")) {
                                text += new TextDecoder().decode((await reader.read()).value);
                              }
                              await reader.cancel();
                              return text;
                            }
                            """, listensAt)).asString().contains(job);
        }
    }

    @Test
    void what_somebody_types_survives_what_others_do() {
        var job = scene.refund("typing", 500);
        try (var visitor = browser.visitor(Look.DESK)) {
            var page = signedIn(visitor, scene.server, RealServer.BOB);
            page.navigate(url("/approvals/" + job));
            page.fill("#reason", "half a sente");
            page.focus("#reason");
            scene.refund("typing-2", 501);
            page.waitForTimeout(1200);

            assertThat(page.inputValue("#reason")).isEqualTo("half a sente");
        }
    }

    @Test
    void everything_can_be_read_and_decided_without_script() {
        var job = scene.refund("no-script", 600);
        try (var visitor = browser.visitor(Look.DESK.withoutScript())) {
            var page = signedIn(visitor, scene.server, RealServer.BOB);
            page.navigate(url("/approvals"));
            page.click("text=" + job.substring(0, 10));
            assertThat(page.locator(".question").textContent()).contains(job).contains("\"eur\": 600");
            page.fill("#reason", "Enter must not decide");
            page.press("#reason", "Enter");
            assertThat(state(job)).isEqualTo("APPROVAL");

            page.click("#approve");
            assertThat(told(page)).contains("You approved " + job);
            assertThat(state(job)).isNotEqualTo("APPROVAL");
        }
    }

    @Test
    void a_link_from_elsewhere_shows_the_question_to_who_is_signed_in_and_decides_nothing() throws IOException {
        var job = scene.refund("from-mail", 700);
        var elsewhere = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        elsewhere.createContext("/", exchange -> {
            var html = ("<a id=l href='" + url("/approvals/" + job) + "'>decide</a>").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, html.length);
            exchange.getResponseBody().write(html);
            exchange.close();
        });
        elsewhere.start();
        try (var visitor = browser.visitor(Look.DESK)) {
            var page = signedIn(visitor, scene.server, RealServer.BOB);
            page.navigate("http://localhost:" + elsewhere.getAddress().getPort() + "/");
            page.click("#l");
            page.waitForSelector("#approve");

            assertThat(page.url()).endsWith("/approvals/" + job);
            assertThat(state(job)).isEqualTo("APPROVAL");
        } finally {
            elsewhere.stop(0);
        }
    }

    @Test
    void operators_settle_what_is_stuck() {
        var unknown = scene.submit("stuck-transfer", "{\"topic\":\"job.transfer\"}");
        scene.begin(unknown, "job.transfer");
        var letter = scene.submit("stuck-mail", "{\"topic\":\"job.mail\",\"max_attempts\":1}");
        scene.result(letter, scene.begin(letter, "job.mail"), "retryable");
        scene.awaitState(unknown, "UNKNOWN");
        try (var visitor = browser.visitor(Look.DESK)) {
            var page = signedIn(visitor, scene.server, RealServer.ACME);
            page.navigate(url("/stuck"));
            assertThat(page.locator(".cases").textContent()).contains(unknown).contains(letter);

            page.navigate(url("/jobs/" + unknown));
            page.fill("#resolve-reason", "the bank has it");
            page.click("text=It succeeded");
            page.waitForSelector("main > .told");
            assertThat(told(page)).contains("SUCCEEDED");

            page.navigate(url("/dead-letters"));
            page.locator("tr", new Page.LocatorOptions().setHasText(letter))
                    .getByRole(
                            AriaRole.BUTTON, new com.microsoft.playwright.Locator.GetByRoleOptions().setName("Retry"))
                    .click();
            page.waitForSelector("main > .told");
            assertThat(told(page)).contains("retried as job_");
        }
    }

    @Test
    void jobs_and_runs_are_cancelled_with_a_reason() {
        var job = scene.submit("to-cancel", "{\"topic\":\"job.idle\"}");
        scene.server.put("/api/v1/workflows/idle", "{\"steps\":[{\"id\":\"a\",\"topic\":\"job.idle\"}]}");
        var run = scene.server
                .post("/api/v1/workflows/idle/runs", RealServer.ACME, "", "{}")
                .string("run_id");
        try (var visitor = browser.visitor(Look.DESK)) {
            var page = signedIn(visitor, scene.server, RealServer.ACME);
            for (var path : List.of("/jobs/" + job, "/runs/" + run)) {
                page.navigate(url(path));
                page.click("summary");
                page.fill("#cancel-reason", "not needed");
                page.click(".act button.danger");
                page.waitForSelector("main > .told");
                assertThat(told(page)).contains("CANCELLED");
            }
        }
    }

    @Test
    void a_mismatch_is_shown_as_fields_without_values_and_the_key_is_released_with_a_reason() {
        scene.submit(
                "secret-order", "{\"topic\":\"job.idle\",\"input\":{\"iban\":\"DE02120300000000202051\",\"eur\":5}}");
        scene.server.post(
                "/api/v1/jobs",
                RealServer.ACME,
                "secret-order",
                "{\"topic\":\"job.idle\",\"input\":{\"iban\":\"DE0212\",\"eur\":5}}");
        try (var visitor = browser.visitor(Look.DESK)) {
            var page = signedIn(visitor, scene.server, RealServer.ACME);
            page.navigate(url("/requests"));
            page.fill("#key", "secret");
            page.click("text=Search");
            page.waitForSelector(".diff");
            assertThat(page.locator(".diff").textContent())
                    .contains("/input/iban")
                    .contains("a text of 22 characters")
                    .contains("a text of 6 characters");
            assertThat(page.content()).doesNotContain("DE0212");

            page.navigate(url("/requests/key?operation=jobs&key=secret-order"));
            page.fill("#release-reason", "sent by mistake");
            page.click("text=Release the key");
            page.waitForSelector("main > .told");
            assertThat(told(page)).contains("secret-order is free again");
            assertThat(scene.server
                            .get("/api/v1/idempotency-keys/jobs/secret-order", RealServer.ACME)
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void the_log_is_verified_and_taken_away_as_a_file_that_the_command_line_accepts() throws IOException {
        scene.submit("to-export", "{\"topic\":\"job.idle\"}");
        try (var visitor = browser.visitor(Look.DESK)) {
            var page = signedIn(visitor, scene.server, RealServer.ACME);
            page.navigate(url("/audit"));
            page.click("text=Verify the last");
            page.waitForSelector("main > .told");
            assertThat(told(page)).contains("follow from each other");

            var download = page.waitForDownload(() -> page.click("text=Export everything"));
            var file = directory.resolve(download.suggestedFilename());
            download.saveAs(file);
            assertThat(file.getFileName().toString()).startsWith("nonbis-audit-acme-");
            var lines = Files.readAllLines(file);
            assertThat(lines).isNotEmpty();
            var verifier = dev.nonbis.core.audit.AuditVerifier.ofWholeChain();
            lines.forEach(line -> assertThat(verifier.next((dev.nonbis.json.JsonObject)
                            dev.nonbis.json.Json.parse(line.getBytes(StandardCharsets.UTF_8))))
                    .isInstanceOf(dev.nonbis.core.audit.AuditVerifier.Intact.class));
        }
    }

    @Test
    void the_timeline_shows_which_layer_stopped_each_duplicate() {
        var job = scene.submit("watched", "{\"topic\":\"job.watched\"}");
        try (var visitor = browser.visitor(Look.DESK)) {
            var page = signedIn(visitor, scene.server, RealServer.ACME);
            page.navigate(url("/jobs/" + job));
            scene.submit("watched", "{\"topic\":\"job.watched\"}");
            long fence = scene.begin(job, "job.watched");
            scene.result(job, fence, "succeeded");
            scene.result(job, fence, "succeeded");

            page.waitForSelector(".timeline .stopped.layer-idempotency_key");
            page.waitForSelector(".timeline .stopped.layer-result_record");
        }
    }

    @Test
    void what_clients_send_is_text_and_nothing_else() {
        var job = scene.submit(
                "<img/src=x/onerror=document.title='broken'>",
                "{\"topic\":\"job.refund\",\"prompt\":\"<script>document.title='broken'</script>\",\"input\":{\"eur\":400,\"\\\"><b>\":\"</pre><h1>x\"}}");
        try (var visitor = browser.visitor(Look.DESK)) {
            var page = signedIn(visitor, scene.server, RealServer.BOB);
            page.navigate(url("/approvals/" + job));
            assertThat(page.locator(".payload").textContent())
                    .contains("<script>")
                    .contains("</pre><h1>x");
            assertThat(page.locator("h1").count()).isEqualTo(1);
            assertThat(page.title()).isEqualTo("Approval · Nonbis");
        }
        try (var visitor = browser.visitor(Look.DESK)) {
            var page = signedIn(visitor, scene.server, RealServer.ACME);
            page.navigate(url("/requests?operation=jobs&key=%3Cimg"));
            page.waitForSelector("text=onerror");
            assertThat(page.locator("img").count()).isZero();
        }
    }
}
