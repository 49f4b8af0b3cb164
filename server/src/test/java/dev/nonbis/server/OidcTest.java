package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.SameSiteAttribute;
import dev.nonbis.server.TestIssuer.Fault;
import dev.nonbis.server.config.Config;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People come in through an issuer, and only through the one that is configured. */
class OidcTest {

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private TestIssuer issuer;
    private RealServer server;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("policy.yaml"), """
                jobs:
                  default: require_approval
                """);
        issuer = new TestIssuer();
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        var oidc = new Config.Oidc(
                issuer.url(),
                TestIssuer.CLIENT,
                Optional.of(TestIssuer.SECRET),
                URI.create("http://127.0.0.1:" + port + "/sign-in/oidc/callback"),
                Set.of("openid", "email"),
                new Config.OidcClaims(
                        "email",
                        Optional.empty(),
                        Optional.of("org"),
                        "groups",
                        Map.of("approvers", Set.of("approver"))),
                Duration.ofHours(8));
        server = new RealServer(
                directory,
                config -> config.withAuth(new Config.Auth(config.auth().keys(), Optional.empty(), Optional.of(oidc)))
                        .withHttp(new Config.Http(
                                "127.0.0.1",
                                port,
                                Optional.empty(),
                                config.http().trustedProxies(),
                                config.http().limits())));
    }

    @AfterEach
    void stop() {
        server.close();
        issuer.close();
        client.close();
    }

    private HttpResponse<String> get(String address, String cookie) {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create(address))
                            .header("Cookie", cookie)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String location(HttpResponse<String> response) {
        return response.headers().firstValue("Location").orElseThrow();
    }

    private static String cookie(HttpResponse<String> response) {
        return response.headers().firstValue("Set-Cookie").orElse("none=").split(";", 2)[0];
    }

    /** The whole way by hand; what the callback says. */
    private HttpResponse<String> signIn() {
        var begun = get(server.url() + "/sign-in/oidc?next=/jobs", "a=b");
        return get(location(get(location(begun), "a=b")), cookie(begun));
    }

    @Test
    void a_person_signs_in_through_the_issuer_and_decides_in_a_browser() {
        var job = server.post("/api/v1/jobs", RealServer.ACME, "", "{\"topic\":\"job.refund\"}")
                .string("job_id");
        try (var browser = Browser.open()) {
            var visitor = browser.visitor(Browser.Look.DESK);
            var page = visitor.newPage();
            page.navigate(server.url() + "/approvals/" + job);
            page.getByText("sign in with your organisation").click();
            page.waitForURL(server.url() + "/approvals/" + job);

            assertThat(page.content()).contains("dana@example.com").contains("acme");
            var session = visitor.cookies().stream()
                    .filter(cookie -> cookie.name.equals("nonbis_session"))
                    .findFirst()
                    .orElseThrow();
            assertThat(session.httpOnly).isTrue();
            assertThat(session.sameSite).isEqualTo(SameSiteAttribute.STRICT);

            page.locator("button[value=approve]").first().click();
            page.waitForLoadState();
            var decided = server.get("/api/v1/approvals/" + job, RealServer.ACME);
            assertThat(decided.body()).contains("dana@example.com");
            // No role beyond what the groups give.
            assertThat(page.navigate(server.url() + "/audit").status()).isEqualTo(403);
        }
    }

    @Test
    void the_session_is_of_no_use_outside_the_console() {
        var entered = signIn();

        assertThat(entered.statusCode()).isEqualTo(200);
        assertThat(get(server.url() + "/jobs", cookie(entered)).statusCode()).isEqualTo(200);
        var sealed = cookie(entered).split("=", 2)[1];
        assertThat(server.get("/api/v1/jobs", sealed).status()).isEqualTo(401);
        assertThat(server.get("/api/v1/jobs", "person:" + sealed).status()).isEqualTo(401);
    }

    @Test
    void what_does_not_prove_who_it_is_opens_nothing() {
        for (var fault : new Fault[] {
            Fault.WRONG_STATE,
            Fault.WRONG_NONCE,
            Fault.WRONG_AUDIENCE,
            Fault.WRONG_ISSUER,
            Fault.OTHER_CLIENT,
            Fault.EXPIRED,
            Fault.UNSIGNED,
            Fault.UNKNOWN_KEY,
            Fault.ANOTHERS_SIGNATURE,
            Fault.NO_GROUPS,
            Fault.REFUSES
        }) {
            issuer.fault = fault;
            var refused = signIn();
            assertThat(refused.statusCode()).as(fault.name()).isEqualTo(403);
            assertThat(refused.headers().firstValue("Set-Cookie"))
                    .as(fault.name())
                    .isEmpty();
            assertThat(refused.body()).as(fault.name()).contains("role=\"alert\"");
        }
        issuer.fault = Fault.NONE;
        assertThat(signIn().headers().firstValue("Set-Cookie").orElse("")).contains("nonbis_session=");
    }

    @Test
    void a_code_is_of_use_only_to_the_browser_that_asked_for_it_and_once() {
        var begun = get(server.url() + "/sign-in/oidc", "a=b");
        var back = location(get(location(begun), "a=b"));
        var another = get(server.url() + "/sign-in/oidc", "a=b");

        assertThat(get(back, "a=b").statusCode()).isEqualTo(403);
        assertThat(get(back, cookie(another)).statusCode()).isEqualTo(403);
        assertThat(get(back, cookie(begun)).statusCode()).isEqualTo(200);
        assertThat(get(back, cookie(begun)).statusCode()).isEqualTo(403);
    }

    @Test
    void an_issuer_that_is_away_is_said_to_be_and_keys_still_open() {
        issuer.fault = Fault.FAILS;
        assertThat(signIn().statusCode()).isEqualTo(503);
        issuer.close();

        var begun = get(server.url() + "/sign-in/oidc", "a=b");
        // Where to go is remembered for a while; coming back with a made-up code finds nobody to ask.
        var state = location(begun).replaceAll(".*[?&]state=([0-9a-f]+).*", "$1");
        var ended = get(server.url() + "/sign-in/oidc/callback?code=x&state=" + state, cookie(begun));
        assertThat(ended.statusCode()).isEqualTo(503);
        assertThat(ended.body()).contains("cannot be asked right now");
    }
}
