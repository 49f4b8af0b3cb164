package dev.nonbis.server.api;

import static dev.nonbis.core.identity.Role.AUDITOR;
import static dev.nonbis.core.identity.Role.OPERATOR;
import static dev.nonbis.core.identity.Role.WORKER;
import static dev.nonbis.server.http.Access.anyOf;
import static dev.nonbis.server.http.Method.DELETE;
import static dev.nonbis.server.http.Method.GET;
import static dev.nonbis.server.http.Method.POST;

import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.server.http.Route;
import java.util.List;

/** The routes between a job's admission and its end: those of workers, and those of operators who settle what workers left open. */
public final class DispatchRoutes {

    private DispatchRoutes() {}

    public static List<Route> of(DispatchPorts ports, LongPoll polls) {
        var workers = new WorkersApi(ports, polls);
        var letters = new DeadLettersApi(ports);
        return List.of(
                new Route(POST, "/api/v1/worker/poll", anyOf(WORKER), "pollWork", workers::poll),
                new Route(POST, "/api/v1/worker/unreadable", anyOf(WORKER), "reportUnreadable", workers::unreadable),
                new Route(POST, "/api/v1/jobs/{id}/start", anyOf(WORKER), "startJob", workers::start),
                new Route(POST, "/api/v1/jobs/{id}/heartbeat", anyOf(WORKER), "heartbeat", workers::heartbeat),
                new Route(POST, "/api/v1/jobs/{id}/result", anyOf(WORKER), "recordResult", workers::result),
                new Route(POST, "/api/v1/jobs/{id}/resolve", anyOf(OPERATOR), "resolveJob", letters::resolve),
                new Route(POST, "/api/v1/jobs/{id}/republish", anyOf(OPERATOR), "republishJob", letters::republish),
                new Route(GET, "/api/v1/dlq", anyOf(OPERATOR, AUDITOR), "listDeadLetters", letters::list),
                new Route(POST, "/api/v1/dlq/{id}/retry", anyOf(OPERATOR), "retryDeadLetter", letters::retry),
                new Route(DELETE, "/api/v1/dlq/{id}", anyOf(OPERATOR), "discardDeadLetter", letters::discard));
    }
}
