package dev.nonbis.server.http;

/** One line of the route table. A pattern is a path whose segments are literal or {@code {name}}. */
public record Route(Method method, String pattern, Access access, String operationId, Handler handler) {

    public Route {
        if (!pattern.startsWith("/") || (pattern.length() > 1 && pattern.endsWith("/")) || pattern.contains("//")) {
            throw new IllegalArgumentException("not a route pattern: " + pattern);
        }
    }
}
