package dev.nonbis.server.http;

/** One line of the route table. A pattern is a path whose segments are literal or {@code {name}}. */
public record Route(Method method, String pattern, Access access, String operationId, Handler handler, BodyType takes) {

    /** What a request's body is. */
    public enum BodyType {
        JSON,
        /** What a browser sends when a form is submitted. */
        FORM
    }

    public Route(Method method, String pattern, Access access, String operationId, Handler handler) {
        this(method, pattern, access, operationId, handler, BodyType.JSON);
    }

    public Route {
        if (!pattern.startsWith("/") || (pattern.length() > 1 && pattern.endsWith("/")) || pattern.contains("//")) {
            throw new IllegalArgumentException("not a route pattern: " + pattern);
        }
    }
}
