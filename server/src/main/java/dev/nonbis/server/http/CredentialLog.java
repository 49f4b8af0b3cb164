package dev.nonbis.server.http;

import dev.nonbis.server.logging.LogFields;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Writes a line about each refused credential, up to a number a second, so that guessing is seen and cannot fill the disk. */
public final class CredentialLog implements Observer {

    private static final Logger LOG = System.getLogger("dev.nonbis.credentials");
    private static final int UNAUTHENTICATED = 401;
    private static final int MAX_LINES_PER_SECOND = 10;
    private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

    private final Observer next;
    private final LongSupplier nanoTime;
    private long secondStartedAt;
    private int refusedInSecond;
    private long unlogged;

    public CredentialLog(Observer next, LongSupplier nanoTime) {
        this.next = next;
        this.nanoTime = nanoTime;
        this.secondStartedAt = nanoTime.getAsLong();
    }

    @Override
    public void answered(String operationId, int status, long nanos) {
        next.answered(operationId, status, nanos);
    }

    @Override
    public void answered(Request request, Response response, String operationId, long nanos) {
        next.answered(request, response, operationId, nanos);
        if (response.status() == UNAUTHENTICATED) {
            refused(request, operationId);
        }
    }

    private synchronized void refused(Request request, String operationId) {
        long now = nanoTime.getAsLong();
        if (now - secondStartedAt >= SECOND_NANOS) {
            secondStartedAt = now;
            refusedInSecond = 0;
        }
        if (++refusedInSecond > MAX_LINES_PER_SECOND) {
            unlogged++;
            return;
        }
        boolean missing = request.headerValues("authorization").isEmpty()
                && request.headerValues("x-api-key").isEmpty();
        var fields = LogFields.of("request_id", request.id())
                .and("operation", operationId)
                .and("reason", missing ? "missing" : "invalid");
        if (unlogged > 0) {
            fields.and("unlogged_before", unlogged);
            unlogged = 0;
        }
        fields.during(() -> LOG.log(Level.INFO, "credential refused"));
    }
}
