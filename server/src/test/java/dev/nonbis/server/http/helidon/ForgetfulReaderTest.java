package dev.nonbis.server.http.helidon;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.helidon.common.buffers.DataReader;
import java.lang.ref.WeakReference;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ForgetfulReaderTest {

    private final Queue<byte[]> sent = new ArrayDeque<>();
    private final ForgetfulReader reader = new ForgetfulReader(sent::poll);

    @Test
    void blocks_are_read_as_one_stream() {
        send("POST / HT", "TP/1.1\r\nHost: x\r", "\n\r\nbo", "dy");

        assertThat(reader.readLine()).isEqualTo("POST / HTTP/1.1");
        assertThat(reader.startsWith("Host".getBytes(US_ASCII))).isTrue();
        assertThat(reader.findOrNewLine((byte) ':', 100)).isEqualTo(4);
        assertThat(reader.readAsciiString(4)).isEqualTo("Host");
        assertThat(reader.read()).isEqualTo((byte) ':');
        assertThat(reader.lookup()).isEqualTo((byte) ' ');
        reader.skip(1);
        assertThat(reader.findNewLine(100)).isEqualTo(1);
        assertThat(reader.readLazyString(US_ASCII, 1)).hasToString("x");
        reader.skip(2);
        assertThat(reader.startsWithNewLine()).isTrue();
        reader.skip(2);
        assertThat(reader.available()).isEqualTo(2);
        assertThat(reader.getBuffer(4).readString(4, US_ASCII)).isEqualTo("body");
        assertThat(reader.readBytes(4)).asString(US_ASCII).isEqualTo("body");
        assertThat(reader.available()).isZero();
    }

    @Test
    void what_comes_after_a_pause_is_read_too() {
        send("first");
        assertThat(reader.readBuffer(5).readString(5, US_ASCII)).isEqualTo("first");
        send("second", "third");

        reader.ensureAvailable();
        assertThat(reader.available()).isEqualTo(6);
        assertThat(reader.readBuffer().readString(6, US_ASCII)).isEqualTo("second");
        reader.pullData();
        assertThat(reader.debugDataHex()).contains("74 68 69 72 64");
        assertThat(reader.readBytes(5)).asString(US_ASCII).isEqualTo("third");
    }

    @Test
    void the_end_is_told() {
        send("a");
        assertThat(reader.read()).isEqualTo((byte) 'a');

        assertThatThrownBy(reader::ensureAvailable).isInstanceOf(DataReader.InsufficientDataAvailableException.class);
        assertThatThrownBy(reader::read).isInstanceOf(DataReader.InsufficientDataAvailableException.class);
    }

    /** As when the collector has made a block old and does not look whether anybody still needs it. */
    @Test
    void a_block_does_not_hold_on_to_those_behind_it() throws Exception {
        send("first");
        reader.readBytes(5);
        var old = field(DataReader.class, "head", field(ForgetfulReader.class, "reader", reader));
        send("second");
        var second = new WeakReference<>(sent.peek());
        reader.readBytes(6);
        send("third");
        reader.readBytes(5);

        for (int i = 0; i < 100 && second.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }

        assertThat(second.get()).isNull();
        assertThat(old).isNotNull();
    }

    /** What is not handed on would be read from a reader that never gets a byte. */
    @Test
    void everything_is_handed_on() {
        var unheard = "listener";

        assertThat(DataReader.class.getDeclaredMethods())
                .filteredOn(
                        method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .filteredOn(method -> !method.getName().equals(unheard))
                .isNotEmpty()
                .allSatisfy(method -> assertThat(
                                ForgetfulReader.class.getDeclaredMethod(method.getName(), method.getParameterTypes()))
                        .isNotNull());
    }

    private void send(String... blocks) {
        for (var block : blocks) {
            sent.add(block.getBytes(US_ASCII));
        }
    }

    private static Object field(Class<?> type, String name, Object of) throws ReflectiveOperationException {
        var field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }
}
