package dev.nonbis.server.http;

import dev.nonbis.server.logging.LogFields;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Writes a line about each request of the wanted kind: which operation, how it ended, under which ids. Paths, queries and bodies are left
 * out, because clients put into them what must not be read here.
 */
public final class RequestLog implements Observer {

    private static final Logger LOG = System.getLogger("dev.nonbis.requests");
    private static final int FAILED = 500;

    private final int leastStatus;
    private final Observer next;

    private RequestLog(int leastStatus, Observer next) {
        this.leastStatus = leastStatus;
        this.next = next;
    }

    public static RequestLog ofAll(Observer next) {
        return new RequestLog(0, next);
    }

    /** Only of those that the server could not answer well. */
    public static RequestLog ofFailed(Observer next) {
        return new RequestLog(FAILED, next);
    }

    @Override
    public void answered(String operationId, int status, long nanos) {
        next.answered(operationId, status, nanos);
    }

    @Override
    public void answered(Request request, Response response, String operationId, long nanos) {
        next.answered(request, response, operationId, nanos);
        if (response.status() >= leastStatus) {
            write(request, response, operationId, nanos);
        }
    }

    private static void write(Request request, Response response, String operationId, long nanos) {
        var fields = LogFields.of("request_id", request.id());
        request.trace().ifPresent(trace -> fields.and("trace_id", trace.id()));
        fields.and("operation", operationId).and("status", response.status()).and("micros", nanos / 1000);
        add(fields, response, "Nonbis-Blocked-By", "blocked_by");
        add(fields, response, "Nonbis-Original-Request", "original_request");
        fields.during(() -> LOG.log(response.status() >= FAILED ? Level.WARNING : Level.INFO, "answered"));
    }

    private static void add(LogFields fields, Response response, String header, String name) {
        var value = response.headers().get(header);
        if (value != null) {
            fields.and(name, value);
        }
    }
}
