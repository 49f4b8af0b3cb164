package dev.nonbis.server.api;

import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.bus.BusUnavailable;
import dev.nonbis.core.dispatch.Result;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.Topic;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.operation.Heartbeat;
import dev.nonbis.core.operation.PollWork;
import dev.nonbis.core.operation.PollWork.Delivery;
import dev.nonbis.core.operation.PollWork.Wanted;
import dev.nonbis.core.operation.RecordResult;
import dev.nonbis.core.operation.StartJob;
import dev.nonbis.core.operation.WorkerCall;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonText;
import dev.nonbis.json.JsonValue.JsonString;
import dev.nonbis.server.http.Body;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import dev.nonbis.server.metrics.Metrics.Layer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What workers say and hear over HTTP. */
final class WorkersApi {

    private static final Pattern WORKER = Pattern.compile("[\\x21-\\x7e]{1,128}");
    private static final int MAX_TOPICS = 64;
    private static final int MAX_DELIVERIES = 100;
    // What a delivery usually has besides what was asked.
    private static final int DELIVERY_BYTES = 512;

    private final LongPoll polls;
    private final Bus bus;
    private final PollWork pollWork;
    private final StartJob startJob;
    private final Heartbeat heartbeat;
    private final RecordResult recordResult;

    WorkersApi(DispatchPorts ports, LongPoll polls) {
        this.polls = polls;
        this.bus = ports.bus();
        this.pollWork = new PollWork(ports);
        this.startJob = new StartJob(ports);
        this.heartbeat = new Heartbeat(ports);
        this.recordResult = new RecordResult(ports);
    }

    Response poll(Call call) {
        var body = Body.object(call, Set.of("worker_id", "topics", "max", "wait_ms"));
        String worker = worker(body);
        var topics = topics(body);
        polls.workers().asked(call.actor().tenant(), worker, topics);
        int max =
                (int) body.optionalInteger("max", 1, MAX_DELIVERIES).orElse(1L).longValue();
        var wait = Duration.ofMillis(
                body.optionalInteger("wait_ms", 0, LongPoll.LONGEST.toMillis()).orElse(0L));
        var deliveries = polls.poll(call.request(), new Wanted(call.actor().tenant(), topics, max), wait);
        int bytes = deliveries.stream()
                .mapToInt(delivery -> delivery.asked().length + DELIVERY_BYTES)
                .sum();
        var text = new JsonText(bytes).putObjects("deliveries", deliveries, WorkersApi::put);
        return new Response(200, Response.JSON, Map.of(), text.end());
    }

    /** A worker that has its work from the bus itself got something that it cannot read. */
    Response unreadable(Call call) {
        var body = Body.object(call, Set.of("worker_id", "topic", "sequence"));
        worker(body);
        String topic = body.string("topic");
        Topic.complaint(topic).ifPresent(why -> {
            throw Refusal.at("/topic", ProblemCode.INVALID_FIELD, "A topic " + why + ".");
        });
        long sequence = body.integer("sequence", 1, Long.MAX_VALUE);
        String word = unread(call.actor().tenant(), topic, sequence);
        return Response.json(200, JsonObject.builder().put("status", word).build());
    }

    private String unread(TenantId tenant, String topic, long sequence) {
        try {
            return switch (bus.keepUnreadable(tenant, topic, sequence)) {
                case KEPT -> "kept";
                case READABLE -> "readable";
                case GONE -> "gone";
            };
        } catch (BusUnavailable e) {
            return "bus_away";
        }
    }

    Response start(Call call) {
        var body = Body.object(call, Set.of("worker_id", "fence", "with_task"));
        boolean withTask = body.optionalBool("with_task").orElse(false);
        if (withTask) {
            call.request().charge(Route.AnswerSize.WORK.bytes());
        }
        return switch (startJob.start(workerCall(call, body))) {
            case StartJob.Outcome.Started(var job) -> started(job, "started", withTask);
            case StartJob.Outcome.AlreadyStarted(var job, var original) ->
                Replay.of(started(job, "already_started", withTask), original, Layer.JOB_STATE);
            case StartJob.Outcome.ClaimedElsewhere(var job) -> throw claimedElsewhere(job);
            case StartJob.Outcome.Stale(var job) -> throw stale(job);
            case StartJob.Outcome.NoSuchJob() -> throw notFound();
        };
    }

    Response heartbeat(Call call) {
        var body = Body.object(call, Set.of("worker_id", "fence", "note"));
        var note = Limits.remark(body, "note");
        return switch (heartbeat.beat(workerCall(call, body), note)) {
            case Heartbeat.Outcome.Alive(var job) -> Response.json(200, held(job, "running"));
            case Heartbeat.Outcome.Cancelled(var job) ->
                Response.json(200, status(job, "cancelled").build());
            case Heartbeat.Outcome.ClaimedElsewhere(var job) -> throw claimedElsewhere(job);
            case Heartbeat.Outcome.Stale(var job) -> throw stale(job);
            case Heartbeat.Outcome.NoSuchJob() -> throw notFound();
        };
    }

    Response result(Call call) {
        var body = Body.object(call, Set.of("worker_id", "fence", "status", "output", "error"));
        var content = Result.Content.of(resultStatus(body), body.value("output"), body.value("error"));
        return switch (recordResult.record(workerCall(call, body), content)) {
            case RecordResult.Outcome.Recorded(var job) ->
                Response.json(200, status(job, "recorded").build());
            case RecordResult.Outcome.AlreadyRecorded(var job, var first) ->
                Replay.of(
                        Response.json(200, status(job, "already_recorded").build()),
                        first.requestId(),
                        Layer.RESULT_RECORD);
            case RecordResult.Outcome.Conflict(var job) ->
                throw refused(ProblemCode.RESULT_CONFLICT, "How this execution ended is settled, and otherwise.", job);
            case RecordResult.Outcome.ClaimedElsewhere(var job) -> throw claimedElsewhere(job);
            case RecordResult.Outcome.Stale(var job) -> throw stale(job);
            case RecordResult.Outcome.NoSuchJob() -> throw notFound();
        };
    }

    private static WorkerCall workerCall(Call call, Body body) {
        var id = JobId.of(call.request().pathParam("id")).orElseThrow(WorkersApi::notFound);
        int fence = (int) body.integer("fence", 1, Integer.MAX_VALUE);
        return new WorkerCall(call.actor(), call.request().id(), id, worker(body), fence);
    }

    private static String worker(Body body) {
        String worker = body.string("worker_id");
        if (!WORKER.matcher(worker).matches()) {
            throw Refusal.at("/worker_id", ProblemCode.INVALID_FIELD, "Expected 1 to 128 visible ASCII characters.");
        }
        return worker;
    }

    private static List<String> topics(Body body) {
        var items = body.array("topics").items();
        if (items.isEmpty() || items.size() > MAX_TOPICS) {
            throw Refusal.at("/topics", ProblemCode.INVALID_FIELD, "Expected 1 to " + MAX_TOPICS + " topics.");
        }
        var topics = new ArrayList<String>();
        for (int i = 0; i < items.size(); i++) {
            String at = "/topics/" + i;
            if (!(items.get(i) instanceof JsonString(var topic))) {
                throw Refusal.at(at, ProblemCode.INVALID_FIELD, "Expected a string.");
            }
            Topic.complaint(topic).ifPresent(why -> {
                throw Refusal.at(at, ProblemCode.INVALID_FIELD, "A topic " + why + ".");
            });
            topics.add(topic);
        }
        return topics.stream().distinct().toList();
    }

    private static Result.Status resultStatus(Body body) {
        String word = body.string("status");
        for (var status : Result.Status.values()) {
            if (status.word().equals(word)) {
                return status;
            }
        }
        throw Refusal.at("/status", ProblemCode.INVALID_FIELD, "Expected succeeded, failed or retryable.");
    }

    private static void put(JsonText text, Delivery delivery) {
        var job = delivery.job();
        text.put("job_id", job.id().value())
                .put("execution", job.progress().execution())
                .put("fence", delivery.fence())
                .put("topic", job.spec().topic());
        Views.putAsked(text, delivery.asked());
        text.putObject("labels", labels -> job.spec().labels().forEach(labels::put))
                .put("idempotency_key", delivery.idempotencyKey())
                .putString("deadline", job.deadline().map(Timestamps::format))
                .putString("traceparent", job.origin().trace().traceparent());
    }

    // Whoever heard of the job elsewhere than in a poll does not know yet what is to be done.
    private Response started(Job job, String word, boolean withTask) {
        var held = held(job, word);
        if (!withTask) {
            return Response.json(200, held);
        }
        var delivery = pollWork.delivery(job);
        var text = new JsonText(delivery.asked().length + DELIVERY_BYTES)
                .putAll(held)
                .putObject("task", task -> put(task, delivery));
        return new Response(200, Response.JSON, Map.of(), text.end());
    }

    private static JsonObject held(Job job, String word) {
        return status(job, word)
                .put("fence", job.progress().execution())
                .putString("lease_until", job.due().map(Timestamps::format))
                .build();
    }

    private static JsonObject.Builder status(Job job, String word) {
        return JsonObject.builder()
                .put("job_id", job.id().value())
                .put("status", word)
                .put("state", job.state().name());
    }

    private static Refusal claimedElsewhere(Job job) {
        return refused(ProblemCode.CLAIMED_ELSEWHERE, "Another worker started this execution.", job);
    }

    private static Refusal stale(Job job) {
        return refused(ProblemCode.STALE_FENCE, "This execution is not the caller's, or not any more.", job);
    }

    private static Refusal refused(ProblemCode code, String detail, Job job) {
        return new Refusal(Problem.of(code, detail)
                .with(JsonObject.builder()
                        .put("state", job.state().name())
                        .put("fence", job.progress().execution())
                        .build()));
    }

    private static Refusal notFound() {
        return new Refusal(Problem.of(ProblemCode.JOB_NOT_FOUND, "There is no such job."));
    }
}
