package dev.nonbis.bench.sim;

import dev.nonbis.bench.judge.Guarantee;
import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.bus.BusUnavailable;
import dev.nonbis.core.bus.EmbeddedBus;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.core.idempotency.IdempotencyKey;
import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.JobEvent;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.job.Progress;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.policy.BudgetCap;
import dev.nonbis.core.policy.PaymentFacts;
import dev.nonbis.core.policy.PaymentRuling;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.DueEntries;
import dev.nonbis.core.store.PaymentCodec;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Handler;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The classic mistakes of systems like this one, each made by putting one wrong part into the simulated plane. */
enum PlantedBug implements Planted {

    /** A key is reserved before the work and freed after it; who dies in between leaves it reserved for ever. */
    RESERVATION_WITHOUT_CLEAN_UP(Guarantee.G12) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return around(usual, List.of("submitJob", "startRun"), next -> call -> {
                var key = key(call);
                if (key.isEmpty()) {
                    return next.handle(call);
                }
                boolean free = store.transact(tx -> {
                    boolean absent = tx.find(RESERVED, key.get()).isEmpty();
                    if (absent) {
                        tx.put(RESERVED, key.get(), "in progress");
                    }
                    return absent;
                });
                if (!free) {
                    return Response.problem(
                            Problem.of(ProblemCode.ADMISSION_BUSY, "In progress.")
                                    .after(Duration.ofSeconds(1)),
                            call.request().id());
                }
                var response = next.handle(call);
                store.transact(tx -> {
                    tx.delete(RESERVED, key.get());
                    return true;
                });
                return response;
            });
        }
    },

    /** Whatever looks like a failure frees the key, though the run may have been committed. */
    CLEAN_UP_OF_A_COMMITTED_KEY(Guarantee.G1) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return around(usual, List.of("startRun"), next -> call -> {
                try {
                    return next.handle(call);
                } catch (StoreUnavailable failed) {
                    scope(call, Operation.RUNS)
                            .ifPresent(scope -> store.transact(tx -> {
                                tx.find(Tables.KEYS, scope).ifPresent(key -> tx.delete(Tables.KEYS, scope));
                                return true;
                            }));
                    throw failed;
                }
            });
        }
    },

    /** The message goes out first and the state follows, if it does. */
    PUBLISH_BEFORE_STATE(Guarantee.G6) {
        @Override
        public List<Duty> duties(List<Duty> usual, DispatchPorts ports) {
            return usual.stream()
                    .map(duty -> duty.name().equals("dispatch")
                            ? new Duty(duty.name(), duty.every(), () -> {
                                publishAll(ports);
                                duty.work().run();
                            })
                            : duty)
                    .toList();
        }

        private void publishAll(DispatchPorts ports) {
            var store = ports.ports().store();
            var waiting = store.read(tx ->
                    tx.scan(Range.entriesUpTo(Tables.JOBS, Tables.JOBS_BY_DUE, DueEntries.READY, DueEntries.READY + "~")
                            .limit(20)));
            for (var hit : waiting) {
                if (hit.row().state() == JobState.PENDING) {
                    var scheduled = hit.row()
                            .after(JobEvent.SCHEDULE, ports.ports().clock().instant(), JsonObject.EMPTY);
                    ports.bus().publish(Message.of(scheduled));
                }
            }
        }
    },

    /** After a failed publish the job is written back as it was before it, whatever has become of it since. */
    ROLLBACK_WITHOUT_COMPARE_AND_SET(Guarantee.G5) {
        @Override
        public Bus bus(Bus usual, Store store) {
            return new Passing(usual) {
                @Override
                public Published publish(Message message) {
                    var key = new Tables.JobKey(message.tenant(), message.job());
                    var before = store.find(Tables.JOBS, key);
                    try {
                        return super.publish(message);
                    } catch (BusUnavailable failed) {
                        before.filter(job -> job.state() == JobState.DISPATCHED)
                                .ifPresent(job -> store.transact(tx -> {
                                    var now = tx.get(Tables.JOBS, key);
                                    var back = job.after(
                                                    JobEvent.ROLL_BACK,
                                                    job.origin().createdAt(),
                                                    JsonObject.EMPTY)
                                            .dueAt(Optional.of(job.origin().createdAt()));
                                    tx.update(Tables.JOBS, key, back);
                                    var tenant = tx.get(Tables.TENANTS, message.tenant());
                                    var at = job.origin().createdAt();
                                    tx.put(
                                            Tables.TENANTS,
                                            message.tenant(),
                                            tenant.with(tenant.jobs()
                                                    .left(now.state(), at)
                                                    .entered(back.state(), at)));
                                    return true;
                                }));
                        throw failed;
                    }
                }
            };
        }
    },

    /** Whoever reports a result is believed, under whatever fence. */
    NO_FENCE(Guarantee.G5) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return around(usual, List.of("recordResult"), next -> call -> {
                var job = store.find(
                        Tables.JOBS,
                        new Tables.JobKey(
                                call.actor().tenant(), new JobId(call.request().pathParam("id"))));
                return next.handle(job.flatMap(found -> found.progress().claim())
                        .map(claim -> with(call, under(call, claim)))
                        .orElse(call));
            });
        }
    },

    /** The label is written first, and a repeated approval is recognised by it. */
    LABELS_TRUSTED_FOR_REPLAY(Guarantee.G7) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return around(usual, List.of("approve"), next -> call -> {
                var id = JobId.of(call.request().pathParam("id"));
                if (id.isEmpty()) {
                    return next.handle(call);
                }
                var key = new Tables.JobKey(call.actor().tenant(), id.get());
                var job = store.find(Tables.JOBS, key);
                if (job.isPresent() && job.get().spec().labels().containsKey("approval_granted")) {
                    return Response.json(
                            200,
                            JsonObject.builder()
                                    .put("job_id", id.get().value())
                                    .put("status", "already_approved")
                                    .put("approved_by", call.actor().subject())
                                    .put("approved_at", "2026-01-01T00:00:00.000000Z")
                                    .build());
                }
                store.transact(tx -> {
                    tx.find(Tables.JOBS, key)
                            .filter(found -> found.state() == JobState.APPROVAL)
                            .ifPresent(found ->
                                    tx.update(Tables.JOBS, key, found.labelled(Map.of("approval_granted", "true"))));
                    return true;
                });
                return next.handle(call);
            });
        }
    },

    /** What was spent is looked at in one step and written in another. */
    BUDGET_CHECK_AND_SPEND_APART(Guarantee.G9) {
        @Override
        public Policy policy(Policy usual, Store store) {
            return new LooseBudget(usual, store);
        }

        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return around(usual, List.of("submitPayment", "approve"), next -> call -> {
                var response = next.handle(call);
                var answer = (JsonObject) Json.parse(response.body());
                boolean fresh = !response.headers().containsKey("Idempotent-Replayed");
                boolean approved = (fresh && answer.string("status").equals(Optional.of("auto_approved")))
                        || (answer.string("status").equals(Optional.of("approved"))
                                && answer.string("payment_status").equals(Optional.of("approved")));
                answer.string("payment_id")
                        .filter(id -> approved)
                        .flatMap(PaymentId::of)
                        .flatMap(id -> store.find(
                                Tables.PAYMENTS, new Payment.Key(call.actor().tenant(), id)))
                        .ifPresent(payment -> LooseBudget.spend(store, payment));
                return response;
            });
        }
    },

    /** Each repetition of a message starts the window anew. */
    WINDOW_EXTENDED_BY_REPEATS(Guarantee.G12) {
        @Override
        public Bus broker(EmbeddedBus usual, Store memory) {
            return new Passing(usual) {
                @Override
                public Published publish(Message message) {
                    var published = super.publish(message);
                    if (published == Published.DUPLICATE) {
                        var key = new QueuedMessage.Key(message.tenant(), message.id());
                        memory.transact(tx -> {
                            var queued = tx.get(Tables.MESSAGES, key);
                            tx.update(
                                    Tables.MESSAGES,
                                    key,
                                    new QueuedMessage(
                                            queued.message(),
                                            queued.acceptedAt().plus(Duration.ofMinutes(1)),
                                            queued.visibleAt(),
                                            queued.deliveries()));
                            return true;
                        });
                    }
                    return published;
                }
            };
        }
    },

    /** The log is written after what it tells of. */
    AUDIT_OUTSIDE_THE_TRANSACTION(Guarantee.G11) {
        @Override
        public Backend backend(Backend usual) {
            return new PassingBackend(usual) {
                @Override
                public void apply(List<Write> writes) {
                    var log = writes.stream().filter(AuditPart::isOf).toList();
                    var rest = writes.stream()
                            .filter(write -> !AuditPart.isOf(write))
                            .toList();
                    super.apply(rest);
                    if (!log.isEmpty()) {
                        super.apply(log);
                    }
                }
            };
        }
    },

    /** Two tenants' keys are one when they have the same characters. */
    TENANT_MISSING_FROM_A_KEY(Guarantee.G13) {
        @Override
        public Backend backend(Backend usual) {
            return new TenantlessKeys(usual);
        }
    },

    /** An answer is made up again for a repeated request, instead of being kept. */
    ANSWER_NOT_RECORDED(Guarantee.G3) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return around(usual, List.of("submitJob"), next -> call -> {
                var response = next.handle(call);
                if (!"true".equals(response.headers().get("Idempotent-Replayed"))) {
                    return response;
                }
                var text = new String(response.body(), StandardCharsets.UTF_8);
                return new Response(
                        response.status(),
                        response.contentType(),
                        response.headers(),
                        text.replace("PENDING", "SCHEDULED").getBytes(StandardCharsets.UTF_8));
            });
        }
    },

    /** What the store could not do is answered as done. */
    FAILURE_SWALLOWED(Guarantee.G2) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return around(usual, List.of("cancelJob", "cancelRun"), next -> call -> {
                try {
                    return next.handle(call);
                } catch (StoreUnavailable failed) {
                    return Response.json(
                            200, JsonObject.builder().put("status", "cancelled").build());
                }
            });
        }
    },

    /** What was taken is answered as refused. */
    REFUSAL_AFTER_THE_EFFECT(Guarantee.G4) {
        @Override
        public Policy policy(Policy usual, Store store) {
            return (tenant, job) -> {
                var ruling = usual.job(tenant, job);
                return ruling.verdict() instanceof Verdict.Throttle
                        ? new Policy.Ruling(new Verdict.Allow(Optional.empty()), ruling.policyHash())
                        : ruling;
            };
        }

        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return around(usual, List.of("submitJob"), next -> call -> {
                var response = next.handle(call);
                boolean mail = new String(call.request().body(), StandardCharsets.UTF_8).contains("job.mail");
                return mail
                        ? Response.problem(
                                Problem.of(ProblemCode.POLICY_THROTTLED, "Not now."),
                                call.request().id())
                        : response;
            });
        }
    },

    /** Active runs are counted before the transaction that adds one. */
    LIMIT_CHECKED_BEFORE_THE_TRANSACTION(Guarantee.G8) {
        @Override
        public List<Route> routes(List<Route> usual, Store store) {
            return around(usual, List.of("startRun"), next -> call -> {
                var tenant = call.actor().tenant();
                int active = store.find(Tables.TENANTS, tenant)
                        .map(TenantState::activeRuns)
                        .orElse(0);
                if (active >= Configuration.RUN_LIMITS.getOrDefault(tenant.value(), 0)) {
                    return Response.problem(
                            Problem.of(ProblemCode.MAX_CONCURRENT_RUNS_REACHED, "At the limit."),
                            call.request().id());
                }
                store.transact(tx -> {
                    var state = tx.find(Tables.TENANTS, tenant).orElse(TenantState.NEW);
                    tx.put(Tables.TENANTS, tenant, state.with(new TenantState.RunLimit(Optional.empty())));
                    return true;
                });
                return next.handle(call);
            });
        }
    },

    /** Nonces are swept minutes before their envelopes end. */
    NONCE_FORGOTTEN_EARLY(Guarantee.G10) {
        @Override
        public List<Duty> duties(List<Duty> usual, DispatchPorts ports) {
            var store = ports.ports().store();
            var all = new ArrayList<>(usual);
            all.add(new Duty("forget", Duration.ofSeconds(5), () -> {
                var soon = ports.ports().clock().instant().plus(Duration.ofMinutes(4));
                store.read(tx -> tx.scan(
                                Range.keysStartingWith(Tables.NONCES, "").limit(500)))
                        .forEach(hit -> store.transact(tx -> {
                            var key = PaymentCodec.nonceKey(hit.key());
                            tx.find(Tables.NONCES, key)
                                    .filter(nonce -> !nonce.isNeeded(soon))
                                    .ifPresent(nonce -> tx.delete(Tables.NONCES, key));
                            return true;
                        }));
            }));
            return all;
        }
    };

    private final Guarantee breaks;

    PlantedBug(Guarantee breaks) {
        this.breaks = breaks;
    }

    @Override
    public Guarantee breaks() {
        return breaks;
    }

    private static final Table<String, String> RESERVED = texts(900, "reserved");
    static final Table<String, String> SPENT = texts(901, "spent");

    static Table<String, String> texts(int order, String name) {
        return new Table<>(
                order,
                name,
                key -> key,
                text -> text.getBytes(StandardCharsets.UTF_8),
                bytes -> new String(bytes, StandardCharsets.UTF_8),
                List.of());
    }

    /** Routes of these operations go through the wrong part first. */
    static List<Route> around(List<Route> usual, List<String> operations, UnaryOperator<Handler> wrong) {
        var routes = new ArrayList<Route>();
        for (var route : usual) {
            routes.add(
                    operations.contains(route.operationId())
                            ? new Route(
                                    route.method(),
                                    route.pattern(),
                                    route.access(),
                                    route.operationId(),
                                    wrong.apply(route.handler()))
                            : route);
        }
        return routes;
    }

    static Optional<String> key(Call call) {
        return call.request()
                .header("idempotency-key")
                .map(key -> call.actor().tenant() + "/" + call.request().path() + "/" + key);
    }

    private static Optional<KeyScope> scope(Call call, Operation operation) {
        return call.request()
                .header("idempotency-key")
                .map(key -> new KeyScope(call.actor().tenant(), operation, IdempotencyKey.of(key)));
    }

    private static JsonObject under(Call call, Progress.Claim claim) {
        var body = JsonObject.builder().put("worker_id", claim.worker().id()).put("fence", claim.fence());
        ((JsonObject) Json.parse(call.request().body())).members().forEach((name, value) -> {
            if (!name.equals("worker_id") && !name.equals("fence")) {
                body.put(name, value);
            }
        });
        return body.build();
    }

    private static Call with(Call call, JsonObject body) {
        var request = call.request();
        return new Call(
                new Request(
                        request.id(),
                        request.method(),
                        request.path(),
                        request.pathParams(),
                        request.query(),
                        request.headers(),
                        Json.write(body)),
                call.caller());
    }

    /** Tells the log's own rows from all others. */
    private static final class AuditPart {

        static boolean isOf(Write write) {
            return write.row().table().equals(Tables.AUDIT);
        }
    }

    /** Everybody sees what was spent, and nobody holds it while deciding. */
    private record LooseBudget(Policy usual, Store store) implements Policy {

        static void spend(Store store, Payment payment) {
            var account = payment.tenant() + "/" + payment.origin().agentId();
            store.transact(tx -> {
                var before = new BigDecimal(tx.find(SPENT, account).orElse("0"));
                var amount = new BigDecimal(payment.origin().amountUsd());
                tx.put(SPENT, account, before.add(amount).toPlainString());
                return true;
            });
        }

        @Override
        public Ruling job(TenantId tenant, JsonObject job) {
            return usual.job(tenant, job);
        }

        @Override
        public PaymentRuling payment(TenantId tenant, PaymentFacts payment) {
            var ruling = usual.payment(tenant, payment);
            var spent = new BigDecimal(
                    store.find(SPENT, tenant + "/" + payment.agent()).orElse("0"));
            var loose = ruling.caps().stream().filter(LooseBudget::isOfTime).toList();
            var others = ruling.caps().stream().filter(cap -> !isOfTime(cap)).toList();
            boolean exceeded = loose.stream()
                    .anyMatch(cap -> spent.add(payment.amountUsd()).compareTo(cap.capUsd()) > 0);
            var verdict = exceeded
                    ? new Verdict.Deny(Optional.empty(), "budget.exceeded")
                    : ruling.ruling().verdict();
            return new PaymentRuling(new Ruling(verdict, ruling.ruling().policyHash()), others);
        }

        private static boolean isOfTime(BudgetCap cap) {
            return cap.scope() == BudgetCap.Scope.DAY || cap.scope() == BudgetCap.Scope.MONTH;
        }
    }
}
