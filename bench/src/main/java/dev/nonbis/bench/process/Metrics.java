package dev.nonbis.bench.process;

import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.http.HttpConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** One reading of the server's metrics, summed over labels. */
public record Metrics(Map<String, Double> byName) {

    public static Metrics read(InetSocketAddress management) throws IOException {
        var answer = HttpConnection.once(management, Call.get("/metrics"));
        if (answer.status() != 200) {
            throw new IOException("no metrics: " + answer);
        }
        return parse(answer.text());
    }

    /** The Prometheus text format: name, optional labels in braces, value. */
    static Metrics parse(String text) {
        Map<String, Double> sums = new HashMap<>();
        text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(line -> {
            int nameEnd = line.indexOf('{') >= 0 ? line.indexOf('{') : line.indexOf(' ');
            int valueStart = line.indexOf('}') >= 0 ? line.lastIndexOf('}') + 1 : nameEnd;
            var value = line.substring(valueStart).strip().split(" ", 2)[0];
            sums.merge(line.substring(0, nameEnd), number(value), Double::sum);
        });
        return new Metrics(sums);
    }

    private static double number(String value) {
        return switch (value) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(value);
        };
    }

    public OptionalDouble value(String name) {
        var value = byName.get(name);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** How much a counter grew since an earlier reading; empty when the server has no such counter. */
    public OptionalDouble since(Metrics earlier, String name) {
        var now = value(name);
        return now.isEmpty()
                ? now
                : OptionalDouble.of(now.getAsDouble() - earlier.value(name).orElse(0));
    }
}
