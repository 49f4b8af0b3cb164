package dev.nonbis.server.cli;

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
 * What {@code dev --demo} adds to a server: a worker, two workflows with runs of which two wait for a human, and a client that repeats
 * itself. It has a credential of its own, so that the human who runs the server may decide about what it asks for.
 */
final class Demo {

    private static final String REFUND = "refund";
    private static final String PUBLISH = "publish";

    private static final String[] TOPICS = {
        "job.default", "job.demo.lookup", "job.demo.refund", "job.demo.mail", "job.demo.flaky", "job.demo.write"
    };

    // An order's number says what was paid for it; above 100 a human has to agree.
    private static final String REFUND_STEPS = """
            {"steps":[
              {"id":"lookup","topic":"job.demo.lookup","input":{"order":"${input.order}"}},
              {"id":"refund","topic":"job.demo.refund","needs":["lookup"],"when":"steps.lookup.output.eur <= 100","input":{"eur":"${steps.lookup.output.eur}"}},
              {"id":"big_refund","topic":"job.demo.refund","needs":["lookup"],"when":"steps.lookup.output.eur > 100","approval":true,"input":{"eur":"${steps.lookup.output.eur}"}},
              {"id":"mail","topic":"job.demo.mail","needs":["refund","big_refund"],"input":{"order":"${input.order}"}}]}""";

    private static final String PUBLISH_STEPS = """
            {"steps":[
              {"id":"draft","topic":"job.demo.write","input":{"about":"${input.about}"}},
              {"id":"post","topic":"job.demo.mail","needs":["draft"],"approval":true,"input":{"text":"${steps.draft.output.text}"}}]}""";

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

    /** Starts the worker, stores the workflows and starts their runs, which a second start of the demo finds again by their keys. */
    RunningServer on(RunningServer server) {
        var client = NonbisClient.builder(server.url(), token).build();
        client.putWorkflow(REFUND, Inputs.EXACT.readTree(REFUND_STEPS));
        client.putWorkflow(PUBLISH, Inputs.EXACT.readTree(PUBLISH_STEPS));
        startRun(client, REFUND, Inputs.EXACT.createObjectNode().put("order", 7), "demo-7");
        startRun(client, REFUND, Inputs.EXACT.createObjectNode().put("order", 170), "demo-170");
        startRun(client, PUBLISH, Inputs.EXACT.createObjectNode().put("about", "the new prices"), "demo-prices");
        var worker =
                Worker.builder(client).workerId("demo-worker").topics(TOPICS).start(Demo::work);
        return new WithDemo(server, worker, DemoTraffic.start(client));
    }

    private static void startRun(NonbisClient client, String workflow, ObjectNode input, String key) {
        client.startRun(NonbisClient.startRunCall(workflow, input).withKey(key));
    }

    private static Outcome work(Task task) {
        return switch (task.topic()) {
            case "job.demo.lookup" ->
                Outcome.succeeded(Inputs.EXACT
                        .createObjectNode()
                        .put("eur", task.input().path("order").asInt()));
            case "job.demo.write" ->
                Outcome.succeeded(Inputs.EXACT
                        .createObjectNode()
                        .put("text", "All about " + task.input().path("about").asString()));
            case "job.demo.refund" ->
                // A payment service would get this key, and would not pay twice under it.
                Outcome.succeeded(Inputs.EXACT.createObjectNode().put("paid_under", task.idempotencyKey()));
            case "job.demo.flaky" ->
                task.execution() == 1 ? Outcome.retryable("the first try always fails") : Outcome.succeeded();
            default -> Outcome.succeeded();
        };
    }

    /** The server and what the demo runs on it as one thing to stop. */
    private record WithDemo(RunningServer server, Worker worker, DemoTraffic traffic) implements RunningServer {

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
            traffic.close();
            worker.close();
            server.close();
        }
    }
}
