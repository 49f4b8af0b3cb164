package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.server.RealServer.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server on a database in whose file bytes of recorded answers were flipped while it was stopped. */
class DamagedFileTest {

    private static final int KEYS = 60;
    // How far behind the name of what it made a key's row reaches at least.
    private static final int ROW_BYTES = 120;

    @TempDir
    Path directory;

    private static Answer submit(RealServer server, int i) {
        return server.post(
                "/api/v1/jobs", RealServer.ACME, "k-" + i, "{\"topic\":\"job.default\",\"input\":" + i + "}");
    }

    @Test
    void damaged_answers_are_not_replayed_and_all_others_are() throws IOException {
        var first = new ArrayList<Answer>();
        try (var server = new RealServer(directory)) {
            for (int i = 0; i < KEYS; i++) {
                first.add(submit(server, i));
            }
        }
        var chance = new SplittableRandom(20);
        byte[] file = Files.readAllBytes(directory.resolve("nonbis.db"));
        for (int i = 0; i < KEYS; i += 2) {
            for (int row : rows(file, first.get(i).string("job_id"))) {
                file[row + chance.nextInt(ROW_BYTES)] ^= (byte) (1 << chance.nextInt(8));
            }
        }
        Files.write(directory.resolve("nonbis.db"), file);

        int damaged = 0;
        try (var server = new RealServer(directory)) {
            for (int i = 0; i < KEYS; i++) {
                var again = submit(server, i);
                if (again.status() == 200) {
                    assertThat(again.body()).isEqualTo(first.get(i).body());
                    assertThat(again.replayed()).isTrue();
                } else {
                    assertThat(i % 2).isZero();
                    assertThat(again.string("code")).isEqualTo("store_damaged");
                    assertThat(again.string("retry")).isEqualTo("never");
                    damaged++;
                }
            }
            assertThat(damaged).isGreaterThan(KEYS / 3);
            assertThat(server.metrics()).contains("nonbis_store_damaged_total " + damaged + ".0");
            assertThat(submit(server, KEYS).status()).isEqualTo(200);
            assertThat(server.get("/readyz", RealServer.ACME).status()).isEqualTo(200);
        }
    }

    /** Where the rows of keys begin that made this job: its name, a blank, and the form of a packed row. */
    private static List<Integer> rows(byte[] file, String job) {
        byte[] start = (job + " \u0001").getBytes(StandardCharsets.US_ASCII);
        var places = new ArrayList<Integer>();
        for (int at = 0; at < file.length - start.length; at++) {
            if (Arrays.equals(file, at, at + start.length, start, 0, start.length)) {
                places.add(at);
            }
        }
        assertThat(places).isNotEmpty();
        return places;
    }
}
