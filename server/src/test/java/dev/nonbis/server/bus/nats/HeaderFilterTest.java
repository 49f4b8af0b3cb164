package dev.nonbis.server.bus.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class HeaderFilterTest {

    private static final String MARKED = "NATS/1.0\r\nNonbis-Malformed: true\r\n\r\n";

    private static String through(String sent, Random chance) throws IOException {
        var filter = new HeaderFilter();
        var got = new ByteArrayOutputStream();
        byte[] bytes = sent.getBytes(StandardCharsets.ISO_8859_1);
        for (int at = 0; at < bytes.length; ) {
            int some = Math.min(bytes.length - at, 1 + chance.nextInt(20));
            byte[] piece = new byte[some];
            System.arraycopy(bytes, at, piece, 0, some);
            filter.write(piece, some);
            at += some;
            byte[] into = new byte[1 + chance.nextInt(30)];
            while (!filter.isEmpty()) {
                got.write(into, 0, filter.read(into, 0, into.length));
            }
        }
        return got.toString(StandardCharsets.ISO_8859_1);
    }

    private static String message(String subject, String headers, String body) {
        return headers.isEmpty()
                ? "MSG " + subject + " 1 " + body.length() + "\r\n" + body + "\r\n"
                : "HMSG " + subject + " 1 r.x " + headers.length() + " " + (headers.length() + body.length()) + "\r\n"
                        + headers + body + "\r\n";
    }

    @Test
    void what_can_be_read_passes_as_it_is_however_it_is_cut() throws IOException {
        var chance = new Random(7);
        var sent = "INFO {\"version\":\"2.9.10\"}\r\nPONG\r\n"
                + message("a", "", "HMSG b 1 5 5\r\nMSG")
                + message("a", "NATS/1.0\r\nA: b\r\n\r\n", "{}")
                + message("a", "NATS/1.0 404 No Messages\r\n\r\n", "")
                + "PING\r\n+OK\r\n-ERR 'x'\r\n";

        for (int i = 0; i < 200; i++) {
            assertThat(through(sent, chance)).isEqualTo(sent);
        }
    }

    @Test
    void headers_of_any_bytes_are_marked_and_what_is_behind_them_passes() throws IOException {
        var chance = new Random(11);
        var last = message("z", "NATS/1.0\r\nA: b\r\n\r\n", "end");
        for (int i = 0; i < 2000; i++) {
            var headers = new StringBuilder(chance.nextBoolean() ? "NATS/1.0\r\n" : "");
            for (int left = 1 + chance.nextInt(40); left > 0; left--) {
                headers.append((char) chance.nextInt(256));
            }
            var body = "x".repeat(chance.nextInt(50));

            var got = through(message("a", headers.toString(), body) + last, chance);

            assertThat(got).isIn(message("a", MARKED, body) + last, message("a", headers.toString(), body) + last);
        }
    }

    @Test
    void a_broker_that_makes_no_sense_is_an_error_of_the_connection() {
        assertThatThrownBy(() -> through("MSG a 1 -5\r\n", new Random(1))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> through("HMSG a\r\n", new Random(1))).isInstanceOf(IOException.class);
    }
}
