package dev.nonbis.server;

import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.operation.NoteDuplicates;
import dev.nonbis.server.api.DispatchRoutes;
import dev.nonbis.server.api.LongPoll;
import dev.nonbis.server.api.Routes;
import dev.nonbis.server.api.Watching;
import dev.nonbis.server.api.WebhooksApi;
import dev.nonbis.server.events.EventStreams;
import dev.nonbis.server.http.Readiness;
import dev.nonbis.server.http.Route;
import dev.nonbis.server.http.SystemRoutes;
import dev.nonbis.server.webhook.Addresses;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Every route of the API, gathered in one place, so that what is tested is what is served. */
public final class ApiRoutes {

    private static final Set<String> LARGE =
            Set.of("getJob", "getApproval", "getWorkflow", "getRun", "getRunTimeline", "getJobTimeline", "getBudgets");

    private ApiRoutes() {}

    /** What the routes work with. */
    public record Parts(
            DispatchPorts dispatching,
            NoteDuplicates duplicates,
            Watching watching,
            Set<Operation> keyRequired,
            LongPoll polls,
            EventStreams events,
            Addresses addresses,
            Supplier<Readiness> readiness,
            BooleanSupplier live) {}

    /** Lists are pages of up to a mebibyte of stored values; so may one thing be with what was asked. */
    private static Route sized(Route route) {
        boolean large = route.operationId().startsWith("list") || LARGE.contains(route.operationId());
        return large ? route.answering(Route.AnswerSize.PAGE) : route;
    }

    public static List<Route> of(Parts parts) {
        var ports = parts.dispatching().ports();
        var routes = new ArrayList<>(Routes.of(ports, parts.duplicates(), parts.watching(), parts.keyRequired()));
        routes.addAll(DispatchRoutes.of(parts.dispatching(), parts.polls()));
        routes.add(parts.events().route());
        routes.addAll(WebhooksApi.routes(ports, parts.addresses()));
        routes.addAll(SystemRoutes.health(parts.readiness(), parts.live()));
        routes.addAll(SystemRoutes.reference());
        routes.add(SystemRoutes.keys(ports.signer().publicKeys()));
        return routes.stream().map(ApiRoutes::sized).toList();
    }
}
