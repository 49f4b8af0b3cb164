package dev.nonbis.bench.torture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The world outside: workers of other processes have effects in it, each under a key that makes it happen once. It remembers every call
 * and every report that a worker says was answered, so that a judge can compare them with what the server tells.
 *
 * <p>One line is one message: {@code apply key job fence worker} or {@code reported job fence worker status answer}.
 */
final class Ledger implements AutoCloseable {

    private final ServerSocket listener;
    private final Set<String> keys = new HashSet<>();
    private final List<Effect> calls = new ArrayList<>();
    private final List<Report> reports = new ArrayList<>();

    /** One call for an effect, which took place if it was the key's first. */
    record Effect(String key, String job, int fence, String worker) {}

    /** What a worker heard from the server about the result of one execution. */
    record Report(String job, int fence, String worker, String status, String answer) {

        boolean isAcknowledged() {
            return answer.equals("recorded") || answer.equals("already_recorded");
        }
    }

    private Ledger(ServerSocket listener) {
        this.listener = listener;
    }

    static Ledger open() throws IOException {
        var ledger = new Ledger(new ServerSocket(0, 256, InetAddress.getLoopbackAddress()));
        Thread.ofPlatform().daemon().name("ledger").start(ledger::accept);
        return ledger;
    }

    int port() {
        return listener.getLocalPort();
    }

    /** How many effects took place. */
    synchronized int effects() {
        return keys.size();
    }

    synchronized List<Effect> calls() {
        return List.copyOf(calls);
    }

    synchronized List<Report> reports() {
        return List.copyOf(reports);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var socket = listener.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                // Closed: the campaign is over.
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                var out = socket.getOutputStream()) {
            socket.setTcpNoDelay(true);
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                out.write((take(line.split(" ", -1)) + "\n").getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
        } catch (IOException e) {
            // The worker was killed; what it said before stands.
        }
    }

    private synchronized String take(String[] words) {
        return switch (words[0]) {
            case "apply" -> {
                calls.add(new Effect(words[1], words[2], Integer.parseInt(words[3]), words[4]));
                yield keys.add(words[1]) ? "first" : "again";
            }
            case "reported" -> {
                reports.add(new Report(words[1], Integer.parseInt(words[2]), words[3], words[4], words[5]));
                yield "noted";
            }
            default -> throw new IllegalArgumentException("not a message: " + String.join(" ", words));
        };
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
