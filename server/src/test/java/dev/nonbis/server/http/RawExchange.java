package dev.nonbis.server.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Carries out a {@link RawCase} on a connection of its own and compares what comes back. */
final class RawExchange implements AutoCloseable {

    /** The header in which the handler repeats what it saw. */
    static final String SEEN = "x-seen";

    private static final String PROBE = "GET /probe HTTP/1.1\r\nHost: a\r\n\r\n";
    static final String PROBE_SEEN = "GET /probe 0";

    /** One answer as it was read. */
    record Answer(int status, Map<String, String> headers, String body) {

        boolean interim() {
            return status < 200;
        }

        Optional<String> seen() {
            return Optional.ofNullable(headers.get(SEEN));
        }

        @Override
        public String toString() {
            return seen().map(seen -> status + " (" + seen + ")").orElse(Integer.toString(status));
        }
    }

    /** What a client saw: every answer but the one to the probe, and how the connection ended. */
    record Observed(List<Answer> answers, boolean closed, boolean probeAnswered, String trouble) {

        /** The requests that the answers say they belong to. */
        List<String> seen() {
            return answers.stream().flatMap(answer -> answer.seen().stream()).toList();
        }

        @Override
        public String toString() {
            var end = closed ? "closed" : probeAnswered ? "open" : "neither closed nor usable";
            return answers + ", " + end + (trouble.isEmpty() ? "" : ", " + trouble);
        }
    }

    private final RawCase what;

    /** Long past what a server needs; a connection that is still open then counts as open. */
    private final int patienceMillis;

    private final Socket socket;
    private final InputStream in;
    private final List<Answer> answers = new ArrayList<>();
    private boolean closed;
    private boolean late;
    private String trouble = "";

    private RawExchange(RawCase what, int port, int patienceMillis) throws IOException {
        this.what = what;
        this.patienceMillis = patienceMillis;
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(patienceMillis);
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    static Observed run(RawCase what, int port, int patienceMillis) throws IOException {
        try (var exchange = new RawExchange(what, port, patienceMillis)) {
            return exchange.run();
        }
    }

    /** What differs from the verdict; empty when nothing does. */
    static Optional<String> differs(RawCase what, Observed observed) {
        int at = 0;
        for (var expected : what.answers()) {
            if (at < observed.answers().size()
                    && expected.allows(observed.answers().get(at).status())) {
                at++;
            } else if (!expected.optional()) {
                return Optional.of("expected " + words(what) + " but saw " + observed);
            }
        }
        boolean fits = at == observed.answers().size()
                && observed.trouble().isEmpty()
                && switch (what.after()) {
                    case OPEN -> observed.probeAnswered();
                    case CLOSED -> observed.closed() && !observed.probeAnswered();
                    case EITHER -> observed.closed() || observed.probeAnswered();
                }
                && (what.seen().isEmpty() || observed.seen().equals(what.seen()));
        return fits ? Optional.empty() : Optional.of("expected " + words(what) + " but saw " + observed);
    }

    private static String words(RawCase what) {
        var statuses = what.answers().stream()
                .map(expected ->
                        String.join("/", expected.statuses().stream().sorted().toList()))
                .toList();
        return statuses + " " + what.seen() + ", " + what.after().name().toLowerCase(Locale.ROOT);
    }

    private Observed run() throws IOException {
        var writer = Thread.ofVirtual().start(this::write);
        long needed =
                what.answers().stream().filter(expected -> !expected.optional()).count();
        if (what.steps().contains(new RawCase.Step.AwaitAnswer())) {
            needed = Math.max(needed, 1);
        }
        while (answers.size() < needed && readAnswer()) {
            // Read on.
        }
        join(writer);
        boolean probed = false;
        if (!closed && !late && what.after() != RawCase.After.CLOSED) {
            probed = probe();
        } else {
            while (readAnswer()) {
                // Anything more is unexpected or optional.
            }
        }
        return new Observed(List.copyOf(answers), closed, probed, trouble);
    }

    private boolean probe() {
        try {
            socket.getOutputStream().write(PROBE.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException gone) {
            // Reading finds the end.
        }
        while (readAnswer()) {
            if (answers.getLast().seen().equals(Optional.of(PROBE_SEEN))) {
                answers.removeLast();
                return true;
            }
        }
        return false;
    }

    private void write() {
        try {
            var out = socket.getOutputStream();
            for (var step : what.steps()) {
                switch (step) {
                    case RawCase.Step.Send(var bytes) -> out.write(bytes);
                    case RawCase.Step.EndOfStream() -> socket.shutdownOutput();
                    case RawCase.Step.AwaitAnswer() -> awaitAnswer();
                }
            }
        } catch (IOException gone) {
            // The server may answer and close before it has read everything.
        }
    }

    private synchronized void awaitAnswer() {
        long until = System.nanoTime() + patienceMillis * 1_000_000L;
        try {
            while (answers.isEmpty() && !closed && System.nanoTime() < until) {
                wait(50);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void join(Thread writer) {
        try {
            if (!writer.join(Duration.ofMillis(patienceMillis))) {
                trouble = "the server reads no further and does not close";
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean readAnswer() {
        if (closed || late) {
            return false;
        }
        try {
            var head = line();
            if (!head.matches("HTTP/1\\.1 [1-5][0-9][0-9].*")) {
                trouble = "not an answer: " + head;
                late = true;
                return false;
            }
            int status = Integer.parseInt(head.substring(9, 12));
            var headers = new TreeMap<String, String>();
            for (var line = line(); !line.isEmpty(); line = line()) {
                int colon = line.indexOf(':');
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
            boolean bodiless = status < 200 || status == 204 || status == 304 || answersHead(headers);
            add(new Answer(status, headers, bodiless ? "" : body(headers)));
            return true;
        } catch (SocketTimeoutException stillOpen) {
            late = true;
        } catch (IOException end) {
            closed = true;
        }
        return false;
    }

    private synchronized void add(Answer answer) {
        answers.add(answer);
        notifyAll();
    }

    private boolean answersHead(Map<String, String> headers) {
        int at = answers.size();
        return headers.getOrDefault(SEEN, "").startsWith("HEAD ")
                || (at < what.answers().size() && what.answers().get(at).head());
    }

    private String body(Map<String, String> headers) throws IOException {
        var length = headers.get("content-length");
        if (length != null) {
            var bytes = in.readNBytes(Integer.parseInt(length));
            if (bytes.length < Integer.parseInt(length)) {
                throw new IOException("the answer is cut off");
            }
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
        if ("chunked".equals(headers.get("transfer-encoding"))) {
            return chunks();
        }
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    private String chunks() throws IOException {
        var all = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            all.writeBytes(in.readNBytes(size));
            line();
        }
        line();
        return all.toString(StandardCharsets.ISO_8859_1);
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
