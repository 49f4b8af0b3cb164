package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The Chromium of this machine. */
final class Browser implements AutoCloseable {

    private static final List<Path> PLACES = List.of(
            Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"), Path.of("/usr/bin/google-chrome"));

    private final Playwright playwright;
    private final com.microsoft.playwright.Browser chromium;

    private Browser(Path program) {
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        chromium = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(program)
                        .setHeadless(true)
                        .setArgs(List.of(
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-background-networking",
                                "--disable-component-update",
                                "--disable-sync")));
    }

    /** Skips the test where there is none, visibly; in CI that is a failure. */
    static Browser open() {
        var program = PLACES.stream().filter(Files::isExecutable).findFirst();
        if (program.isEmpty() && "true".equals(System.getenv("CI"))) {
            throw new AssertionError("CI needs chromium");
        }
        assumeTrue(program.isPresent(), "chromium is not installed, so no page was looked at");
        return new Browser(program.get());
    }

    /** How a page is looked at. */
    record Look(ColorScheme scheme, int width, int height, boolean script) {

        static final Look DESK = new Look(ColorScheme.LIGHT, 1280, 860, true);

        /** For pictures that stand side by side. */
        static final Look DOCS = new Look(ColorScheme.LIGHT, 1100, 760, true);

        Look dark() {
            return new Look(ColorScheme.DARK, width, height, script);
        }

        Look phone() {
            return new Look(scheme, 390, 844, script);
        }

        Look withoutScript() {
            return new Look(scheme, width, height, false);
        }
    }

    BrowserContext visitor(Look look) {
        var context = chromium.newContext(new com.microsoft.playwright.Browser.NewContextOptions()
                .setColorScheme(look.scheme())
                .setViewportSize(look.width(), look.height())
                .setJavaScriptEnabled(look.script()));
        context.setDefaultTimeout(15_000);
        return context;
    }

    /** What axe finds wrong that is serious or worse. */
    static List<?> complaints(Page page) {
        return complaints(page, "{}");
    }

    /** The same without a look at every colour. */
    static List<?> complaintsButContrast(Page page) {
        return complaints(page, "{'color-contrast': {enabled: false}}");
    }

    private static List<?> complaints(Page page, String rules) {
        page.evaluate(Axe.SOURCE);
        var found = page.evaluate("""
                async () => {
                  const result = await axe.run(document, {
                    resultTypes: ['violations'],
                    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
                    rules: RULES});
                  return result.violations
                    .filter(v => v.impact === 'serious' || v.impact === 'critical')
                    .flatMap(v => v.nodes.map(n => v.id + ': ' + n.html.slice(0, 200) + ' ' + n.failureSummary));
                }""".replace("RULES", rules));
        assertThat(found).isInstanceOf(List.class);
        return (List<?>) found;
    }

    private static final class Axe {
        static final String SOURCE = read();

        private static String read() {
            try (var in = Axe.class.getResourceAsStream("/axe.min.js")) {
                if (in == null) {
                    throw new AssertionError("axe is not among the test's libraries");
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        chromium.close();
        playwright.close();
    }
}
