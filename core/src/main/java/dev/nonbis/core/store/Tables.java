package dev.nonbis.core.store;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.audit.AuditPage;
import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.audit.Checkpoint;
import dev.nonbis.core.dispatch.Announcement;
import dev.nonbis.core.dispatch.DeadLetter;
import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.core.dispatch.Result;
import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.idempotency.KeyRecord;
import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.idempotency.StoredKey;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.lease.Lease;
import dev.nonbis.core.payment.Budget;
import dev.nonbis.core.payment.Nonce;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.run.Run;
import dev.nonbis.core.run.RunState;
import dev.nonbis.core.run.Workflow;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.core.webhook.Delivery;
import dev.nonbis.core.webhook.Webhook;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Every table, in the order in which a transaction writes them, and how its keys and index entries read. */
public final class Tables {

    // The text of an index in which it only counts whether a row is there.
    private static final String PRESENT = "present";

    /** Keys that will be free again, by the time that they will. */
    public static final Index<StoredKey> KEYS_BY_EXPIRY = Index.ofOne(
            "expiry", key -> key.record().flatMap(KeyRecord::expiresAt).map(Tables::dueEntry));

    public static final Table<KeyScope, StoredKey> KEYS =
            new Table<>(1, "keys", KeyCodec::keyText, KeyCodec::encode, KeyCodec::decode, List.of(KEYS_BY_EXPIRY));

    /** Tenants whose log has events that are not sealed, by the time at which the next checkpoint is due. */
    public static final Index<TenantState> TENANTS_BY_CHECKPOINT = Index.ofOne(
            "checkpoint", tenant -> tenant.checkpoint().nextDue(tenant.audit()).map(Tables::dueEntry));

    /** Tenants that have had jobs, by the minute in which their counts changed last. */
    public static final Index<TenantState> TENANTS_BY_CHANGE = Index.ofOne(
            "change",
            tenant -> tenant.jobs().byState().isEmpty()
                    ? Optional.empty()
                    : Optional.of(dueEntry(tenant.jobs().changedAt())));

    /** Tenants with events of which idle webhooks have not been made due yet, by the time of the first. */
    public static final Index<TenantState> TENANTS_BY_NEWS =
            Index.ofOne("news", tenant -> tenant.webhooks().newsSince().map(Tables::dueEntry));

    public static final Table<TenantId, TenantState> TENANTS = new Table<>(
            2,
            "tenants",
            TenantId::value,
            TenantCodec::encode,
            TenantCodec::decode,
            List.of(TENANTS_BY_CHECKPOINT, TENANTS_BY_CHANGE, TENANTS_BY_NEWS));

    public static final Table<Admission.Key, Admission> ADMISSIONS = new Table<>(
            3,
            "admissions",
            key -> key.tenant() + "/" + key.subject(),
            AdmissionCodec::encode,
            AdmissionCodec::decode,
            List.of());

    /** Jobs to dispatch, by tenant, topic and time. */
    public static final Index<Job> JOBS_BY_DUE = Index.ofOne("due", DueEntries::due);

    /** Jobs that are looked at by a time, whatever they are about. */
    public static final Index<Job> JOBS_BY_WATCH = Index.ofOne("watch", DueEntries::watch);

    public static final Index<Job> JOBS_BY_STATE =
            Index.ofOne("state", job -> Optional.of(stateEntry(job.tenant(), job.state())));
    public static final Index<Job> JOBS_BY_TOPIC = Index.ofOne(
            "topic", job -> Optional.of(topicEntry(job.tenant(), job.spec().topic())));
    public static final Index<Job> JOBS_BY_LABEL = Index.ofMany("label", Tables::labelEntries);

    public static final Table<JobKey, Job> JOBS = new Table<>(
            4,
            "jobs",
            key -> key.tenant() + "/" + key.id(),
            JobCodec::encode,
            JobCodec::decode,
            List.of(JOBS_BY_DUE, JOBS_BY_WATCH, JOBS_BY_STATE, JOBS_BY_TOPIC, JOBS_BY_LABEL));

    public static final Index<Run> RUNS_BY_STATE =
            Index.ofOne("state", run -> Optional.of(stateEntry(run.tenant(), run.state())));
    public static final Index<Run> RUNS_BY_WORKFLOW = Index.ofOne(
            "workflow", run -> Optional.of(topicEntry(run.tenant(), run.origin().workflow())));

    public static final Table<Run.Key, Run> RUNS = new Table<>(
            5,
            "runs",
            key -> key.tenant() + "/" + key.id(),
            RunCodec::encode,
            RunCodec::decode,
            List.of(RUNS_BY_STATE, RUNS_BY_WORKFLOW));

    public static final Table<Workflow.Key, Workflow.Latest> WORKFLOWS = new Table<>(
            6,
            "workflows",
            key -> key.tenant() + "/" + key.id(),
            WorkflowCodec::encodeLatest,
            WorkflowCodec::decodeLatest,
            List.of());

    public static final Table<Workflow.VersionKey, Workflow.Version> WORKFLOW_VERSIONS = new Table<>(
            7,
            "workflow_versions",
            key -> key.tenant() + "/" + key.id() + "/" + padded(key.version()),
            WorkflowCodec::encodeVersion,
            WorkflowCodec::decodeVersion,
            List.of());

    /** Nonces by the time at which they are needed no more. */
    public static final Index<Nonce> NONCES_BY_EXPIRY =
            Index.ofOne("expiry", nonce -> Optional.of(dueEntry(nonce.neededUntil())));

    public static final Table<Nonce.Key, Nonce> NONCES = new Table<>(
            8,
            "nonces",
            key -> key.tenant() + "/" + key.nonce(),
            PaymentCodec::encodeNonce,
            PaymentCodec::decodeNonce,
            List.of(NONCES_BY_EXPIRY));

    public static final Table<Budget.Key, Budget> BUDGETS = new Table<>(
            9,
            "budgets",
            key -> key.tenant() + "/" + key.agent() + "/" + key.scope().word() + "/" + key.window(),
            PaymentCodec::encodeBudget,
            PaymentCodec::decodeBudget,
            List.of());

    public static final Index<Payment> PAYMENTS_BY_STATUS = Index.ofOne(
            "status",
            payment -> Optional.of(
                    paymentEntry(payment.tenant(), payment.decision().status())));
    public static final Index<Payment> PAYMENTS_BY_AGENT = Index.ofOne(
            "agent",
            payment -> Optional.of(agentEntry(payment.tenant(), payment.origin().agentId())));

    public static final Table<Payment.Key, Payment> PAYMENTS = new Table<>(
            10,
            "payments",
            key -> key.tenant() + "/" + key.id(),
            PaymentCodec::encode,
            PaymentCodec::decode,
            List.of(PAYMENTS_BY_STATUS, PAYMENTS_BY_AGENT));

    public static final Index<Approval> APPROVALS_BY_STATUS = Index.ofOne(
            "status", approval -> Optional.of(approvalEntry(approval.subject().tenant(), approval.status())));

    /** Approvals that wait, by the time at which they have waited long enough. */
    public static final Index<Approval> APPROVALS_BY_EXPIRY = Index.ofOne(
            "expiry",
            approval -> approval.status() == Approval.Status.WAITING
                    ? Optional.of(dueEntry(approval.expiresAt()))
                    : Optional.empty());

    public static final Table<Approval.Key, Approval> APPROVALS = new Table<>(
            11,
            "approvals",
            key -> key.tenant() + "/" + key.id(),
            ApprovalCodec::encode,
            ApprovalCodec::decode,
            List.of(APPROVALS_BY_STATUS, APPROVALS_BY_EXPIRY));

    /** Full pages of events; those after the last page are with the tenant. */
    public static final Table<AuditPage.Key, AuditPage> AUDIT = new Table<>(
            12,
            "audit",
            key -> key.tenant() + "/" + padded(key.number()),
            AuditCodec::encode,
            AuditCodec::decode,
            List.of());

    /** Logs with rows of dropped events. */
    public static final Index<AuditTree> AUDIT_TREES_BY_REMOVAL =
            Index.ofOne("removal", tree -> tree.hasRowsToRemove() ? Optional.of(PRESENT) : Optional.empty());

    public static final Table<TenantId, AuditTree> AUDIT_TREES = new Table<>(
            13,
            "audit_trees",
            TenantId::value,
            AuditCodec::encodeTree,
            AuditCodec::decodeTree,
            List.of(AUDIT_TREES_BY_REMOVAL));

    public static final Table<AuditTree.TileKey, byte[]> AUDIT_TILES = new Table<>(
            14,
            "audit_tiles",
            key -> key.tenant() + "/" + key.tile().level() + "/"
                    + padded(key.tile().index()),
            nodes -> nodes,
            nodes -> nodes,
            List.of());

    public static final Table<Checkpoint.Key, JsonObject> AUDIT_CHECKPOINTS = new Table<>(
            15,
            "audit_checkpoints",
            key -> key.tenant() + "/" + padded(key.seq()),
            Json::write,
            Row::object,
            List.of());

    /** Messages that may be handed out, by tenant, topic and the time from which on. */
    public static final Index<QueuedMessage> MESSAGES_BY_VISIBLE = Index.ofOne(
            "visible",
            queued -> queued.visibleAt()
                    .map(at -> queueEntry(
                                    queued.message().tenant(), queued.message().subject())
                            + dueEntry(at)));

    /** Spent messages, by the time at which their names are forgotten. */
    public static final Index<QueuedMessage> MESSAGES_BY_WINDOW = Index.ofOne(
            "window", queued -> queued.isSpent() ? Optional.of(dueEntry(queued.windowEnd())) : Optional.empty());

    public static final Table<QueuedMessage.Key, QueuedMessage> MESSAGES = new Table<>(
            20,
            "messages",
            key -> key.tenant() + "/" + plain(key.id().value()),
            DispatchCodec::encode,
            DispatchCodec::decodeMessage,
            List.of(MESSAGES_BY_VISIBLE, MESSAGES_BY_WINDOW));

    /** Queues in which something waits. */
    public static final Index<QueuedMessage.Depth> QUEUES_BY_WAITING =
            Index.ofOne("waiting", depth -> depth.waiting() > 0 ? Optional.of(PRESENT) : Optional.empty());

    public static final Table<QueuedMessage.DepthKey, QueuedMessage.Depth> QUEUES = new Table<>(
            21,
            "queues",
            key -> key.tenant() + "/" + key.topic(),
            DispatchCodec::encode,
            DispatchCodec::decodeDepth,
            List.of(QUEUES_BY_WAITING));

    /** What workers said, beside the jobs that they said it of. */
    public static final Table<JobKey, Result> RESULTS = new Table<>(
            22,
            "results",
            key -> key.tenant() + "/" + key.id(),
            DispatchCodec::encode,
            DispatchCodec::decodeResult,
            List.of());

    public static final Table<DeadLetter.Key, DeadLetter> DEAD_LETTERS = new Table<>(
            23,
            "dead_letters",
            key -> key.tenant() + "/" + key.job(),
            DispatchCodec::encode,
            DispatchCodec::decodeLetter,
            List.of());

    /** Recorded results of which a bus apart from the store has still to be told. */
    public static final Table<Announcement.Key, Announcement> ANNOUNCEMENTS = new Table<>(
            25,
            "announcements",
            key -> key.tenant() + "/" + key.job() + "/" + padded(key.execution()),
            DispatchCodec::encode,
            DispatchCodec::decodeAnnouncement,
            List.of());

    /** Who does which background work, by the name of the work. */
    public static final Table<String, Lease> LEASES =
            new Table<>(24, "leases", work -> "loops/" + work, LeaseCodec::encode, LeaseCodec::decode, List.of());

    /** Webhooks to which something is owed, by the time of the next try. */
    public static final Index<Webhook> WEBHOOKS_BY_DUE =
            Index.ofOne("due", webhook -> webhook.due().map(Tables::dueEntry));

    public static final Table<Webhook.Key, Webhook> WEBHOOKS = new Table<>(
            30,
            "webhooks",
            key -> key.tenant() + "/" + key.id(),
            WebhookCodec::encode,
            WebhookCodec::decodeWebhook,
            List.of(WEBHOOKS_BY_DUE));

    public static final Table<Delivery.Key, Delivery> WEBHOOK_DELIVERIES = new Table<>(
            31,
            "webhook_deliveries",
            key -> key.webhook().tenant() + "/" + key.webhook().id() + "/" + padded(key.number()),
            WebhookCodec::encode,
            WebhookCodec::decodeDelivery,
            List.of());

    public static final List<Table<?, ?>> ALL = List.of(
            KEYS,
            TENANTS,
            ADMISSIONS,
            JOBS,
            RUNS,
            WORKFLOWS,
            WORKFLOW_VERSIONS,
            NONCES,
            BUDGETS,
            PAYMENTS,
            APPROVALS,
            AUDIT,
            AUDIT_TREES,
            AUDIT_TILES,
            AUDIT_CHECKPOINTS,
            MESSAGES,
            QUEUES,
            RESULTS,
            DEAD_LETTERS,
            LEASES,
            ANNOUNCEMENTS,
            WEBHOOKS,
            WEBHOOK_DELIVERIES);

    private static final int MAX_PLAIN = 80;

    private Tables() {}

    /** Where a job is found. */
    public record JobKey(TenantId tenant, JobId id) {}

    public static JobKey key(Job job) {
        return new JobKey(job.tenant(), job.id());
    }

    public static Run.Key key(Run run) {
        return new Run.Key(run.tenant(), run.id());
    }

    public static Run.Key runKey(TenantId tenant, RunId id) {
        return new Run.Key(tenant, id);
    }

    public static String dueEntry(Instant at) {
        return padded(Timestamps.micros(at));
    }

    /** Where the messages of a tenant and topic begin; the time follows. */
    public static String queueEntry(TenantId tenant, String topic) {
        return tenant + "/" + topic + "/";
    }

    public static String stateEntry(TenantId tenant, JobState state) {
        return tenant + "/" + state;
    }

    public static String stateEntry(TenantId tenant, RunState state) {
        return tenant + "/" + state;
    }

    public static String approvalEntry(TenantId tenant, Approval.Status status) {
        return tenant + "/" + status;
    }

    public static String paymentEntry(TenantId tenant, Payment.Status status) {
        return tenant + "/" + status;
    }

    /** An agent may have any name. */
    public static String agentEntry(TenantId tenant, String agent) {
        return tenant + "/" + plain(agent);
    }

    public static String topicEntry(TenantId tenant, String topic) {
        return tenant + "/" + topic;
    }

    /** Labels may hold any text, so where one is long or not plain its digest stands in the index. */
    public static String labelEntry(TenantId tenant, String label) {
        return tenant.value() + "/" + plain(label);
    }

    private static String plain(String text) {
        return isPlain(text) ? text : "#" + Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Set<String> labelEntries(Job job) {
        var labels = job.spec().labels();
        if (labels.isEmpty()) {
            return Set.of();
        }
        var entries = new ArrayList<String>(labels.size());
        for (var label : labels.entrySet()) {
            entries.add(labelEntry(job.tenant(), label.getKey() + ":" + label.getValue()));
        }
        // Two labels may give the same text. It is kept for a while, and this takes less room.
        return Set.copyOf(entries);
    }

    private static boolean isPlain(String text) {
        if (text.length() > MAX_PLAIN || text.startsWith("#")) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= ' ' || text.charAt(i) >= 127) {
                return false;
            }
        }
        return true;
    }

    // Wide enough for microseconds and for any counter, so that text sorts as numbers do.
    private static String padded(long number) {
        String digits = Long.toString(number);
        return "0".repeat(Math.max(0, 17 - digits.length())) + digits;
    }
}
