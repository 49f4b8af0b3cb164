package dev.nonbis.bench.torture;

import dev.nonbis.bench.process.Credential;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A small server that keeps the contract in memory, or breaks it in one chosen way; a kill cuts its connections and keeps its memory. */
public final class FakePlane implements Victim, AutoCloseable {

    /** What is wrong with it. */
    public enum Defect {
        NONE,
        FORGETS_ACKNOWLEDGED_JOBS,
        FORGETS_KEYS,
        IGNORES_THE_LIMIT,
        AUDITS_REPLAYS,
        BREAKS_THE_CHAIN,
        SHOWS_FOREIGN_OBJECTS,
        ACCEPTS_OTHER_BODIES,
        MAKES_MISTAKES,
        MAKES_MISTAKES_IN_LISTS
    }

    private final FakeState state;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private ServerSocket listener;

    public FakePlane(Defect defect) throws IOException {
        this.state = new FakeState(defect);
        this.listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        listener.close();
    }

    @Override
    public InetSocketAddress start() throws IOException {
        listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        var mine = listener;
        Thread.ofVirtual().start(() -> accept(mine));
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
    }

    private void accept(ServerSocket on) {
        while (!on.isClosed()) {
            try {
                var socket = on.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return; // closed: this is how the fake dies
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream());
            while (true) {
                socket.getOutputStream().write(response(answer(in)));
            }
        } catch (IOException e) {
            open.remove(socket); // cut by the kill or left by the client
        }
    }

    private FakeState.Reply answer(InputStream in) throws IOException {
        var requestLine = line(in).split(" ", 3);
        Map<String, String> headers = new HashMap<>();
        for (var line = line(in); !line.isEmpty(); line = line(in)) {
            var parts = line.split(":", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1].strip());
        }
        var body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        var token = headers.getOrDefault("authorization", "").replace("Bearer ", "");
        var tenant = Attacker.TENANTS.stream()
                .filter(t -> Credential.forTenant(t).token().equals(token))
                .findFirst();
        if (tenant.isEmpty()) {
            return new FakeState.Reply(401, "{\"code\":\"auth.required\"}", false);
        }
        var key = headers.getOrDefault("idempotency-key", "").replace("\"", "");
        return state.handle(new FakeState.Asked(tenant.get(), requestLine[0], requestLine[1], key, body));
    }

    private static byte[] response(FakeState.Reply reply) {
        var body = reply.body().getBytes(StandardCharsets.UTF_8);
        var head = "HTTP/1.1 " + reply.status() + " Any\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length + (reply.replayed() ? "\r\nIdempotent-Replayed: true" : "") + "\r\n\r\n";
        var out = new ByteArrayOutputStream();
        out.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(body);
        return out.toByteArray();
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("end");
            }
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }

    @Override
    public void kill() {
        try {
            listener.close();
            for (var socket : List.copyOf(open)) {
                socket.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException("a socket that cannot be closed", e);
        }
        state.afterKill();
    }

    @Override
    public boolean alive() {
        return !listener.isClosed();
    }

    @Override
    public String lastWords() {
        return "";
    }

    @Override
    public void close() {
        kill();
    }
}
