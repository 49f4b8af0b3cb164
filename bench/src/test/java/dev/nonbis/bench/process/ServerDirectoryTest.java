package dev.nonbis.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.server.logging.TextLines;
import java.nio.file.Files;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

final class ServerDirectoryTest {

    @Test
    void failed_requests_and_failed_background_work_are_mistakes_and_troubles_from_outside_are_none() throws Exception {
        try (var directory = ServerDirectory.create(List.of())) {
            assertThat(directory.mistakes()).isEmpty();

            Files.writeString(
                    directory.log(),
                    line(Level.SEVERE, "request req_1 failed request_id=req_1")
                            + "java.lang.IllegalStateException: it failed\n"
                            + line(Level.SEVERE, "dispatch failed")
                            + line(Level.SEVERE, "job job_1 of acme cannot be moved and is set aside job_id=job_1")
                            + line(Level.WARNING, "dispatch waits for the store: it failed")
                            + line(Level.SEVERE, "the store failed in a way; the server ends now"));

            assertThat(directory.mistakes()).hasSize(3).first().asString().contains("request req_1 failed");
        }
    }

    private static String line(Level level, String words) {
        var line = new LogRecord(level, words);
        line.setLoggerName("dev.nonbis.server.any.Thing");
        return new TextLines().format(line);
    }
}
