package dev.nonbis.server.api;

import static dev.nonbis.core.identity.Role.ADMIN;
import static dev.nonbis.core.identity.Role.APPROVER;
import static dev.nonbis.core.identity.Role.AUDITOR;
import static dev.nonbis.core.identity.Role.OPERATOR;
import static dev.nonbis.core.identity.Role.SUBMITTER;
import static dev.nonbis.server.http.Access.anyKnown;
import static dev.nonbis.server.http.Access.anyOf;
import static dev.nonbis.server.http.Method.DELETE;
import static dev.nonbis.server.http.Method.GET;
import static dev.nonbis.server.http.Method.POST;
import static dev.nonbis.server.http.Method.PUT;

import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.operation.NoteDuplicates;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.server.http.Route;
import dev.nonbis.server.metrics.Metrics;
import dev.nonbis.server.tracing.Tracing;
import java.util.List;
import java.util.Set;

/** Every route of the API: who may call it, and what answers. */
public final class Routes {

    private Routes() {}

    public static List<Route> of(Ports ports, NoteDuplicates duplicates, Metrics metrics, Set<Operation> keyRequired) {
        return of(ports, duplicates, new Watching(metrics, Tracing.NONE), keyRequired);
    }

    public static List<Route> of(
            Ports ports, NoteDuplicates duplicates, Watching watching, Set<Operation> keyRequired) {
        var metrics = watching.metrics();
        var keyed = new Keyed(keyRequired, ports, duplicates, watching);
        var jobs = new JobsApi(ports, keyed);
        var runs = new RunsApi(ports, keyed, metrics);
        var workflows = new WorkflowsApi(ports);
        var approvals = new ApprovalsApi(ports, duplicates, watching);
        var keys = new KeysApi(ports, duplicates);
        var audit = new AuditApi(ports);
        var proofs = new AuditProofsApi(ports);
        var tenants = new TenantsApi(ports);
        var policy = new PolicyApi(ports);
        var payments = new PaymentsApi(ports, keyed, metrics);
        return List.of(
                new Route(
                        POST,
                        "/v1/payment-requests",
                        anyOf(SUBMITTER, OPERATOR).telling(ProblemCode.AUTH_REQUIRED, ProblemCode.AUTH_INVALID_TOKEN),
                        "submitPayment",
                        payments::submit),
                new Route(
                        GET,
                        "/v1/payment-requests",
                        anyKnown().telling(ProblemCode.AUTH_REQUIRED, ProblemCode.AUTH_INVALID_TOKEN),
                        "listPayments",
                        payments::list),
                new Route(
                        GET,
                        "/v1/payment-requests/{id}",
                        anyKnown().telling(ProblemCode.AUTH_REQUIRED, ProblemCode.AUTH_INVALID_TOKEN),
                        "getPayment",
                        payments::get),
                new Route(GET, "/api/v1/budgets/{agent}", anyKnown(), "getBudgets", payments::budgets),
                new Route(POST, "/api/v1/jobs", anyOf(SUBMITTER, OPERATOR), "submitJob", jobs::submit),
                new Route(GET, "/api/v1/jobs", anyKnown(), "listJobs", jobs::list),
                new Route(GET, "/api/v1/jobs/{id}", anyKnown(), "getJob", jobs::get),
                new Route(GET, "/api/v1/jobs/{id}/timeline", anyKnown(), "getJobTimeline", jobs::timeline),
                new Route(POST, "/api/v1/jobs/{id}/cancel", anyOf(SUBMITTER, OPERATOR), "cancelJob", jobs::cancel),
                new Route(GET, "/api/v1/approvals", anyKnown(), "listApprovals", approvals::list),
                new Route(GET, "/api/v1/approvals/{id}", anyKnown(), "getApproval", approvals::get),
                new Route(POST, "/api/v1/approvals/{id}/approve", anyOf(APPROVER), "approve", approvals::approve),
                new Route(POST, "/api/v1/approvals/{id}/reject", anyOf(APPROVER), "reject", approvals::reject),
                new Route(GET, "/api/v1/workflows", anyKnown(), "listWorkflows", workflows::list),
                new Route(PUT, "/api/v1/workflows/{id}", anyOf(OPERATOR), "putWorkflow", workflows::put),
                new Route(GET, "/api/v1/workflows/{id}", anyKnown(), "getWorkflow", workflows::get),
                new Route(POST, "/api/v1/workflows/{id}/runs", anyOf(SUBMITTER, OPERATOR), "startRun", runs::start),
                new Route(GET, "/api/v1/runs", anyKnown(), "listRuns", runs::list),
                new Route(GET, "/api/v1/runs/{id}", anyKnown(), "getRun", runs::get),
                new Route(GET, "/api/v1/runs/{id}/timeline", anyKnown(), "getRunTimeline", runs::timeline),
                new Route(POST, "/api/v1/runs/{id}/cancel", anyOf(SUBMITTER, OPERATOR), "cancelRun", runs::cancel),
                new Route(GET, "/api/v1/tenants/{tenant}/limits", anyKnown(), "getTenantLimits", tenants::getLimits),
                new Route(
                        PUT, "/api/v1/tenants/{tenant}/limits", anyOf(OPERATOR), "putTenantLimits", tenants::putLimits),
                new Route(
                        GET,
                        "/api/v1/idempotency-keys/{operation}/{key}",
                        anyOf(OPERATOR),
                        "getIdempotencyKey",
                        keys::get),
                new Route(
                        DELETE,
                        "/api/v1/idempotency-keys/{operation}/{key}",
                        anyOf(OPERATOR),
                        "releaseIdempotencyKey",
                        keys::release),
                new Route(POST, "/api/v1/policy/explain", anyOf(AUDITOR, OPERATOR), "explainPolicy", policy::explain),
                new Route(GET, "/api/v1/audit", anyOf(AUDITOR, OPERATOR), "listAuditEvents", audit::list),
                new Route(GET, "/api/v1/audit/head", anyOf(AUDITOR, OPERATOR), "getAuditHead", audit::head),
                new Route(POST, "/api/v1/audit/{seq}/redact", anyOf(OPERATOR), "redactAuditEvent", audit::redact),
                new Route(POST, "/api/v1/audit/drop", anyOf(ADMIN), "dropAuditSegment", audit::drop),
                new Route(
                        GET,
                        "/api/v1/audit/checkpoints",
                        anyOf(AUDITOR, OPERATOR),
                        "listCheckpoints",
                        proofs::checkpoints),
                new Route(POST, "/api/v1/audit/checkpoints", anyOf(AUDITOR, OPERATOR), "sealCheckpoint", proofs::seal),
                new Route(GET, "/api/v1/audit/seal", anyOf(AUDITOR, OPERATOR), "getAuditSeal", proofs::exportSeal),
                new Route(GET, "/api/v1/audit/proof", anyOf(AUDITOR, OPERATOR), "proveInclusion", proofs::inclusion),
                new Route(
                        GET,
                        "/api/v1/audit/consistency",
                        anyOf(AUDITOR, OPERATOR),
                        "proveConsistency",
                        proofs::consistency));
    }
}
