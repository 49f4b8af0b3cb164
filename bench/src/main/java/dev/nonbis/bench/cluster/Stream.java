package dev.nonbis.bench.cluster;

import dev.nonbis.bench.judge.History;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.api.MessageInfo;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** All messages that the broker took in, as they stand in its stream, which forgets none within a campaign. What it refused as known it does not tell. */
final class Stream {

    private static final String NAME = "NONBIS_JOBS";
    private static final int NO_MESSAGE = 10_037;

    private Stream() {}

    static List<History.Publish> read(String url) throws IOException, InterruptedException {
        var connection = Nats.connect(url);
        try {
            return read(connection.jetStreamManagement());
        } catch (JetStreamApiException e) {
            throw new IOException("the broker's stream cannot be read", e);
        } finally {
            connection.close();
        }
    }

    private static List<History.Publish> read(JetStreamManagement broker) throws IOException, JetStreamApiException {
        var state = broker.getStreamInfo(NAME).getStreamState();
        // The broker tells the time of day, and a history the time of a clock that never jumps.
        long began = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) - Log.micros();
        var all = new ArrayList<History.Publish>();
        for (long place = state.getFirstSequence(); place <= state.getLastSequence(); place++) {
            message(broker, place).map(message -> publish(message, began)).ifPresent(all::add);
        }
        return all;
    }

    private static Optional<MessageInfo> message(JetStreamManagement broker, long place)
            throws IOException, JetStreamApiException {
        try {
            return Optional.of(broker.getMessage(NAME, place));
        } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() == NO_MESSAGE) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static History.Publish publish(MessageInfo message, long began) {
        var body = JsonMapper.shared().readTree(message.getData());
        return new History.Publish(
                body.path("tenant").asString(),
                body.path("message_id").asString(),
                body.path("job_id").asString(),
                true,
                ChronoUnit.MICROS.between(Instant.EPOCH, message.getTime().toInstant()) - began);
    }
}
