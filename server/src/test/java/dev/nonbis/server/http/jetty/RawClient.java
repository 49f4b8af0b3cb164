package dev.nonbis.server.http.jetty;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A connection on which a test says exactly which bytes are sent. */
final class RawClient implements AutoCloseable {

    /** Long past every deadline that a test configures; reaching it fails the test. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    record Answer(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    private final Socket socket;
    private final InputStream in;

    private RawClient(Socket socket) throws IOException {
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.setTcpNoDelay(true);
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    static RawClient connect(int port) throws IOException {
        return new RawClient(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    static RawClient on(Socket socket) throws IOException {
        return new RawClient(socket);
    }

    RawClient send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    RawClient get(String path) throws IOException {
        return send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    RawClient post(String path, String body) throws IOException {
        return send("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body);
    }

    /** Sends nothing more, and still reads. */
    void finish() throws IOException {
        socket.shutdownOutput();
    }

    Answer answer() throws IOException {
        var head = head();
        var body = in.readNBytes(Integer.parseInt(head.header("content-length")));
        return new Answer(head.status(), head.headers(), new String(body, StandardCharsets.UTF_8));
    }

    /** An answer without its body, which after HEAD is all there is. */
    Answer head() throws IOException {
        int status = Integer.parseInt(line().substring(9, 12));
        var headers = new TreeMap<String, String>();
        for (var line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return new Answer(status, headers, "");
    }

    /** Reads a body in chunks to its end. */
    String chunks() throws IOException {
        var body = new StringBuilder();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            body.append(new String(in.readNBytes(size), StandardCharsets.UTF_8));
            line();
        }
        line();
        return body.toString();
    }

    /** Whether the server ends the connection, with or without a word before. */
    boolean ended() {
        try {
            in.readAllBytes();
            return true;
        } catch (SocketTimeoutException stillOpen) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    /** What comes before the server ends the connection. */
    String rest() throws IOException {
        return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the server ended the connection after: " + line);
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
