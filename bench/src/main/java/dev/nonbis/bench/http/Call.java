package dev.nonbis.bench.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * One request: what to do, who asks, under which key, with which body.
 *
 * @param headers others than these need, as they are sent; a content type among them takes the place of the usual one
 */
public record Call(Target target, Optional<String> token, Optional<String> key, List<Header> headers, byte[] body) {

    private static final byte[] NO_BODY = {};

    public Call(Target target, Optional<String> token, Optional<String> key, byte[] body) {
        this(target, token, key, List.of(), body);
    }

    /** One line of the head. */
    public record Header(String name, String value) {}

    /** The method and the path with its query. */
    public record Target(String method, String path) {}

    public static Call get(String path) {
        return new Call(new Target("GET", path), Optional.empty(), Optional.empty(), NO_BODY);
    }

    public static Call post(String path, byte[] body) {
        return new Call(new Target("POST", path), Optional.empty(), Optional.empty(), body);
    }

    public static Call put(String path, byte[] body) {
        return new Call(new Target("PUT", path), Optional.empty(), Optional.empty(), body);
    }

    public Call as(String bearer) {
        return new Call(target, Optional.of(bearer), key, headers, body);
    }

    public Call withKey(String idempotencyKey) {
        return new Call(target, token, Optional.of(idempotencyKey), headers, body);
    }

    /** The request's head, up to and including the empty line. */
    byte[] head(String host) {
        var head = new StringBuilder(256);
        head.append(target.method()).append(' ').append(target.path()).append(" HTTP/1.1\r\nHost: ");
        head.append(host).append("\r\n");
        token.ifPresent(t -> head.append("Authorization: Bearer ").append(t).append("\r\n"));
        key.ifPresent(k -> head.append("Idempotency-Key: \"").append(k).append("\"\r\n"));
        if (!target.method().equals("GET")) {
            if (headers.stream().noneMatch(header -> header.name().equalsIgnoreCase("content-type"))) {
                head.append("Content-Type: application/json\r\n");
            }
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        headers.forEach(header ->
                head.append(header.name()).append(": ").append(header.value()).append("\r\n"));
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        return target.method() + " " + target.path() + key.map(k -> " key " + k).orElse("")
                + (headers.isEmpty() ? "" : " " + headers);
    }
}
