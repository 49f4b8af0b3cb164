package dev.nonbis.client;

import static dev.nonbis.client.Query.encode;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls a Nonbis server. Safe for use by many threads.
 *
 * <p>A call is sent again, under the same key, after a lost connection and after every problem whose {@code retry} is
 * {@code same_key}. When it does not succeed:
 *
 * <ul>
 *   <li>{@link ProblemException}: the server said why; its {@code code} and {@code retry} say what to do;
 *   <li>{@link OutcomeUnknownException}: it may have taken effect; send it again under the key that the exception carries;
 *   <li>{@link UnreachableException}: nothing can have happened.
 * </ul>
 */
public final class NonbisClient {

    private final Retrying retrying;

    private NonbisClient(Retrying retrying) {
        this.retrying = retrying;
    }

    /** A client whose requests travel in another way than over HTTP. */
    public static NonbisClient over(Carrier carrier, String token) {
        return new NonbisClient(
                new Retrying(new Transport(carrier, token, Optional::empty), RetryPolicy.DEFAULT, Pace.REAL));
    }

    /** A client for the server at this URL, with an API key or a JWT. */
    public static Builder builder(URI url, String token) {
        return new Builder(url, token);
    }

    /** The same client with another patience; both share their connections. */
    public NonbisClient with(RetryPolicy retryPolicy) {
        return new NonbisClient(retrying.with(retryPolicy));
    }

    /**
     * Sends any call until it has a final answer.
     *
     * @throws NonbisException when it does not succeed
     */
    public Answer call(Call call) {
        return retrying.send(call);
    }

    /** Submits a job once, however often it is sent. */
    public SubmittedJob submitJob(JobSubmission job) {
        return SubmittedJob.of(call(job.toCall()));
    }

    public Answer getJob(String jobId) {
        return call(Call.get(job(jobId)));
    }

    /** Jobs by {@code state}, {@code topic} and {@code label}; {@code after} and {@code limit} page through them. */
    public Page listJobs(Query query) {
        return Page.of(call(Call.get(query.appendTo("/api/v1/jobs"))));
    }

    public Answer cancelJob(String jobId, Optional<String> reason) {
        return call(Call.command(job(jobId) + "/cancel", reason(reason)));
    }

    /** Every transition, attempt, decision and blocked duplicate of a job, in order. */
    public Answer jobTimeline(String jobId) {
        return call(Call.get(job(jobId) + "/timeline"));
    }

    /** Approvals by {@code status}, which is {@code waiting} or {@code decided}; {@code after} and {@code limit} page through them. */
    public Page listApprovals(Query query) {
        return Page.of(call(Call.get(query.appendTo("/api/v1/approvals"))));
    }

    /** One approval with exactly what would run. */
    public Answer getApproval(String jobId) {
        return call(Call.get(approval(jobId)));
    }

    /**
     * Lets a job that waits go on. The first decision stands: when the same was decided before, the answer is that decision, replayed,
     * and when the opposite was, this throws.
     */
    public Answer approve(String jobId, Decision decision) {
        return call(Call.command(approval(jobId) + "/approve", decision.toBody()));
    }

    /** Denies a job that waits, and the run that it is a step of; the first decision stands, as with {@link #approve}. */
    public Answer reject(String jobId, Decision decision) {
        return call(Call.command(approval(jobId) + "/reject", decision.toBody()));
    }

    /**
     * Says how a job of unknown outcome ended.
     *
     * @param outcome {@code succeeded}, {@code failed} or {@code retry}
     */
    public Answer resolveJob(String jobId, String outcome, String reason) {
        return call(Call.command(
                job(jobId) + "/resolve", reason(Optional.of(reason)).put("outcome", outcome)));
    }

    /** Jobs that ran out of attempts; {@code after} and {@code limit} page through them. */
    public Page listDeadLetters(Query query) {
        return Page.of(call(Call.get(query.appendTo("/api/v1/dlq"))));
    }

    /** Has the work of a dead letter done again, once. */
    public Answer retryDeadLetter(String jobId) {
        return call(Call.command(deadLetter(jobId) + "/retry", Transport.JSON.createObjectNode()));
    }

    /** Removes a dead letter; the job stays as it is. */
    public Answer discardDeadLetter(String jobId, Optional<String> reason) {
        return call(Call.delete(deadLetter(jobId), reason(reason)));
    }

    /** Stores a version of a workflow; the same definition again changes nothing. */
    public Answer putWorkflow(String workflowId, JsonNode definition) {
        return call(Call.put(workflow(workflowId), definition));
    }

    public Answer getWorkflow(String workflowId) {
        return call(Call.get(workflow(workflowId)));
    }

    public Page listWorkflows(Query query) {
        return Page.of(call(Call.get(query.appendTo("/api/v1/workflows"))));
    }

    /** Starts a run under a new key. */
    public StartedRun startRun(String workflowId, JsonNode input) {
        return startRun(startRunCall(workflowId, input));
    }

    /** Starts the run of a call made with {@link #startRunCall}, whose key the caller may have stored or chosen. */
    public StartedRun startRun(Call startRunCall) {
        var answer = call(startRunCall);
        return new StartedRun(answer.body().path("run_id").asString(), answer);
    }

    /** The call that starts a run, for a caller that stores its key before the first send. */
    public static Call startRunCall(String workflowId, JsonNode input) {
        ObjectNode body = Transport.JSON.createObjectNode();
        body.set("input", input);
        return Call.create(workflow(workflowId) + "/runs", body);
    }

    public Answer getRun(String runId) {
        return call(Call.get(run(runId)));
    }

    /** Runs by {@code workflow} and {@code state}; {@code after} and {@code limit} page through them. */
    public Page listRuns(Query query) {
        return Page.of(call(Call.get(query.appendTo("/api/v1/runs"))));
    }

    public Answer cancelRun(String runId, Optional<String> reason) {
        return call(Call.command(run(runId) + "/cancel", reason(reason)));
    }

    public Answer runTimeline(String runId) {
        return call(Call.get(run(runId) + "/timeline"));
    }

    /** What is recorded under a key. */
    public Answer showKey(KeyName key) {
        return call(Call.get(key.path()));
    }

    /** Frees a key, so that the next request under it takes effect anew. Audited. */
    public Answer releaseKey(KeyName key, String reason) {
        return call(Call.delete(key.path(), reason(Optional.of(reason))));
    }

    /** Sets how many runs of a tenant may be active at once; empty means no limit. */
    public Answer setMaxConcurrentRuns(String tenant, Optional<Integer> limit) {
        ObjectNode body = Transport.JSON.createObjectNode();
        limit.ifPresentOrElse(runs -> body.put("max_concurrent_runs", runs), () -> body.putNull("max_concurrent_runs"));
        return call(Call.put("/api/v1/tenants/" + encode(tenant) + "/limits", body));
    }

    /** What the policy would say of a job, shaped like a submission, and why. Changes nothing. */
    public Answer explainPolicy(JsonNode job) {
        ObjectNode body = Transport.JSON.createObjectNode();
        body.set("job", job);
        return call(Call.command("/api/v1/policy/explain", body));
    }

    /** Asks for a payment once, however often it is sent; a denial is an answer, not a problem. */
    public Answer submitPayment(Call submitPaymentCall) {
        return call(submitPaymentCall);
    }

    /** The call that asks for a payment, for a caller that stores its key before the first send. */
    public static Call submitPaymentCall(JsonNode envelope) {
        return Call.create("/v1/payment-requests", envelope);
    }

    /** A payment as it stands, with every receipt. */
    public Answer getPayment(String paymentId) {
        return call(Call.get("/v1/payment-requests/" + encode(paymentId)));
    }

    /** Payments by {@code status} and {@code agent}; {@code after} and {@code limit} page through them. */
    public Page listPayments(Query query) {
        return Page.of(call(Call.get(query.appendTo("/v1/payment-requests"))));
    }

    /** What an agent may spend and has spent. */
    public Page budgets(String agentId) {
        return Page.of(call(Call.get("/api/v1/budgets/" + encode(agentId))));
    }

    /** The keys that check receipts and checkpoints, as a JWK set. */
    public Answer signingKeys() {
        return call(Call.get("/.well-known/nonbis-keys.json"));
    }

    /** Seals what the audit log has now and gives its last signed checkpoint. */
    public Answer sealCheckpoint() {
        return call(Call.command("/api/v1/audit/checkpoints", Transport.JSON.createObjectNode()));
    }

    /** What stands beside an export of everything that is sealed: its signed checkpoint, and its base when some was dropped. */
    public Answer auditSeal() {
        return call(Call.get("/api/v1/audit/seal"));
    }

    /** That one event is in the log: {@code seq}, and {@code size} for a log of that many events. */
    public Answer proveInclusion(Query query) {
        return call(Call.get(query.appendTo("/api/v1/audit/proof")));
    }

    /** That the log {@code from} one size is the beginning of the log {@code to} another. */
    public Answer proveConsistency(Query query) {
        return call(Call.get(query.appendTo("/api/v1/audit/consistency")));
    }

    /** Audit events in the order of their {@code seq}; {@code after} and {@code limit} page through them. */
    public Page audit(Query query) {
        return Page.of(call(Call.get(query.appendTo("/api/v1/audit"))));
    }

    /** The last audit event's {@code seq} and {@code hash}. */
    public Answer auditHead() {
        return call(Call.get("/api/v1/audit/head"));
    }

    private static String job(String jobId) {
        return "/api/v1/jobs/" + encode(jobId);
    }

    private static String approval(String jobId) {
        return "/api/v1/approvals/" + encode(jobId);
    }

    private static String deadLetter(String jobId) {
        return "/api/v1/dlq/" + encode(jobId);
    }

    private static String workflow(String workflowId) {
        return "/api/v1/workflows/" + encode(workflowId);
    }

    private static String run(String runId) {
        return "/api/v1/runs/" + encode(runId);
    }

    private static ObjectNode reason(Optional<String> reason) {
        var body = Transport.JSON.createObjectNode();
        reason.ifPresent(text -> body.put("reason", text));
        return body;
    }

    /**
     * An idempotency key with the operation that scopes it.
     *
     * @param operation {@code jobs}, {@code runs} or {@code payments}
     */
    public record KeyName(String operation, String key) {
        String path() {
            return "/api/v1/idempotency-keys/" + encode(operation) + "/" + encode(key);
        }
    }

    /** Collects what a client needs; everything but URL and token has a default. */
    public static final class Builder {

        private final URI url;
        private final String token;
        private Duration connectTimeout = Duration.ofSeconds(5);
        private Duration requestTimeout = Duration.ofSeconds(30);
        private RetryPolicy retryPolicy = RetryPolicy.DEFAULT;
        private Optional<HttpClient> httpClient = Optional.empty();
        private Pace pace = Pace.REAL;
        private Supplier<Optional<String>> span = Optional::empty;

        private Builder(URI url, String token) {
            this.url = withoutTrailingSlash(url);
            this.token = token;
        }

        /** How long making a connection may take; ignored with an {@link #httpClient} of your own. */
        public Builder connectTimeout(Duration timeout) {
            connectTimeout = timeout;
            return this;
        }

        /** How long one attempt may take. */
        public Builder requestTimeout(Duration timeout) {
            requestTimeout = timeout;
            return this;
        }

        public Builder retryPolicy(RetryPolicy policy) {
            retryPolicy = policy;
            return this;
        }

        /** A client of your own, for a proxy or a private certificate authority. */
        public Builder httpClient(HttpClient client) {
            httpClient = Optional.of(client);
            return this;
        }

        /**
         * Has every call say in which span it is made. It is asked on the calling thread, for the {@code traceparent} of W3C Trace Context.
         */
        public Builder traceparent(Supplier<Optional<String>> current) {
            span = current;
            return this;
        }

        /** Waits and draws lots by this instead of by the system. */
        public Builder pace(Pace other) {
            pace = other;
            return this;
        }

        public NonbisClient build() {
            var http = httpClient.orElseGet(() -> HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(connectTimeout)
                    .build());
            var carrier = new HttpCarrier(http, url, requestTimeout);
            return new NonbisClient(new Retrying(new Transport(carrier, token, span), retryPolicy, pace));
        }

        private static URI withoutTrailingSlash(URI url) {
            if (url.getScheme() == null || url.getHost() == null) {
                throw new IllegalArgumentException("not the URL of a server: " + url);
            }
            var text = url.toString();
            return text.endsWith("/") ? URI.create(text.substring(0, text.length() - 1)) : url;
        }
    }
}
