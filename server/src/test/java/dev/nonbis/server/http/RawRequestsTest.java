package dev.nonbis.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Sends the bytes of {@code raw-requests.txt}, directly and through proxies, and compares what happens with the RFCs. */
final class RawRequestsTest {

    private static final int PATIENCE_MILLIS = 5_000;
    private static final int PROXIED_PATIENCE_MILLIS = 1_000;
    private static final int FEW_BYTES = 2_000;
    private static final Duration LOGGED = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(10);

    @Test
    void there_are_at_least_150_cases_with_names_of_their_own() {
        var names = RawCase.all().stream().map(RawCase::name).toList();

        assertThat(names).hasSizeGreaterThan(150).doesNotHaveDuplicates();
    }

    @TestFactory
    Stream<DynamicTest> each_request_is_answered_as_the_rfcs_say() {
        return directly(RawCase.all());
    }

    @TestFactory
    Stream<DynamicTest> it_makes_no_difference_that_bytes_come_one_by_one() {
        return directly(RawCase.all().stream()
                .filter(one -> one.byteCount() < FEW_BYTES)
                .map(RawCase::byteByByte)
                .toList());
    }

    @TestFactory
    Stream<DynamicTest> nginx_and_the_server_see_the_same_requests(@TempDir Path directory) throws IOException {
        var server = new RawServer();
        var proxy = Proxy.nginx(directory, server.port());
        return proxied(server, proxy);
    }

    @TestFactory
    Stream<DynamicTest> haproxy_and_the_server_see_the_same_requests(@TempDir Path directory) throws IOException {
        var server = new RawServer();
        var proxy = Proxy.haproxy(directory, server.port());
        return proxied(server, proxy);
    }

    private static Stream<DynamicTest> directly(List<RawCase> cases) {
        var server = new RawServer();
        return cases.stream()
                .map(one -> dynamicTest(one.name(), () -> {
                    server.forget();
                    var observed = RawExchange.run(one, server.port(), PATIENCE_MILLIS);
                    var handled = server.handled().stream()
                            .map(RawServer.Handled::seen)
                            .filter(seen -> !seen.equals(RawExchange.PROBE_SEEN))
                            .toList();

                    assertThat(RawExchange.differs(one, observed)).isEmpty();
                    assertThat(handled).isEqualTo(observed.seen());
                }))
                .onClose(server::close);
    }

    /**
     * The verdict here is agreement: each request that reached a handler is one that the proxy read and marked, and what the
     * proxy saw answered was handled once. A request that only one of them saw, or that belongs to another connection, fails.
     */
    private static Stream<DynamicTest> proxied(RawServer server, Proxy proxy) {
        return RawCase.all().stream()
                .map(one -> dynamicTest(one.name(), () -> {
                    var past = server.forget();
                    var observed = RawExchange.run(one.unjudged(), proxy.port(), PROXIED_PATIENCE_MILLIS);

                    await().pollDelay(Duration.ZERO)
                            .pollInterval(POLL)
                            .atMost(LOGGED)
                            .untilAsserted(() -> agree(server.handled(), proxy.forwarded(), past));
                    if (observed.seen().size() == one.seen().size()) {
                        assertThat(observed.seen()).isEqualTo(one.seen());
                    }
                    assertThat(honest(proxy.port())).contains("GET /next 0");
                }))
                .onClose(() -> {
                    proxy.close();
                    server.close();
                });
    }

    private static void agree(List<RawServer.Handled> handled, List<Proxy.Forwarded> forwarded, Set<String> past) {
        var read = forwarded.stream().map(Proxy.Forwarded::mark).toList();
        var answered = forwarded.stream()
                .filter(one -> one.status().equals("200") && !past.contains(one.mark()))
                .map(one -> one.mark() + " " + one.method())
                .toList();
        var seen = handled.stream()
                .map(one -> String.join(",", one.marks()) + " " + one.seen().split(" ", 2)[0])
                .toList();

        assertThat(handled).allSatisfy(one -> assertThat(one.marks()).hasSize(1));
        assertThat(read)
                .containsAll(handled.stream().map(one -> one.marks().getFirst()).toList());
        assertThat(seen).doesNotHaveDuplicates().containsAll(answered);
    }

    /** Whether another client's request gets its own answer, on the connection to the server that was used before. */
    private static Optional<String> honest(int port) throws IOException {
        var honest = RawCase.all().stream()
                .filter(one -> one.title().equals("two requests"))
                .findFirst()
                .orElseThrow();
        var observed = RawExchange.run(honest, port, PATIENCE_MILLIS);
        return observed.seen().equals(honest.seen())
                ? Optional.of(observed.seen().getLast())
                : Optional.empty();
    }
}
