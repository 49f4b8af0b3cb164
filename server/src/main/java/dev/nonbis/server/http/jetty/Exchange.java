package dev.nonbis.server.http.jetty;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.server.http.Incoming;
import dev.nonbis.server.http.MemoryBudget;
import dev.nonbis.server.http.QueryString;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Router;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.util.Callback;

/** Turns Jetty's request into ours, lets the router answer, and sends the answer. Each request has a virtual thread of its own. */
final class Exchange extends Handler.Abstract {

    private static final Logger LOG = System.getLogger(Exchange.class.getName());
    private static final int NOT_IMPLEMENTED = 501;

    private final Router router;
    private final RequestIds ids;
    private final HttpLimits limits;
    private final MemoryBudget budget;
    private final Clients clients;
    private volatile boolean draining;

    Exchange(Router router, RequestIds ids, HttpLimits limits, MemoryBudget budget, Clients clients) {
        this.router = router;
        this.ids = ids;
        this.limits = limits;
        this.budget = budget;
        this.clients = clients;
    }

    /** From now on every answer ends its connection. */
    void drain() {
        draining = true;
    }

    @Override
    public boolean handle(
            org.eclipse.jetty.server.Request from, org.eclipse.jetty.server.Response to, Callback callback) {
        var client = Client.of(from);
        boolean shared = from.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2;
        if (!client.begins(shared)) {
            client.close();
            callback.failed(new IOException("the connection was cut off"));
            return true;
        }
        try (var account = budget.open()) {
            var body = new ArrivingBody(from, limits, account);
            var answer = new Answer(from, to, client, limits);
            var response = within(account, respond(from, answer, body, account));
            send(answer, response, body, account);
            client.ended();
            callback.succeeded();
        } catch (IOException | RuntimeException broken) {
            if (!(broken instanceof IOException || broken instanceof UncheckedIOException)) {
                LOG.log(Level.ERROR, "an answer could not be written to its end", broken);
            }
            client.ended();
            client.close(broken);
            callback.failed(broken);
        }
        return true;
    }

    /** The answer, or that there is no room for it now. */
    private Response within(MemoryBudget.Account account, Response response) {
        try {
            account.answers(response.body().length);
            return response;
        } catch (Refusal refusal) {
            account.set(0);
            return problem(refusal.problem(), ids.next());
        }
    }

    private Response respond(
            org.eclipse.jetty.server.Request from, Answer answer, ArrivingBody body, MemoryBudget.Account account) {
        var id = ids.next();
        var refused = HeadRules.refuse(from, limits);
        var query = QueryString.parse(
                Optional.ofNullable(from.getHttpURI().getQuery()).orElse(""));
        if (refused.isPresent()) {
            answer.endsConnection();
            return problem(refused.get(), id);
        }
        if (query.isEmpty()) {
            return problem(Problem.of(ProblemCode.INVALID_QUERY, "The query cannot be decoded."), id);
        }
        var request = new Request(
                id,
                from.getMethod(),
                from.getHttpURI().getPath(),
                Map.of(),
                query.get(),
                new HeaderView(from.getHeaders()),
                Request.NO_BODY,
                Optional.of(account));
        return router.handle(request, new Incoming() {
            @Override
            public void authenticated(Actor actor) {
                account.belongsTo(actor.tenant());
                clients.authenticated(Client.of(from), actor.tenant());
            }

            @Override
            public byte[] body(int maxBytes) {
                return body.read(maxBytes);
            }
        });
    }

    private void send(Answer answer, Response response, ArrivingBody body, MemoryBudget.Account account)
            throws IOException {
        boolean over = body.isOver();
        if (draining || !over || response.status() == NOT_IMPLEMENTED) {
            answer.endsConnection();
        }
        answer.send(response, account);
        account.set(0);
        if (!over && !answer.waitsForContinue()) {
            body.discard();
        }
    }

    private static Response problem(Problem problem, String id) {
        return Response.problem(problem, id).with(Router.REQUEST_ID, id);
    }
}
