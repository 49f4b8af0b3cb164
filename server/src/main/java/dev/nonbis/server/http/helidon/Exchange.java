package dev.nonbis.server.http.helidon;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.server.http.QueryString;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Router;
import io.helidon.common.buffers.DataReader;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Turns Helidon's request into ours, lets the router answer, and sends the answer. The body is read to its end first. */
final class Exchange implements Handler {

    private static final byte[] NO_BODY = {};

    private final Router router;
    private final RequestIds ids;
    private final HttpLimits limits;
    private final Map<String, Header> contentTypes = new ConcurrentHashMap<>();
    private final Map<String, HeaderName> headerNames = new ConcurrentHashMap<>();
    private final BodyBudget budget;
    private volatile boolean draining;

    Exchange(Router router, RequestIds ids, HttpLimits limits) {
        this.router = router;
        this.ids = ids;
        this.limits = limits;
        this.budget = new BodyBudget(limits.maxBodyBytes(), limits.bodyDeadline());
    }

    /** From now on every answer ends its connection. */
    void drain() {
        draining = true;
    }

    @Override
    public void handle(ServerRequest from, ServerResponse to) throws IOException {
        var id = ids.next();
        int kib = budget.kibOf(from.headers().contentLength(), from.content().hasEntity());
        if (!budget.take(kib)) {
            to.header(HeaderValues.CONNECTION_CLOSE);
            send(refused(ProblemCode.OVERLOADED, "Too many large requests are under way.", id), false, to);
            return;
        }
        try {
            answer(from, to, id);
        } finally {
            budget.giveBack(kib);
        }
    }

    private void answer(ServerRequest from, ServerResponse to, String id) throws IOException {
        byte[] body;
        try {
            body = body(from);
        } catch (CloseConnectionException gone) {
            throw gone;
        } catch (RuntimeException broken) {
            throw refuseBody(broken, id, to);
        }
        var prologue = from.prologue();
        var query = QueryString.parse(prologue.query().rawValue());
        Response response;
        if (from.headers().size() > limits.maxHeaderCount()) {
            response = refused(ProblemCode.HEADERS_TOO_LARGE, "There are too many header fields.", id);
        } else if (query.isEmpty()) {
            response = refused(ProblemCode.INVALID_QUERY, "The query cannot be decoded.", id);
        } else {
            response = router.handle(new Request(
                    id,
                    prologue.method().text(),
                    prologue.uriPath().rawPath(),
                    Map.of(),
                    query.get(),
                    new HeaderView(from.headers()),
                    body));
        }
        send(response, prologue.method().text().equals("HEAD"), to);
    }

    /** The rest of the body cannot be found, so the connection cannot go on. */
    private CloseConnectionException refuseBody(RuntimeException broken, String id, ServerResponse to) {
        // Helidon lets what its own parsing throws escape as it is: a chunk's bad size, a line that does not end.
        var status = broken instanceof RequestException named ? named.status() : Status.BAD_REQUEST_400;
        to.header(HeaderValues.CONNECTION_CLOSE);
        send(Response.problem(TransportProblems.problem(status), id).with(Router.REQUEST_ID, id), false, to);
        // Helidon would look for the rest of the body, stumble again, and answer a second time.
        return new CloseConnectionException("the body cannot be read to its end", broken);
    }

    private static byte[] body(ServerRequest from) throws IOException {
        if (!from.content().hasEntity()) {
            return NO_BODY;
        }
        try {
            // Not closed: that would wait for the rest of a body which is being refused.
            var in = from.content().inputStream();
            var length = from.headers().contentLength();
            return length.isPresent() ? exactly((int) length.getAsLong(), in) : in.readAllBytes();
        } catch (DataReader.InsufficientDataAvailableException gone) {
            throw new CloseConnectionException("the client left before the end of the body", gone);
        }
    }

    /** Helidon has checked the length against the limit. */
    private static byte[] exactly(int length, InputStream in) throws IOException {
        var bytes = new byte[length];
        // The end must be seen, or Helidon would look for more of the body.
        if (in.readNBytes(bytes, 0, length) != length || in.read() != -1) {
            throw new CloseConnectionException("the body does not have its length");
        }
        return bytes;
    }

    private static Response refused(ProblemCode code, String detail, String id) {
        return Response.problem(Problem.of(code, detail), id).with(Router.REQUEST_ID, id);
    }

    private void send(Response response, boolean head, ServerResponse to) {
        to.status(Status.create(response.status()));
        to.header(contentTypes.computeIfAbsent(
                response.contentType(), type -> HeaderValues.createCached(HeaderNames.CONTENT_TYPE, type)));
        for (var header : response.headers().entrySet()) {
            to.header(HeaderValues.create(
                    headerNames.computeIfAbsent(header.getKey(), HeaderNames::create), header.getValue()));
        }
        if (draining) {
            to.header(HeaderValues.CONNECTION_CLOSE);
        }
        if (response.stream().isPresent()) {
            stream(response.stream().get(), head, to);
        } else if (head) {
            to.header(HeaderValues.create(HeaderNames.CONTENT_LENGTH, response.body().length));
            to.send();
        } else {
            to.send(response.body());
        }
    }

    private static void stream(Response.Stream stream, boolean head, ServerResponse to) {
        if (head) {
            to.send();
            return;
        }
        try (var out = to.outputStream()) {
            stream.writeTo(out);
        } catch (IOException | UncheckedIOException gone) {
            throw new CloseConnectionException("the client left before the end of the answer", gone);
        }
    }
}
