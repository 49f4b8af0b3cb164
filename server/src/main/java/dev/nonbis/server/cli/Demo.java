package dev.nonbis.server.cli;

import dev.nonbis.client.Call;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.worker.Outcome;
import dev.nonbis.client.worker.Task;
import dev.nonbis.client.worker.Worker;
import dev.nonbis.json.Sha256;
import dev.nonbis.server.config.Config;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * What {@code dev --demo} adds to a server: a worker, a workflow, and two runs of it, one of which waits for a human. It has a credential of
 * its own, so that the human who runs the server may decide about what it asks for.
 */
final class Demo {

    static final String WORKFLOW = "refund";

    private static final String[] TOPICS = {
        "job.default", "job.demo.lookup", "job.demo.refund", "job.demo.mail", "job.demo.flaky"
    };

    // An order's number says what was paid for it; above 100 a human has to agree.
    private static final String DEFINITION = """
            {"steps":[
              {"id":"lookup","topic":"job.demo.lookup","input":{"order":"${input.order}"}},
              {"id":"refund","topic":"job.demo.refund","needs":["lookup"],"when":"steps.lookup.output.eur <= 100","input":{"eur":"${steps.lookup.output.eur}"}},
              {"id":"big_refund","topic":"job.demo.refund","needs":["lookup"],"when":"steps.lookup.output.eur > 100","approval":true,"input":{"eur":"${steps.lookup.output.eur}"}},
              {"id":"mail","topic":"job.demo.mail","needs":["refund","big_refund"],"input":{"order":"${input.order}"}}]}""";

    private final String token;

    private Demo(String token) {
        this.token = token;
    }

    /** A demo with a credential that nobody else knows and that ends with the process. */
    static Demo create() {
        return new Demo(DevKey.newToken());
    }

    /** The configuration with the demo's credential. */
    Config in(Config config) {
        var keys = new ArrayList<>(config.auth().keys());
        keys.add(new Config.ApiKey(
                "demo",
                "dev",
                Set.of("submitter", "operator", "worker"),
                Sha256.hex(token.getBytes(StandardCharsets.UTF_8))));
        return config.withAuth(new Config.Auth(keys, config.auth().jwt()));
    }

    /** Starts the worker, stores the workflow and starts its runs, which a second start of the demo finds again by their keys. */
    RunningServer on(RunningServer server) {
        var client = NonbisClient.builder(server.url(), token).build();
        client.putWorkflow(WORKFLOW, Inputs.EXACT.readTree(DEFINITION));
        startRun(client, 7);
        startRun(client, 170);
        var worker =
                Worker.builder(client).workerId("demo-worker").topics(TOPICS).start(Demo::work);
        return new WithWorker(server, worker);
    }

    private static void startRun(NonbisClient client, int order) {
        ObjectNode input = Inputs.EXACT.createObjectNode().put("order", order);
        Call call = NonbisClient.startRunCall(WORKFLOW, input).withKey("demo-" + order);
        client.startRun(call);
    }

    private static Outcome work(Task task) {
        return switch (task.topic()) {
            case "job.demo.lookup" ->
                Outcome.succeeded(Inputs.EXACT
                        .createObjectNode()
                        .put("eur", task.input().path("order").asInt()));
            case "job.demo.refund" ->
                // A payment service would get this key, and would not pay twice under it.
                Outcome.succeeded(Inputs.EXACT.createObjectNode().put("paid_under", task.idempotencyKey()));
            case "job.demo.flaky" ->
                task.execution() == 1 ? Outcome.retryable("the first try always fails") : Outcome.succeeded();
            default -> Outcome.succeeded();
        };
    }

    /** The server and the worker as one thing to stop. */
    private record WithWorker(RunningServer server, Worker worker) implements RunningServer {

        @Override
        public URI url() {
            return server.url();
        }

        @Override
        public URI managementUrl() {
            return server.managementUrl();
        }

        @Override
        public URI signInLink(String token) {
            return server.signInLink(token);
        }

        @Override
        public void awaitStop() throws InterruptedException {
            server.awaitStop();
        }

        // The worker first: what it has done is reported while there is somebody to hear it.
        @Override
        public void close() {
            worker.close();
            server.close();
        }
    }
}
