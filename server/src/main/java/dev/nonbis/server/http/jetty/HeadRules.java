package dev.nonbis.server.http.jetty;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import java.util.Optional;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.Request;

/** What a request's head must be besides what Jetty's strict parser asks for. */
final class HeadRules {

    /** Also refuses an absolute target that has no host or another one than the Host header. */
    static final HttpCompliance HTTP = HttpCompliance.STRICT;

    /** The router decides about segments and what is encoded in them; characters that RFC 3986 does not know are refused. */
    static final UriCompliance URI = UriCompliance.UNSAFE.without(
            "nonbis",
            Violation.ILLEGAL_PATH_CHARACTERS,
            Violation.SUSPICIOUS_PATH_CHARACTERS,
            Violation.FRAGMENT,
            Violation.USER_INFO);

    private HeadRules() {}

    static Optional<Problem> refuse(Request request, HttpLimits limits) {
        var fields = request.getHeaders();
        if (fields.size() > limits.maxHeaderCount()) {
            return Optional.of(Problem.of(ProblemCode.HEADERS_TOO_LARGE, "There are too many header fields."));
        }
        if (fields.contains(HttpHeader.TRANSFER_ENCODING)) {
            if (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_0) {
                return Optional.of(malformed("HTTP/1.0 has no Transfer-Encoding."));
            }
            var codings = fields.getValuesList(HttpHeader.TRANSFER_ENCODING);
            if (codings.size() != 1 || !codings.getFirst().equalsIgnoreCase("chunked")) {
                return Optional.of(
                        Problem.of(ProblemCode.NOT_IMPLEMENTED, "No transfer coding but chunked is known here."));
            }
        }
        var scheme = request.getHttpURI().getScheme();
        if (scheme != null && !scheme.equals("http") && !scheme.equals("https")) {
            return Optional.of(malformed("The target is not an HTTP address."));
        }
        return Optional.empty();
    }

    private static Problem malformed(String detail) {
        return Problem.of(ProblemCode.MALFORMED_REQUEST, detail);
    }
}
