package dev.nonbis.server.http;

/** Is told about every answer, after it was made and before it is sent. */
@FunctionalInterface
public interface Observer {

    Observer NONE = (operationId, status, nanos) -> {};

    /** The operation id is {@code unmatched} when no route took the request. */
    void answered(String operationId, int status, long nanos);

    /** The same, for those who want to see more of it. */
    default void answered(Request request, Response response, String operationId, long nanos) {
        answered(operationId, response.status(), nanos);
    }
}
