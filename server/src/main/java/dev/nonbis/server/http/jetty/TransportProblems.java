package dev.nonbis.server.http.jetty;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Router;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers with a problem what never becomes a request of ours: broken framing, headers or an address that are too long. */
final class TransportProblems implements Request.Handler {

    private static final Logger LOG = System.getLogger(TransportProblems.class.getName());

    private final RequestIds ids;

    TransportProblems(RequestIds ids) {
        this.ids = ids;
    }

    @Override
    public boolean handle(Request request, org.eclipse.jetty.server.Response to, Callback callback) {
        int status = request.getAttribute(ErrorHandler.ERROR_STATUS) instanceof Integer named ? named : 400;
        Client.of(request).ends();
        LOG.log(
                Level.DEBUG,
                () -> "a request was refused as " + status + ": " + request.getAttribute(ErrorHandler.ERROR_EXCEPTION));
        var response = of(problem(status));
        fill(to, response);
        if (request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2) {
            to.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        to.write(true, ByteBuffer.wrap(response.body()), callback);
        return true;
    }

    /** Everything of an answer but its body. */
    static void fill(org.eclipse.jetty.server.Response to, Response response) {
        to.setStatus(response.status());
        HttpFields.Mutable headers = to.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, response.contentType());
        response.headers().forEach(headers::put);
    }

    Response of(Problem problem) {
        var id = ids.next();
        return Response.problem(problem, id).with(Router.REQUEST_ID, id);
    }

    /** An answer as bytes of HTTP/1.1, for a connection that has no request. */
    ByteBuffer raw(Problem problem) {
        var response = of(problem);
        var head = new StringBuilder(
                "HTTP/1.1 " + response.status() + " " + problem.code().title() + "\r\n");
        head.append("Connection: close\r\nContent-Type: ").append(response.contentType());
        head.append("\r\nContent-Length: ").append(response.body().length).append("\r\n");
        response.headers()
                .forEach((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        var bytes = head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(bytes.length + response.body().length)
                .put(bytes)
                .put(response.body())
                .flip();
    }

    /** Jetty's reason is not repeated: it may quote the request. */
    private static Problem problem(int status) {
        return switch (status) {
            case 413 -> Problem.of(ProblemCode.BODY_TOO_LARGE, "The body is larger than this server takes.");
            case 414 -> Problem.of(ProblemCode.URI_TOO_LONG, "The request line is longer than this server takes.");
            case 417 ->
                Problem.of(ProblemCode.EXPECTATION_FAILED, "Nothing but 100-continue may be expected of this server.");
            case 431 -> Problem.of(ProblemCode.HEADERS_TOO_LARGE, "The headers are larger than this server takes.");
            case 500 ->
                Problem.of(ProblemCode.INTERNAL_ERROR, "The server's log has the cause under this request's id.");
            case 501 -> Problem.of(ProblemCode.NOT_IMPLEMENTED, "The server does not know this transfer coding.");
            default -> Problem.of(ProblemCode.MALFORMED_REQUEST, "The request is not valid HTTP.");
        };
    }
}
