package dev.nonbis.server.http;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Trace;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One HTTP request as handlers see it. Header names are lowercase; the path is as it was sent, path parameters and the query
 * are decoded.
 *
 * @param memory what the request holds of the server's budget, if it is counted
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes are handed over, never shared or compared.
public record Request(
        String id,
        String method,
        String path,
        Map<String, String> pathParams,
        Map<String, List<String>> query,
        Map<String, List<String>> headers,
        byte[] body,
        Optional<MemoryBudget.Account> memory) {

    public static final byte[] NO_BODY = {};

    /** A request that is not counted. */
    public Request(
            String id,
            String method,
            String path,
            Map<String, String> pathParams,
            Map<String, List<String>> query,
            Map<String, List<String>> headers,
            byte[] body) {
        this(id, method, path, pathParams, query, headers, body, Optional.empty());
    }

    /** The header's value when it was sent exactly once. */
    public Optional<String> header(String name) {
        var values = headerValues(name);
        return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
    }

    /** Every value that was sent under this name, in order. */
    public List<String> headerValues(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    }

    /** The trace that the caller is in the middle of. */
    public Optional<Trace> trace() {
        return header("traceparent").flatMap(Trace::parse);
    }

    /** The request with a header said otherwise. */
    public Request withHeader(String name, String value) {
        var all = new HashMap<>(headers);
        all.put(name, List.of(value));
        return new Request(id, method, path, pathParams, query, all, body, memory);
    }

    Request withPathParams(Map<String, String> params) {
        return new Request(id, method, path, params, query, headers, body, memory);
    }

    Request withBody(byte[] read) {
        return new Request(id, method, path, pathParams, query, headers, read, memory);
    }

    /** The tenant that answers for the request's memory, where its route leaves it to the handler to know the caller. */
    public void belongsTo(TenantId tenant) {
        memory.ifPresent(account -> account.belongsTo(tenant));
    }

    /**
     * Counts memory that is about to be used for this request's answer.
     *
     * @throws Refusal when there is none left for this caller
     */
    public void charge(long bytes) {
        memory.ifPresent(account -> account.charge(bytes));
    }

    /** What was charged last, this much, is not used after all. */
    public void release(long bytes) {
        memory.ifPresent(account -> account.set(account.held() - bytes));
    }

    public String pathParam(String name) {
        var value = pathParams.get(name);
        if (value == null) {
            throw new IllegalStateException("the route has no path parameter " + name);
        }
        return value;
    }

    public Optional<String> query(String name) {
        var values = query.getOrDefault(name, List.of());
        return values.isEmpty() ? Optional.empty() : Optional.of(values.getFirst());
    }
}
