package dev.nonbis.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** One connection with at most one request under way. */
final class LoadConnection {

    private static final int MAX_REQUEST_BYTES = 8_192;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer request = ByteBuffer.allocateDirect(MAX_REQUEST_BYTES);
    private final ResponseParser response = new ResponseParser();
    private long sentAtNanos;

    private LoadConnection(SocketChannel channel, Selector selector) throws IOException {
        this.channel = channel;
        this.key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    static LoadConnection open(InetSocketAddress address, Selector selector) throws IOException {
        var channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        return new LoadConnection(channel, selector);
    }

    void send(RequestMaker requests, long nowNanos) throws IOException {
        request.clear();
        requests.next(request);
        request.flip();
        response.reset();
        sentAtNanos = nowNanos;
        flush();
    }

    /** Goes on writing what the socket did not take at once. */
    void flush() throws IOException {
        channel.write(request);
        boolean rest = request.hasRemaining();
        boolean waiting = (key.interestOps() & SelectionKey.OP_WRITE) != 0;
        if (rest != waiting) {
            key.interestOps(rest ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }
    }

    /** Reads what is there; true when the response is complete. */
    boolean receive(ByteBuffer scratch) throws IOException {
        scratch.clear();
        if (channel.read(scratch) < 0) {
            throw new EOFException("the server closed a connection with a request under way");
        }
        scratch.flip();
        return response.take(scratch);
    }

    ResponseParser response() {
        return response;
    }

    long sentAtNanos() {
        return sentAtNanos;
    }

    void close() throws IOException {
        channel.close();
    }
}
