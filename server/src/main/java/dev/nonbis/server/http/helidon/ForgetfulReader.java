package dev.nonbis.server.http.helidon;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.LazyString;
import java.nio.charset.Charset;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a connection with a new reader of Helidon's whenever the last one has nothing left. In one that stays, each block of bytes leads
 * to the next; as soon as one has become old while the connection was idle, the collector takes all that come behind it for alive, copies
 * them, and makes them old as well.
 */
final class ForgetfulReader extends DataReader {

    private final Supplier<byte @Nullable []> source;
    private DataReader reader;

    @SuppressWarnings("removal") // there is no other way to be one
    ForgetfulReader(Supplier<byte @Nullable []> source) {
        super(source);
        this.source = source;
        this.reader = DataReader.create(source);
    }

    private DataReader reader() {
        if (reader.available() == 0) {
            reader = DataReader.create(source);
        }
        return reader;
    }

    @Override
    public int available() {
        return reader.available();
    }

    @Override
    public void pullData() {
        reader().pullData();
    }

    @Override
    public void skip(int length) {
        reader().skip(length);
    }

    @Override
    public void ensureAvailable() {
        reader().ensureAvailable();
    }

    @Override
    public byte read() {
        return reader().read();
    }

    @Override
    public byte lookup() {
        return reader().lookup();
    }

    @Override
    public boolean startsWithNewLine() {
        return reader().startsWithNewLine();
    }

    @Override
    public boolean startsWith(byte[] prefix) {
        return reader().startsWith(prefix);
    }

    @Override
    public BufferData readBuffer() {
        return reader().readBuffer();
    }

    @Override
    public BufferData readBuffer(int length) {
        return reader().readBuffer(length);
    }

    @Override
    public BufferData getBuffer(int length) {
        return reader().getBuffer(length);
    }

    @Override
    public LazyString readLazyString(Charset charset, int length) {
        return reader().readLazyString(charset, length);
    }

    @Override
    public String readAsciiString(int length) {
        return reader().readAsciiString(length);
    }

    @Override
    public byte[] readBytes(int length) {
        return reader().readBytes(length);
    }

    @Override
    public String readLine() {
        return reader().readLine();
    }

    @Override
    public int findOrNewLine(byte wanted, int max) {
        return reader().findOrNewLine(wanted, max);
    }

    @Override
    public int findNewLine(int max) {
        return reader().findNewLine(max);
    }

    @Override
    public String debugDataHex() {
        return reader.debugDataHex();
    }
}
