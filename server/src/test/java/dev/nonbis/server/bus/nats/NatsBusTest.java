package dev.nonbis.server.bus.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.nonbis.core.bus.Bus.Handed;
import dev.nonbis.core.bus.Bus.Published;
import dev.nonbis.core.bus.BusUnavailable;
import dev.nonbis.core.bus.BusUnavailable.Fate;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.server.bus.nats.NatsSettings.Dedup;
import dev.nonbis.server.bus.nats.NatsSettings.Timing;
import dev.nonbis.testkit.net.TcpProxy;
import dev.nonbis.testkit.service.EveryRelease;
import dev.nonbis.testkit.service.NatsServer;
import dev.nonbis.testkit.service.Services;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@EveryRelease
final class NatsBusTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final List<String> TOPICS = List.of("job.default");
    private static final Timing IMPATIENT =
            new Timing(Duration.ofMinutes(2), Duration.ofDays(7), Duration.ofSeconds(30), Duration.ofMillis(700));

    @TempDir
    Path directory;

    private NatsServer server;
    private final Told told = new Told();

    @BeforeEach
    void start() {
        server = NatsServer.start(directory);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private NatsBus open() {
        return open(NatsSettings.of(server.url()));
    }

    private NatsBus open(NatsSettings settings) {
        var bus = new NatsBus(settings, told);
        bus.watch();
        return bus;
    }

    private static Message message(int n) {
        var job = new JobId("job_%026d".formatted(n));
        return new Message(
                new MessageId("jobreq:" + job),
                "job.default",
                ACME,
                job,
                1,
                Trace.of("0af7651916cd43dd8448eb211c80319c"));
    }

    @Test
    void the_streams_are_made_as_the_contract_says() throws Exception {
        try (var bus = open();
                var nats = new Outside(server.url())) {
            assertThat(bus.trouble()).isEmpty();
            for (var name : List.of("NONBIS_JOBS", "NONBIS_SYS")) {
                var stream = nats.management().getStreamInfo(name).getConfiguration();
                assertThat(stream.getSubjects()).containsExactly(name.equals("NONBIS_JOBS") ? "job.>" : "sys.>");
                assertThat(stream.getRetentionPolicy()).isEqualTo(RetentionPolicy.Limits);
                assertThat(stream.getStorageType()).isEqualTo(StorageType.File);
                assertThat(stream.getMaxAge()).isEqualTo(Duration.ofDays(7));
                assertThat(stream.getDuplicateWindow()).isEqualTo(Duration.ofMinutes(2));
                assertThat(stream.getReplicas()).isEqualTo(1);
            }
        }
    }

    @Test
    void a_stream_that_is_otherwise_is_named_and_not_used() throws Exception {
        try (var nats = new Outside(server.url())) {
            nats.management()
                    .addStream(StreamConfiguration.builder()
                            .name("NONBIS_JOBS")
                            .subjects("job.>")
                            .duplicateWindow(Duration.ofSeconds(30))
                            .maxAge(Duration.ofDays(7))
                            .build());
            try (var bus = new NatsBus(NatsSettings.of(server.url()), told)) {
                assertThatThrownBy(bus::watch)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(
                                "the stream NONBIS_JOBS on the broker has duplicate_window PT30S where PT2M is needed; "
                                        + "max_msg_size -1 where 65536 is needed");
                assertThat(bus.trouble())
                        .hasValueSatisfying(why -> assertThat(why).contains("duplicate_window"));
                assertThatThrownBy(() -> bus.publish(message(1))).isInstanceOf(BusUnavailable.class);
            }
            assertThat(nats.management()
                            .getStreamInfo("NONBIS_JOBS")
                            .getConfiguration()
                            .getDuplicateWindow())
                    .isEqualTo(Duration.ofSeconds(30));
        }
    }

    @Test
    void a_message_carries_its_name_its_trace_and_its_tenant() throws Exception {
        try (var bus = open();
                var nats = new Outside(server.url())) {
            bus.publish(message(1));

            var stored = nats.management().getMessage("NONBIS_JOBS", 1);
            assertThat(stored.getSubject()).isEqualTo("job.acme.default");
            assertThat(stored.getHeaders().getFirst("Nats-Msg-Id"))
                    .isEqualTo(message(1).id().value());
            assertThat(stored.getHeaders().getFirst("traceparent"))
                    .matches("00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01");

            var header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
            var second = message(2);
            bus.publish(new Message(
                    second.id(),
                    second.subject(),
                    second.tenant(),
                    second.job(),
                    second.execution(),
                    Trace.parse(header).orElseThrow()));
            assertThat(nats.management()
                            .getMessage("NONBIS_JOBS", 2)
                            .getHeaders()
                            .getFirst("traceparent"))
                    .isEqualTo(header);
        }
    }

    @Test
    void what_is_no_message_of_ours_is_kept_with_its_bytes_and_never_comes_back() throws Exception {
        var quick =
                new Timing(Duration.ofMinutes(2), Duration.ofDays(7), Duration.ofMillis(300), Duration.ofSeconds(2));
        try (var bus = open(NatsSettings.of(server.url()).with(quick));
                var nats = new Outside(server.url())) {
            bus.publish(message(1));
            byte[] poison = {1, 2, 3, (byte) 0xff};
            nats.publish("job.acme.default", poison);
            nats.publish(
                    "job.acme.default",
                    new String(Envelope.body(message(2)), StandardCharsets.UTF_8)
                            .replace("acme", "globex")
                            .getBytes(StandardCharsets.UTF_8));

            assertThat(bus.take(ACME, TOPICS, 10)).containsExactly(message(1));
            assertThat(told.unreadable).hasSize(2);
            assertThat(told.unreadable.getFirst().bytes()).isEqualTo(poison);
            assertThat(told.unreadable.getFirst().tenant()).isEqualTo(ACME);
            assertThat(told.unreadable.stream().map(NatsBus.Unreadable::place).distinct())
                    .hasSize(2);

            Awaitility.await().until(() -> !bus.take(ACME, TOPICS, 10).isEmpty());
            assertThat(told.unreadable).hasSize(2);
        }
    }

    @Test
    void a_publish_whose_answer_is_cut_off_is_of_unknown_fate_and_its_repetition_is_recognised() {
        try (var proxy = TcpProxy.to(server.port());
                var bus =
                        open(NatsSettings.of("nats://127.0.0.1:" + proxy.port()).with(IMPATIENT))) {
            bus.publish(message(1));
            proxy.loseAnswers();

            var failure = catchThrowableOfType(BusUnavailable.class, () -> bus.publish(message(2)));
            assertThat(failure.fate()).isEqualTo(Fate.UNKNOWN);
            assertThat(bus.trouble()).isPresent();

            proxy.pass();
            Awaitility.await().until(() -> {
                bus.watch();
                return bus.trouble().isEmpty();
            });
            assertThat(bus.publish(message(2))).isEqualTo(Published.DUPLICATE);
            assertThat(bus.take(ACME, TOPICS, 10)).containsExactly(message(1), message(2));
            assertThat(told.losses).hasValue(1);
        }
    }

    @Test
    void while_the_broker_is_away_a_publish_is_refused_at_once_and_nothing_is_buffered() {
        try (var bus = open()) {
            server.kill();
            Awaitility.await().until(() -> bus.trouble().isPresent());

            var handed = bus.publishAll(
                    IntStream.range(0, 500).mapToObj(NatsBusTest::message).toList());

            assertThat(handed)
                    .hasSize(500)
                    .allSatisfy(one -> assertThat(one)
                            .isInstanceOfSatisfying(
                                    Handed.Failed.class,
                                    failed -> assertThat(failed.why().fate()).isEqualTo(Fate.DID_NOT_HAPPEN)));
            assertThat(bus.take(ACME, TOPICS, 10)).isEmpty();
            server.restart();
            awaitReady(bus);
            assertThat(bus.take(ACME, TOPICS, 10)).isEmpty();
        }
    }

    @Test
    void a_broker_that_is_killed_and_comes_back_has_what_it_confirmed() {
        try (var bus = open()) {
            bus.publishAll(
                    IntStream.range(0, 100).mapToObj(NatsBusTest::message).toList());
            int lossesBefore = told.losses.get();
            server.restart();
            awaitReady(bus);

            assertThat(bus.publish(message(5))).isEqualTo(Published.DUPLICATE);
            assertThat(takenAtLast(bus, 100)).hasSize(100);
            assertThat(told.losses).hasValue(lossesBefore);
        }
    }

    @Test
    void a_broker_that_comes_back_empty_is_noticed() {
        try (var bus = open()) {
            bus.publish(message(1));
            int lossesBefore = told.losses.get();
            server.restartEmpty();
            awaitReady(bus);

            assertThat(told.losses).hasValue(lossesBefore + 1);
            assertThat(bus.publish(message(1))).isEqualTo(Published.ACCEPTED);
            assertThat(takenAtLast(bus, 1)).containsExactly(message(1));
        }
    }

    @Test
    void a_stream_that_somebody_deletes_is_made_again_and_its_loss_noticed() throws Exception {
        try (var bus = open();
                var nats = new Outside(server.url())) {
            bus.publish(message(1));
            int lossesBefore = told.losses.get();
            nats.management().deleteStream("NONBIS_JOBS");

            assertThatThrownBy(() -> bus.publish(message(2))).isInstanceOf(BusUnavailable.class);
            awaitReady(bus);

            assertThat(told.losses).hasValue(lossesBefore + 1);
            assertThat(bus.publish(message(1))).isEqualTo(Published.ACCEPTED);
        }
    }

    @Test
    void a_consumer_that_somebody_deletes_is_made_again() throws Exception {
        try (var bus = open();
                var nats = new Outside(server.url())) {
            bus.publish(message(1));
            nats.management().deleteConsumer("NONBIS_JOBS", "acme~job~default");

            Awaitility.await().until(() -> bus.take(ACME, TOPICS, 10).equals(List.of(message(1))));
        }
    }

    @Test
    void a_consumer_that_somebody_deletes_changes_or_pauses_is_made_again_though_nobody_polls() throws Exception {
        var often = new Timing(
                Duration.ofMinutes(2),
                Duration.ofDays(7),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                Duration.ofMillis(1));
        try (var bus = open(NatsSettings.of(server.url()).with(often));
                var nats = new Outside(server.url())) {
            bus.publish(message(1));
            var made = nats.management().getConsumerInfo("NONBIS_JOBS", "acme~job~default");
            nats.management().deleteConsumer("NONBIS_JOBS", "acme~job~default");
            bus.watch();
            assertThat(consumer(nats)).isEqualTo(made.getConsumerConfiguration().toJson());

            nats.management()
                    .addOrUpdateConsumer(
                            "NONBIS_JOBS",
                            ConsumerConfiguration.builder(made.getConsumerConfiguration())
                                    .filterSubject("job.globex.default")
                                    .maxAckPending(1)
                                    .build());
            bus.watch();
            assertThat(consumer(nats)).isEqualTo(made.getConsumerConfiguration().toJson());

            if (Services.NEWEST) {
                nats.management()
                        .pauseConsumer(
                                "NONBIS_JOBS",
                                "acme~job~default",
                                ZonedDateTime.now(ZoneOffset.UTC).plusHours(1));
                bus.watch();
                assertThat(nats.management()
                                .getConsumerInfo("NONBIS_JOBS", "acme~job~default")
                                .getPaused())
                        .isFalse();
            }
            assertThat(bus.take(ACME, TOPICS, 10)).containsExactly(message(1));
        }
    }

    private static String consumer(Outside nats) throws Exception {
        return nats.management()
                .getConsumerInfo("NONBIS_JOBS", "acme~job~default")
                .getConsumerConfiguration()
                .toJson();
    }

    @Test
    void limits_that_somebody_sets_on_a_stream_are_named_until_they_are_gone() throws Exception {
        try (var bus = open();
                var nats = new Outside(server.url())) {
            var made = nats.management().getStreamInfo("NONBIS_JOBS").getConfiguration();
            for (var edited : List.of(
                    StreamConfiguration.builder(made).maxMessages(1).build(),
                    StreamConfiguration.builder(made).maximumMessageSize(10).build())) {
                nats.management().updateStream(edited);
                assertThatThrownBy(bus::watch).hasMessageContaining("max_msg");
                assertThat(bus.trouble()).isPresent();

                nats.management().updateStream(made);
                bus.watch();
                assertThat(bus.trouble()).isEmpty();
            }
        }
    }

    @Test
    void a_stream_from_before_there_was_a_limit_for_messages_is_given_one() throws Exception {
        open().close();
        try (var nats = new Outside(server.url())) {
            var made = nats.management().getStreamInfo("NONBIS_JOBS").getConfiguration();
            nats.management()
                    .updateStream(StreamConfiguration.builder(made)
                            .maximumMessageSize(-1)
                            .build());
            try (var bus = open()) {
                assertThat(bus.trouble()).isEmpty();
                assertThat(nats.management()
                                .getStreamInfo("NONBIS_JOBS")
                                .getConfiguration()
                                .toJson())
                        .isEqualTo(made.toJson());
                assertThatThrownBy(() -> nats.publish("job.acme.default", new byte[100_000]))
                        .hasMessageContaining("message size exceeds maximum allowed");
            }
        }
    }

    @Test
    void large_messages_from_before_that_are_pulled_a_few_at_a_time() throws Exception {
        open().close();
        try (var nats = new Outside(server.url())) {
            var made = nats.management().getStreamInfo("NONBIS_JOBS").getConfiguration();
            nats.management()
                    .updateStream(StreamConfiguration.builder(made)
                            .maximumMessageSize(-1)
                            .build());
            for (int i = 0; i < 10; i++) {
                nats.publish("job.acme.default", new byte[1_000_000]);
            }
            try (var bus = open()) {
                bus.publish(message(1));

                assertThat(bus.take(ACME, TOPICS, 100)).isEmpty();
                assertThat(told.unreadable).hasSizeBetween(1, 3);
                assertThat(takenAtLast(bus, 1)).containsExactly(message(1));
                assertThat(told.unreadable).hasSize(10);
            }
        }
    }

    @Test
    void a_bus_that_finds_no_broker_at_first_connects_when_there_is_one() {
        server.kill();
        try (var bus = open()) {
            assertThat(bus.trouble()).isPresent();
            server.restart();
            awaitReady(bus);

            assertThat(bus.publish(message(1))).isEqualTo(Published.ACCEPTED);
        }
    }

    @Test
    void with_one_message_for_each_subject_a_repetition_is_recognised_for_ever() {
        var quick =
                new Timing(Duration.ofMillis(200), Duration.ofDays(7), Duration.ofSeconds(30), Duration.ofSeconds(2));
        try (var bus = open(NatsSettings.of(server.url()).with(quick).with(Dedup.STREAM))) {
            assertThat(bus.publish(message(1))).isEqualTo(Published.ACCEPTED);
            bus.settle(bus.take(ACME, TOPICS, 1).getFirst());
            bus.publish(message(2));

            // Longer than the window, and a restart, which empties what the broker remembers of names.
            Awaitility.await().pollDelay(Duration.ofMillis(600)).until(() -> true);
            assertThat(bus.publish(message(1))).isEqualTo(Published.DUPLICATE);
            server.restart();
            awaitReady(bus);
            assertThat(bus.publish(message(1))).isEqualTo(Published.DUPLICATE);
            assertThat(takenAtLast(bus, 1)).containsExactly(message(2));
        }
    }

    @Test
    void the_other_way_of_recognising_repetitions_is_a_mismatch_that_is_named() {
        open().close();
        try (var bus = new NatsBus(NatsSettings.of(server.url()).with(Dedup.STREAM), told)) {
            assertThatThrownBy(bus::watch).hasMessageContaining("max_msgs_per_subject -1 where 1 is needed");
        }
    }

    @Test
    void a_broker_that_is_too_old_is_refused_with_its_version() throws Exception {
        try (var old = new OldServer("2.8.4");
                var bus = new NatsBus(NatsSettings.of(old.url()), told)) {
            assertThatThrownBy(bus::watch)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the broker is NATS 2.8.4; 2.9 is the oldest that works");
        }
    }

    // The connection that pulls is made again apart from the one that publishes.
    private static List<Message> takenAtLast(NatsBus bus, int count) {
        var taken = new ArrayList<Message>();
        Awaitility.await().until(() -> taken.addAll(bus.take(ACME, TOPICS, 100)) && taken.size() >= count);
        return taken;
    }

    private static void awaitReady(NatsBus bus) {
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            bus.watch();
            return bus.trouble().isEmpty();
        });
    }
}
