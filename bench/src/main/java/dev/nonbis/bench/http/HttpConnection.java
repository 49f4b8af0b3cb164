package dev.nonbis.bench.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** One keep-alive connection. An {@link IOException} from {@link #send} means that nobody knows whether the request took effect. */
public final class HttpConnection implements AutoCloseable {

    private static final int CONNECT_TIMEOUT_MS = 2_000;
    private static final int MAX_LINE_BYTES = 16_384;

    private final Socket socket;
    private final InputStream in;
    private final String host;

    private HttpConnection(Socket socket, String host) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), 8_192);
        this.host = host;
    }

    /** Connects; a response that takes longer than {@code patience} counts as lost. */
    public static HttpConnection open(InetSocketAddress address, Duration patience) throws IOException {
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(Math.toIntExact(patience.toMillis()));
            socket.connect(address, CONNECT_TIMEOUT_MS);
            return new HttpConnection(socket, address.getHostString() + ":" + address.getPort());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends one call on a connection of its own. */
    public static Answer once(InetSocketAddress address, Call call) throws IOException {
        try (var connection = open(address, Duration.ofSeconds(10))) {
            return connection.send(call);
        }
    }

    public Answer send(Call call) throws IOException {
        var request = new ByteArrayOutputStream(512);
        request.writeBytes(call.head(host));
        request.writeBytes(call.body());
        // One write per request: head and body in two segments would wait for the peer's delayed acknowledgement.
        request.writeTo(socket.getOutputStream());
        return receive();
    }

    private Answer receive() throws IOException {
        var status = status(line());
        Map<String, String> headers = new HashMap<>();
        for (var line = line(); !line.isEmpty(); line = line()) {
            var colon = line.indexOf(':');
            if (colon < 1) {
                throw new ProtocolException("not a header: " + line);
            }
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return new Answer(status, headers, body(headers));
    }

    private static int status(String line) throws IOException {
        if (!line.startsWith("HTTP/1.1 ") || line.length() < 12) {
            throw new ProtocolException("not a status line: " + line);
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private byte[] body(Map<String, String> headers) throws IOException {
        if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
            return chunks();
        }
        var length = headers.get("content-length");
        return length == null ? new byte[0] : exactly(Integer.parseInt(length));
    }

    private byte[] chunks() throws IOException {
        var all = new ByteArrayOutputStream();
        while (true) {
            var size = Integer.parseInt(line().split(";", 2)[0].strip(), 16);
            all.writeBytes(exactly(size));
            line();
            if (size == 0) {
                return all.toByteArray();
            }
        }
    }

    private byte[] exactly(int length) throws IOException {
        var bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the body ended after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private String line() throws IOException {
        var line = new StringBuilder(64);
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection ended within a response's head");
            }
            if (line.length() > MAX_LINE_BYTES) {
                throw new ProtocolException("a header line without end");
            }
            line.append((char) b);
        }
        if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
            line.setLength(line.length() - 1);
        }
        return new String(line.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
