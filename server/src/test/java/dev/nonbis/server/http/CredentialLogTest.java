package dev.nonbis.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CredentialLogTest {

    private final AtomicLong nanos = new AtomicLong();
    private final CredentialLog log = new CredentialLog((operationId, status, took) -> {}, nanos::get);
    private final List<LogRecord> lines = new ArrayList<>();
    private final Logger logger = Logger.getLogger("dev.nonbis.credentials");
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
    }

    @Test
    void each_refused_credential_is_a_line_and_a_flood_is_ten_a_second() {
        answered(200);
        answered(403);
        assertThat(lines).isEmpty();

        answered(401);
        assertThat(lines).hasSize(1);

        for (int i = 0; i < 1_000; i++) {
            answered(401);
        }
        assertThat(lines).hasSize(10);

        nanos.addAndGet(1_000_000_000L);
        answered(401);
        assertThat(lines).hasSize(11);
    }

    private void answered(int status) {
        var request = new Request("req_1", "GET", "/api/v1/jobs", Map.of(), Map.of(), Map.of(), new byte[0]);
        log.answered(request, new Response(status, Response.JSON, Map.of(), new byte[0]), "listJobs", 1);
    }
}
