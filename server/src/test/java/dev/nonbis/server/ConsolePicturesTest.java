package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import dev.nonbis.server.Browser.Look;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every page of the console in a real browser, in both colour schemes and on a phone: nothing serious for axe, and a picture of each. */
@Timeout(180)
class ConsolePicturesTest {

    private static final Path PICTURES = Path.of("target", "console");

    @TempDir
    static Path directory;

    private static Scene scene;
    private static Scene.Cast cast;
    private static Browser browser;

    @BeforeAll
    static void play() throws IOException {
        browser = Browser.open();
        scene = new Scene(directory);
        cast = scene.play();
        Files.createDirectories(PICTURES);
    }

    @AfterAll
    static void end() {
        if (scene != null) {
            scene.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    private static Map<String, String> pages() {
        var pages = new LinkedHashMap<String, String>();
        pages.put("overview", "/");
        pages.put("approvals", "/approvals");
        pages.put("approval", "/approvals/" + cast.waiting());
        pages.put("payment-approval", "/approvals/" + cast.asked());
        pages.put("decided", "/approvals/decided");
        pages.put("stuck", "/stuck");
        pages.put("jobs", "/jobs");
        pages.put("job", "/jobs/" + cast.done());
        pages.put("unknown-job", "/jobs/" + cast.unknown());
        pages.put("runs", "/runs");
        pages.put("run", "/runs/" + cast.run());
        pages.put("payments", "/payments");
        pages.put("payment", "/payments/" + cast.payment());
        pages.put("requests", "/requests?operation=jobs&key=order");
        pages.put("key", "/requests/key?operation=jobs&key=order-1839");
        pages.put("topics", "/topics");
        pages.put("dead-letters", "/dead-letters");
        pages.put("audit", "/audit");
        pages.put("missing", "/jobs/nothing");
        return pages;
    }

    @TestFactory
    List<DynamicTest> every_page_is_fit_for_everybody() {
        var tests = new ArrayList<DynamicTest>();
        var looks = new LinkedHashMap<String, Look>();
        looks.put("light", Look.DESK);
        looks.put("dark", Look.DESK.dark());
        looks.put("phone", Look.DESK.phone());
        looks.forEach((name, look) -> tests.add(DynamicTest.dynamicTest(name, () -> {
            try (var visitor = browser.visitor(look)) {
                var page = visitor.newPage();
                var errors = new ArrayList<String>();
                page.onConsoleMessage(message -> {
                    if (message.type().equals("error") && !message.text().contains("404")) {
                        errors.add(message.text());
                    }
                });
                page.onPageError(errors::add);
                page.navigate(scene.server.url() + "/sign-in");
                check(page, "sign-in-" + name);
                signIn(page, RealServer.ACME);
                for (var entry : pages().entrySet()) {
                    page.navigate(scene.server.url() + entry.getValue());
                    check(page, entry.getKey() + "-" + name);
                }
                assertThat(errors).isEmpty();
            }
        })));
        return tests;
    }

    private static void check(Page page, String name) {
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(PICTURES.resolve(name + ".png"))
                .setFullPage(true));
        // Looking for too little contrast takes longest by far, and a phone has the colours of a desk.
        var complaints = name.endsWith("-phone") ? Browser.complaintsButContrast(page) : Browser.complaints(page);
        assertThat(complaints).as(name).isEmpty();
        fits(page, name);
    }

    private static void fits(Page page, String name) {
        var sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assertThat(((Number) sideways).intValue())
                .as("%s scrolls sideways", name)
                .isLessThanOrEqualTo(0);
    }

    @Test
    void an_empty_tenant_is_told_what_will_be_where() {
        try (var visitor = browser.visitor(Look.DESK)) {
            var page = visitor.newPage();
            page.navigate(scene.server.url() + "/sign-in");
            signIn(page, RealServer.GLOBEX);
            for (var path : List.of(
                    "",
                    "approvals",
                    "approvals/decided",
                    "stuck",
                    "jobs",
                    "runs",
                    "payments",
                    "requests",
                    "topics",
                    "dead-letters",
                    "audit")) {
                page.navigate(scene.server.url() + "/" + path);
                assertThat(Browser.complaintsButContrast(page))
                        .as("empty %s", path)
                        .isEmpty();
                fits(page, "empty " + path);
                assertThat(page.content()).doesNotContain("order-18").doesNotContain("acme");
            }
            for (var path : List.of(
                    "/jobs/" + cast.done(),
                    "/runs/" + cast.run(),
                    "/payments/" + cast.payment(),
                    "/approvals/" + cast.waiting(),
                    "/requests/key?operation=jobs&key=order-1839")) {
                assertThat(page.navigate(scene.server.url() + path).status())
                        .as(path)
                        .isEqualTo(404);
            }
        }
    }

    /** For docs/images, which are copied from here by hand when the pages have changed. */
    @Test
    void the_pictures_of_the_docs_are_made() {
        for (var look : Map.of("", Look.DOCS, "-dark", Look.DOCS.dark()).entrySet()) {
            try (var visitor = browser.visitor(look.getValue())) {
                var page = signedIn(visitor, scene.server, RealServer.BOB);
                for (var path : Map.of(
                                "approvals", "/approvals?at=" + cast.waiting(),
                                "job", "/jobs/" + cast.done())
                        .entrySet()) {
                    page.navigate(scene.server.url() + path.getValue());
                    page.screenshot(new Page.ScreenshotOptions()
                            .setPath(PICTURES.resolve("docs-" + path.getKey() + look.getKey() + ".png")));
                }
            }
        }
    }

    static void signIn(Page page, String key) {
        page.fill("#key", key);
        page.click("button.main");
        page.waitForURL(url -> !url.contains("/sign-in"));
    }

    static Page signedIn(BrowserContext visitor, RealServer server, String key) {
        var page = visitor.newPage();
        page.navigate(server.url() + "/sign-in");
        signIn(page, key);
        return page;
    }
}
