package dev.nonbis.server.bus.nats;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;

/** As much of a broker as a client needs to connect: it says which version it is, and answers pings. */
final class OldServer implements AutoCloseable {

    private final ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final String version;

    OldServer(String version) throws IOException {
        this.version = version;
        Thread.ofVirtual().start(this::serve);
    }

    String url() {
        return "nats://127.0.0.1:" + socket.getLocalPort();
    }

    private void serve() {
        try (var client = socket.accept();
                var lines =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))) {
            var out = client.getOutputStream();
            out.write(("INFO {\"server_id\":\"old\",\"version\":\"" + version
                            + "\",\"proto\":1,\"headers\":true,\"max_payload\":1048576}\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals("PING")) {
                    out.write("PONG\r\n".getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException e) {
            if (!socket.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
