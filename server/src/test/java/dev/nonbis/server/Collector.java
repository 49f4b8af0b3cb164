package dev.nonbis.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** Takes spans as OTLP over HTTP sends them, and reads of its protobuf what tests ask for. */
final class Collector implements AutoCloseable {

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();

    /** A span; ids are hex, and a root's parent is empty. */
    record Span(
            String name, String trace, String id, String parent, Map<String, String> attributes, List<String> links) {

        boolean isAbout(String attribute, String value) {
            return value.equals(attributes.get(attribute));
        }
    }

    Collector() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces");
    }

    List<Span> spans() {
        return spans;
    }

    List<String> authorizations() {
        return authorizations;
    }

    private void take(HttpExchange exchange) throws IOException {
        var sent = exchange.getRequestHeaders().getFirst("Authorization");
        authorizations.add(sent == null ? "" : sent);
        var request = Message.of(exchange.getRequestBody().readAllBytes());
        for (var resource : request.messages(1)) {
            for (var scope : resource.messages(2)) {
                scope.messages(2).forEach(span -> spans.add(span(span)));
            }
        }
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    private static Span span(Message message) {
        var attributes = new TreeMap<String, String>();
        for (var attribute : message.messages(9)) {
            var value = attribute.messages(2).getFirst();
            attributes.put(
                    attribute.text(1),
                    value.fields.containsKey(3)
                            ? String.valueOf(value.fields.get(3).getFirst())
                            : value.text(1));
        }
        return new Span(
                message.text(5),
                message.hex(1),
                message.hex(2),
                message.hex(4),
                attributes,
                message.messages(13).stream()
                        .map(link -> link.hex(1) + "-" + link.hex(2))
                        .toList());
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /** A protobuf message: what stands under each number, as numbers or as bytes. */
    private record Message(Map<Integer, List<Object>> fields) {

        static Message of(byte[] bytes) {
            var fields = new TreeMap<Integer, List<Object>>();
            var in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            while (in.hasRemaining()) {
                long tag = varint(in);
                Object value = switch ((int) (tag & 7)) {
                    case 0 -> varint(in);
                    case 1 -> in.getLong();
                    case 2 -> {
                        var inner = new byte[(int) varint(in)];
                        in.get(inner);
                        yield inner;
                    }
                    case 5 -> (long) in.getInt();
                    default -> throw new AssertionError("not protobuf");
                };
                fields.computeIfAbsent((int) (tag >> 3), number -> new ArrayList<>())
                        .add(value);
            }
            return new Message(fields);
        }

        private static long varint(ByteBuffer in) {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                byte next = in.get();
                value |= (long) (next & 0x7f) << shift;
                if (next >= 0) {
                    return value;
                }
            }
        }

        List<Message> messages(int number) {
            return fields.getOrDefault(number, List.of()).stream()
                    .map(bytes -> of((byte[]) bytes))
                    .toList();
        }

        String text(int number) {
            return new String(bytes(number), StandardCharsets.UTF_8);
        }

        String hex(int number) {
            return HexFormat.of().formatHex(bytes(number));
        }

        private byte[] bytes(int number) {
            var found = fields.getOrDefault(number, List.of());
            return found.isEmpty() ? new byte[0] : (byte[]) found.getFirst();
        }
    }
}
