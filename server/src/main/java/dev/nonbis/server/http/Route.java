package dev.nonbis.server.http;

/** One line of the route table. A pattern is a path whose segments are literal or {@code {name}}. */
public record Route(
        Method method,
        String pattern,
        Access access,
        String operationId,
        Handler handler,
        BodyType takes,
        AnswerSize answers) {

    /** The largest body that a caller without a credential may send: a sign-in form, or one of the console's. */
    static final int OPEN_BODY_BYTES = 64 << 10;

    /** What a request's body is. */
    public enum BodyType {
        JSON,
        /** What a browser sends when a form is submitted. */
        FORM
    }

    /** How much memory an answer may take while it is built. */
    public enum AnswerSize {
        /** No more than a job's record. */
        SMALL(0),
        /** A page of a list, with the values that it is made of. */
        PAGE(2 << 20),
        /** What is handed out to a worker: it is charged when there may be work, not by the route. */
        WORK(4 << 20);

        private final long bytes;

        AnswerSize(long bytes) {
            this.bytes = bytes;
        }

        /** What is charged before the handler is called. */
        public long bytes() {
            return bytes;
        }
    }

    public Route(Method method, String pattern, Access access, String operationId, Handler handler) {
        this(method, pattern, access, operationId, handler, BodyType.JSON);
    }

    public Route(Method method, String pattern, Access access, String operationId, Handler handler, BodyType takes) {
        this(method, pattern, access, operationId, handler, takes, AnswerSize.SMALL);
    }

    /** The same route, whose answer may be large. */
    public Route answering(AnswerSize size) {
        return new Route(method, pattern, access, operationId, handler, takes, size);
    }

    public Route {
        if (!pattern.startsWith("/") || (pattern.length() > 1 && pattern.endsWith("/")) || pattern.contains("//")) {
            throw new IllegalArgumentException("not a route pattern: " + pattern);
        }
    }
}
