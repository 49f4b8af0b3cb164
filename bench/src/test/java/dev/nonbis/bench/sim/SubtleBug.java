package dev.nonbis.bench.sim;

import dev.nonbis.bench.judge.Guarantee;
import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.dispatch.DeadLetter;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobEvent;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.policy.BudgetCap;
import dev.nonbis.core.policy.PaymentFacts;
import dev.nonbis.core.policy.PaymentRuling;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Mistakes that leave most of a history as it should be: one member, one count or one moment is wrong. */
enum SubtleBug implements Planted {

    /** A request that is refused for its form takes its key with it. */
    REFUSAL_BURNS_THE_KEY(Guarantee.G4) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return PlantedBug.around(usual, List.of("submitJob", "startRun", "submitPayment"), next -> call -> {
                var key = PlantedBug.key(call);
                var body = text(call);
                if (key.flatMap(k -> store.find(BURNED, k))
                        .filter(first -> !first.equals(body))
                        .isPresent()) {
                    return reused(call);
                }
                try {
                    return next.handle(call);
                } catch (Refusal refused) {
                    key.ifPresent(k -> burn(store, k, body));
                    throw refused;
                }
            });
        }
    },

    /** A run that is refused at the limit takes its key with it. */
    REFUSAL_AT_THE_LIMIT_BURNS_THE_KEY(Guarantee.G4) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return PlantedBug.around(usual, List.of("startRun"), next -> call -> {
                var key = PlantedBug.key(call);
                if (key.flatMap(k -> store.find(BURNED, k)).isPresent()) {
                    return reused(call);
                }
                var response = next.handle(call);
                key.filter(k -> response.status() == 429).ifPresent(k -> burn(store, k, "429"));
                return response;
            });
        }
    },

    /** Whatever is answered is logged, replays too. */
    REPLAY_WRITES_AN_EVENT(Guarantee.G11) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return PlantedBug.around(usual, List.of("submitJob", "startRun", "submitPayment"), next -> call -> {
                var response = next.handle(call);
                if ("true".equals(response.headers().get("Idempotent-Replayed"))) {
                    new ForgedEvent("request.replayed", call.request().id()).append(store, call);
                }
                return response;
            });
        }
    },

    /** The log tells of a job before the transaction that makes it, under a name that the job then does not get. */
    EVENT_WITHOUT_EFFECT(Guarantee.G11) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return PlantedBug.around(usual, List.of("submitJob"), next -> call -> {
                new ForgedEvent("job.submitted", "job_00000000000000000000000000").append(store, call);
                return next.handle(call);
            });
        }
    },

    /** Each delivery of a job has another key for the target. */
    TARGET_KEY_OF_THE_DELIVERY(Guarantee.G1) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            var deliveries = new AtomicInteger();
            return PlantedBug.around(
                    usual,
                    List.of("pollWork"),
                    next -> call -> with(
                            next.handle(call),
                            "\"idempotency_key\":\"",
                            "\"idempotency_key\":\"" + deliveries.incrementAndGet() + "-"));
        }
    },

    /** A decision closes the approval of a payment and forgets the payment. */
    DECIDED_PAYMENT_STILL_WAITS(Guarantee.G7) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return PlantedBug.around(usual, List.of("approve", "reject"), next -> call -> {
                var key = PaymentId.of(call.request().pathParam("id"))
                        .map(id -> new Payment.Key(call.actor().tenant(), id));
                var before = key.flatMap(k -> store.find(Tables.PAYMENTS, k));
                var response = next.handle(call);
                before.filter(payment -> response.status() == 200)
                        .ifPresent(payment -> store.transact(tx -> {
                            tx.update(Tables.PAYMENTS, payment.key(), payment);
                            return true;
                        }));
                return response;
            });
        }
    },

    /** A payment is answered as approved and kept as rejected. */
    PAYMENT_KEPT_OTHERWISE_THAN_ANSWERED(Guarantee.G2) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return PlantedBug.around(usual, List.of("submitPayment"), next -> call -> {
                var response = next.handle(call);
                var answer = (JsonObject) Json.parse(response.body());
                answer.string("payment_id")
                        .filter(id -> answer.string("status").equals(Optional.of("auto_approved")))
                        .flatMap(PaymentId::of)
                        .map(id -> new Payment.Key(call.actor().tenant(), id))
                        .ifPresent(key -> store.transact(tx -> {
                            tx.update(Tables.PAYMENTS, key, rejected(tx.get(Tables.PAYMENTS, key)));
                            return true;
                        }));
                return response;
            });
        }
    },

    /** Two results are the same when their status is. */
    OUTPUT_OF_A_RESULT_IGNORED(Guarantee.G5) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return PlantedBug.around(usual, List.of("recordResult"), next -> call -> {
                try {
                    return next.handle(call);
                } catch (Refusal refused) {
                    var job = store.find(
                            Tables.JOBS,
                            new Tables.JobKey(
                                    call.actor().tenant(),
                                    new JobId(call.request().pathParam("id"))));
                    boolean same = job.map(Job::state)
                            .filter(state -> state == JobState.SUCCEEDED || state == JobState.FAILED)
                            .filter(state -> text(call).toUpperCase(Locale.ROOT).contains(state.name()))
                            .isPresent();
                    if (same && refused.problem().code() == ProblemCode.RESULT_CONFLICT) {
                        return Response.json(
                                200,
                                JsonObject.builder()
                                        .put("status", "already_recorded")
                                        .build());
                    }
                    throw refused;
                }
            });
        }
    },

    /** A step's job has a name by chance, so that a run that is started again has the step twice. */
    TWO_JOBS_FOR_ONE_STEP(Guarantee.G1) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return PlantedBug.around(usual, List.of("startRun"), next -> call -> {
                var response = next.handle(call);
                var answer = (JsonObject) Json.parse(response.body());
                answer.string("run_id").ifPresent(run -> {
                    for (var step : List.of("first", "draft")) {
                        copy(
                                store,
                                call,
                                JobId.ofStep(new RunId(run), step),
                                JobId.ofStep(new RunId(run), step + "-2"));
                    }
                });
                return response;
            });
        }
    },

    /** Each retry of a dead letter makes a copy. */
    LETTER_COPIED_WITH_EACH_RETRY(Guarantee.G1) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return PlantedBug.around(usual, List.of("retryDeadLetter"), next -> call -> {
                var response = next.handle(call);
                var key = new DeadLetter.Key(
                        call.actor().tenant(), new JobId(call.request().pathParam("id")));
                store.transact(tx -> {
                    tx.find(Tables.DEAD_LETTERS, key)
                            .ifPresent(letter -> tx.put(
                                    Tables.DEAD_LETTERS,
                                    key,
                                    DeadLetter.of(
                                            letter.tenant(),
                                            letter.job(),
                                            letter.topic(),
                                            letter.state(),
                                            letter.why(),
                                            letter.at())));
                    return true;
                });
                return response;
            });
        }
    },

    /** The budget for a single payment is not looked at. */
    NO_BUDGET_FOR_A_REQUEST(Guarantee.G9) {
        @Override
        public Policy policy(Policy usual, Store store) {
            return new Without(usual, BudgetCap.Scope.REQUEST);
        }
    },

    /** The budget of a month is not looked at. */
    NO_BUDGET_FOR_A_MONTH(Guarantee.G9) {
        @Override
        public Policy policy(Policy usual, Store store) {
            return new Without(usual, BudgetCap.Scope.MONTH);
        }
    },

    /** The budget for a provider is not looked at. */
    NO_BUDGET_FOR_A_PROVIDER(Guarantee.G9) {
        @Override
        public Policy policy(Policy usual, Store store) {
            return new Without(usual, BudgetCap.Scope.PROVIDER);
        }
    },

    /** Whoever asks for another tenant's job is told that there is none, and why not. */
    STATE_TOLD_TO_STRANGERS(Guarantee.G13) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            var routes = List.of("getJob", "getJobTimeline", "cancelJob", "startJob", "heartbeat", "resolveJob");
            return PlantedBug.around(usual, routes, next -> call -> {
                try {
                    return next.handle(call);
                } catch (Refusal refused) {
                    var job = JobId.of(call.request().pathParam("id"));
                    var state = Configuration.TENANTS.stream()
                            .flatMap(tenant -> job
                                    .flatMap(id -> store.find(Tables.JOBS, new Tables.JobKey(new TenantId(tenant), id)))
                                    .stream())
                            .map(found -> found.state().name())
                            .findFirst();
                    if (refused.problem().code() != ProblemCode.JOB_NOT_FOUND || state.isEmpty()) {
                        throw refused;
                    }
                    throw new Refusal(Problem.of(ProblemCode.JOB_NOT_FOUND, "Not yours, and " + state.get()));
                }
            });
        }
    },

    /** The log names the server as the one who approved. */
    DECISION_LOGGED_UNDER_ANOTHER_NAME(Guarantee.G7) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return PlantedBug.around(usual, List.of("approve"), next -> call -> {
                if (JobId.of(call.request().pathParam("id")).isEmpty()) {
                    return next.handle(call);
                }
                var human = call.actor();
                var clerk = new Actor(human.tenant(), "clerk", human.roles());
                var response = next.handle(new Call(call.request(), Optional.of(clerk)));
                var key = new Approval.Key(human.tenant(), call.request().pathParam("id"));
                store.transact(tx -> {
                    tx.find(Tables.APPROVALS, key)
                            .ifPresent(approval -> tx.update(Tables.APPROVALS, key, by(approval, human.subject())));
                    return true;
                });
                return with(response, "clerk", human.subject());
            });
        }
    };

    private static final Table<String, String> BURNED = PlantedBug.texts(902, "burned");

    private final Guarantee breaks;

    SubtleBug(Guarantee breaks) {
        this.breaks = breaks;
    }

    @Override
    public Guarantee breaks() {
        return breaks;
    }

    private static String text(Call call) {
        return new String(call.request().body(), StandardCharsets.UTF_8);
    }

    private static Response reused(Call call) {
        return Response.problem(
                Problem.of(ProblemCode.IDEMPOTENCY_KEY_REUSED, "Another request has it."),
                call.request().id());
    }

    private static void burn(Store store, String key, String body) {
        store.transact(tx -> {
            tx.put(BURNED, key, body);
            return true;
        });
    }

    private static Response with(Response response, String words, String others) {
        return new Response(
                response.status(),
                response.contentType(),
                response.headers(),
                new String(response.body(), StandardCharsets.UTF_8)
                        .replace(words, others)
                        .getBytes(StandardCharsets.UTF_8));
    }

    private static Payment rejected(Payment payment) {
        var decision = payment.decision();
        return new Payment(
                payment.id(),
                payment.tenant(),
                payment.origin(),
                new Payment.Decision(
                        Payment.Status.REJECTED,
                        decision.denyCode(),
                        decision.rule(),
                        decision.policyHash(),
                        decision.auditEventId(),
                        decision.by(),
                        decision.at()),
                payment.receipts(),
                payment.duplicates());
    }

    private static void copy(Store store, Call call, JobId from, JobId to) {
        var key = new Tables.JobKey(call.actor().tenant(), to);
        store.transact(tx -> {
            var job = tx.find(Tables.JOBS, new Tables.JobKey(call.actor().tenant(), from));
            if (job.filter(found -> !found.state().isTerminal()).isPresent()
                    && tx.find(Tables.JOBS, key).isEmpty()) {
                // At its end already, so that nothing but its being there is wrong.
                var ended = job.get().after(JobEvent.CANCEL, job.get().origin().createdAt(), JsonObject.EMPTY);
                tx.insert(
                        Tables.JOBS,
                        key,
                        new Job(
                                to,
                                ended.tenant(),
                                ended.spec(),
                                ended.origin(),
                                ended.state(),
                                ended.due(),
                                ended.progress(),
                                ended.duplicates(),
                                ended.timeline()));
            }
            return true;
        });
    }

    private static Approval by(Approval approval, String subject) {
        return approval.decision()
                .filter(decision -> decision.by().equals("clerk"))
                .map(decision -> new Approval(
                        approval.subject(),
                        approval.requestedAt(),
                        approval.expiresAt(),
                        approval.rule(),
                        approval.status(),
                        Optional.of(new Approval.Decision(
                                decision.kind(), subject, decision.at(), decision.requestId(), decision.remarks()))))
                .orElse(approval);
    }

    /** A policy that forgets the budgets of one scope. */
    private record Without(Policy usual, BudgetCap.Scope scope) implements Policy {

        @Override
        public Ruling job(TenantId tenant, JsonObject job) {
            return usual.job(tenant, job);
        }

        @Override
        public PaymentRuling payment(TenantId tenant, PaymentFacts payment) {
            var ruling = usual.payment(tenant, payment);
            var caps =
                    ruling.caps().stream().filter(cap -> cap.scope() != scope).toList();
            return new PaymentRuling(ruling.ruling(), caps);
        }
    }
}
