package dev.nonbis.core.problem;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Every code a client can meet. The word, the status and the retry are part of the contract; the advice is its page. */
public enum ProblemCode {
    // The request as HTTP.
    MALFORMED_REQUEST(
            "malformed_request",
            400,
            Retry.FIX_REQUEST,
            "The request is not valid HTTP",
            "The bytes on the connection break a rule of HTTP/1.1, so the request was not read to its end "
                    + "and the connection is closed. Look at what the client library or a proxy in between sends: "
                    + "the request line, the header names, the framing of the body. Nothing was recorded."),
    HEADERS_TOO_LARGE(
            "headers_too_large",
            431,
            Retry.FIX_REQUEST,
            "The headers are too large",
            "Send at most 100 header fields and 16 KiB of them in total. A cookie or a token that has "
                    + "grown is the usual reason. Nothing was recorded."),
    URI_TOO_LONG(
            "uri_too_long",
            414,
            Retry.FIX_REQUEST,
            "The address is too long",
            "Shorten the path and the query; a list of values belongs in several calls. Nothing was " + "recorded."),
    BODY_TOO_LARGE(
            "body_too_large",
            413,
            Retry.FIX_REQUEST,
            "The body is larger than 1 MiB",
            "Send a smaller body: keep large data elsewhere and send a reference to it. The server stops "
                    + "reading and closes the connection. Nothing was recorded."),
    REQUEST_TIMEOUT(
            "request_timeout",
            408,
            Retry.SAME_KEY,
            "The request arrived too slowly",
            "The server waited for the rest of the request until its deadline and then closed the "
                    + "connection. Nothing was recorded, so open a new connection and send the same request with "
                    + "the same key. If it happens again, look at the network between you and the server."),
    UNSUPPORTED_MEDIA_TYPE(
            "unsupported_media_type",
            415,
            Retry.FIX_REQUEST,
            "The body is not declared as JSON",
            "Send the header `Content-Type: application/json` and no `Content-Encoding` with every "
                    + "request that has a body. Nothing was recorded."),
    NOT_FOUND(
            "not_found",
            404,
            Retry.FIX_REQUEST,
            "There is nothing at this path",
            "Compare the path with the API description at /openapi.json. Nothing was recorded."),
    METHOD_NOT_ALLOWED(
            "method_not_allowed",
            405,
            Retry.FIX_REQUEST,
            "This path does not take this method",
            "Use one of the methods that the `Allow` header names. Nothing was recorded."),
    EXPECTATION_FAILED(
            "expectation_failed",
            417,
            Retry.FIX_REQUEST,
            "The server does not know this expectation",
            "Send no `Expect` header but `Expect: 100-continue`. Nothing was recorded."),
    NOT_IMPLEMENTED(
            "not_implemented",
            501,
            Retry.FIX_REQUEST,
            "The server does not know this method or transfer coding",
            "Write the method in capitals, as in `GET`, and send a body with `Content-Length` or as "
                    + "`Transfer-Encoding: chunked` and nothing else. Nothing was recorded."),

    // Who is asking.
    UNAUTHENTICATED(
            "unauthenticated",
            401,
            Retry.FIX_REQUEST,
            "The caller is not known",
            "Send an API key or a token as `Authorization: Bearer` or as `X-API-Key`, but not two "
                    + "different ones. If one was sent, it is unknown, malformed, expired or not meant for this "
                    + "server. Nothing was recorded; the same key works once the credential does."),
    FORBIDDEN(
            "forbidden",
            403,
            Retry.FIX_REQUEST,
            "The caller's roles do not allow this",
            "Use a credential that holds one of the roles in the member `roles`, or have the role "
                    + "granted. Nothing was recorded; the same key works once the role is there."),
    TENANT_MISMATCH(
            "tenant_mismatch",
            403,
            Retry.FIX_REQUEST,
            "The credential belongs to another tenant",
            "Leave `X-Tenant-ID` out, or send the tenant that the credential belongs to. Nothing was " + "recorded."),

    // What the body says.
    MALFORMED_JSON(
            "malformed_json",
            400,
            Retry.FIX_REQUEST,
            "The body is not JSON",
            "Send exactly one JSON value in UTF-8, with nothing after it. Nothing was recorded; correct "
                    + "the body and send it with the same key."),
    JSON_TOO_DEEP(
            "json_too_deep",
            400,
            Retry.FIX_REQUEST,
            "The JSON is nested too deeply",
            "Nest objects and arrays at most 64 deep, or carry the deep part as a string. Nothing was " + "recorded."),
    JSON_NOT_CANONICAL(
            "json_not_canonical",
            400,
            Retry.FIX_REQUEST,
            "The JSON has no canonical form",
            "Remove repeated member names and lone surrogates, and send a number that a double cannot "
                    + "hold as a string. Without a canonical form two copies of a request could not be told to be "
                    + "the same. Nothing was recorded."),
    UNKNOWN_FIELD(
            "unknown_field",
            400,
            Retry.FIX_REQUEST,
            "The body has a field that is not known here",
            "Remove the field that `pointer` names; a misspelt name is the usual reason. Unknown fields "
                    + "are refused rather than ignored, because an ignored one would change nothing silently. "
                    + "Nothing was recorded."),
    MISSING_FIELD(
            "missing_field",
            400,
            Retry.FIX_REQUEST,
            "A required field is missing",
            "Add the field that `pointer` names and send the request again with the same key. Nothing was "
                    + "recorded."),
    INVALID_FIELD(
            "invalid_field",
            400,
            Retry.FIX_REQUEST,
            "A field has a value that cannot be taken",
            "Correct the value that `pointer` names; `detail` says what is expected. Nothing was " + "recorded."),
    INVALID_QUERY(
            "invalid_query",
            400,
            Retry.FIX_REQUEST,
            "A query parameter cannot be taken",
            "Correct or remove the parameter that `parameter` names; `detail` says what is expected. "
                    + "Nothing was recorded."),
    RESERVED_LABEL(
            "reserved_label",
            400,
            Retry.FIX_REQUEST,
            "The label belongs to the server",
            "Remove the label that `pointer` names. The server itself sets `approval_granted` and "
                    + "everything that starts with `nonbis.` and takes neither from a client. Nothing was recorded."),
    WORKFLOW_INVALID(
            "workflow_invalid",
            400,
            Retry.FIX_REQUEST,
            "The workflow cannot be run as written",
            "Correct the step that `pointer` names: a cycle, a need that no step meets, or an expression "
                    + "that does not compile. The stored versions of the workflow are untouched."),

    // The idempotency key.
    IDEMPOTENCY_KEY_INVALID(
            "idempotency_key_invalid",
            400,
            Retry.FIX_REQUEST,
            "The Idempotency-Key cannot be read",
            "Send the header once, with 1 to 255 visible ASCII characters, bare or in double quotes. "
                    + "Nothing was recorded."),
    IDEMPOTENCY_KEY_REQUIRED(
            "idempotency_key_required",
            400,
            Retry.FIX_REQUEST,
            "An Idempotency-Key is required here",
            "Make a key that is unique to this operation, store it beside the operation before sending, "
                    + "and send it with every attempt. Nothing was recorded."),
    IDEMPOTENCY_KEY_REUSED(
            "idempotency_key_reused",
            422,
            Retry.NEW_KEY,
            "The key belongs to another request",
            "This key was used before with another body or path; `pointers` lists the first 50 places, never "
                    + "the values. Keep the first request's outcome as it is, and send this one with a key of its "
                    + "own. If both were meant to be the same, something in the client changes the body between "
                    + "attempts."),

    // Things that are not there.
    JOB_NOT_FOUND(
            "job_not_found",
            404,
            Retry.FIX_REQUEST,
            "There is no such job",
            "Check the id and the credential's tenant: another tenant's job looks the same as none. "
                    + "Nothing was recorded."),
    RUN_NOT_FOUND(
            "run_not_found",
            404,
            Retry.FIX_REQUEST,
            "There is no such run",
            "Check the id and the credential's tenant: another tenant's run looks the same as none. "
                    + "Nothing was recorded."),
    WORKFLOW_NOT_FOUND(
            "workflow_not_found",
            404,
            Retry.FIX_REQUEST,
            "There is no such workflow",
            "Store the workflow first, or check its id and the credential's tenant. Nothing was recorded; "
                    + "the same key works once the workflow is there."),
    TENANT_NOT_FOUND(
            "tenant_not_found",
            404,
            Retry.FIX_REQUEST,
            "There is no such tenant",
            "A credential sees its own tenant only. Use the tenant that the credential belongs to."),
    KEY_NOT_FOUND(
            "key_not_found",
            404,
            Retry.FIX_REQUEST,
            "There is no such idempotency key",
            "No request of this operation was recorded under this key, or its retention is over. Check "
                    + "the operation's name, the key and the credential's tenant."),
    DEAD_LETTER_NOT_FOUND(
            "dead_letter_not_found",
            404,
            Retry.FIX_REQUEST,
            "There is no such dead letter",
            "The job has no dead letter, or it was retried or removed already. Check the id and the "
                    + "credential's tenant."),
    PAYMENT_NOT_FOUND(
            "payment_not_found",
            404,
            Retry.FIX_REQUEST,
            "There is no such payment",
            "Check the id and the credential's tenant: another tenant's payment looks the same as none."),

    AUDIT_EVENT_NOT_FOUND(
            "audit_event_not_found",
            404,
            Retry.FIX_REQUEST,
            "There is no such audit event",
            "Check the seq and the credential's tenant. Events of a dropped segment are no longer here: look in the "
                    + "export that was made before. Nothing was recorded."),

    // Jobs, runs and limits.
    POLICY_DENIED(
            "policy_denied",
            403,
            Retry.NEVER,
            "Policy denies this",
            "This is an outcome: it is recorded, and every repetition gets the same answer. The job named "
                    + "in `job_id` exists in state `DENIED`. Ask whoever owns the policy; after a change, send a "
                    + "new request with a new key. Without a `job_id` it was about a dead letter, which is as it was: "
                    + "retry it after the change."),
    POLICY_THROTTLED(
            "policy_throttled",
            429,
            Retry.SAME_KEY,
            "Policy asks to slow down",
            "Wait as long as `Retry-After` says and send the same request with the same key. Nothing was "
                    + "recorded."),
    MAX_CONCURRENT_RUNS_REACHED(
            "max_concurrent_runs_reached",
            429,
            Retry.SAME_KEY,
            "The tenant has as many runs as it may",
            "Wait until a run ends, at least as long as `Retry-After` says, and send the same request "
                    + "with the same key. The members `current` and `limit` say where things stand. Nothing was "
                    + "recorded."),
    RATE_LIMITED(
            "rate_limited",
            429,
            Retry.SAME_KEY,
            "Too many requests",
            "Wait as long as `Retry-After` says and send the same request with the same key. Nothing was "
                    + "recorded."),
    JOB_ALREADY_TERMINAL(
            "job_already_terminal",
            409,
            Retry.NEVER,
            "The job has ended",
            "The job's state will not change any more; read the job to see how it ended. To do the work "
                    + "again, submit a new job."),
    RUN_ALREADY_TERMINAL(
            "run_already_terminal",
            409,
            Retry.NEVER,
            "The run has ended",
            "The run's state will not change any more; read the run to see how it ended. To do the work "
                    + "again, start a new run."),
    JOB_NOT_UNKNOWN(
            "job_not_unknown",
            409,
            Retry.NEVER,
            "The job's outcome is not in doubt",
            "Only a job in state `UNKNOWN` waits for someone to say how it ended. Read the job: it has "
                    + "moved on, or somebody else resolved it."),

    // Approvals.
    APPROVAL_ALREADY_APPROVED(
            "approval_already_approved",
            409,
            Retry.NEVER,
            "The request was approved before",
            "The first decision stands and cannot be turned round. Read the job to see who decided and "
                    + "when; to stop the work, cancel the job."),
    APPROVAL_ALREADY_REJECTED(
            "approval_already_rejected",
            409,
            Retry.NEVER,
            "The request was rejected before",
            "The first decision stands and cannot be turned round. Read the job to see who decided and "
                    + "when; if the work is wanted after all, submit it again."),
    NOT_AWAITING_APPROVAL(
            "not_awaiting_approval",
            409,
            Retry.NEVER,
            "Nothing waits for this decision",
            "The job never needed an approval, or policy denied it, or it was cancelled while it waited. "
                    + "Read the job to see which."),
    APPROVAL_EXPIRED(
            "approval_expired",
            409,
            Retry.NEVER,
            "The time to decide is over",
            "Nobody decided in time, so the job was denied by the system. If the work is still wanted, "
                    + "submit it again."),
    APPROVAL_STALE_REQUEST(
            "approval_stale_request",
            409,
            Retry.FIX_REQUEST,
            "The decision is about another request",
            "The `request_hash` sent is not the job's, so the decision was made on something else than "
                    + "what would run. Read the job again, show it to the person who decides, and send the hash it "
                    + "has now. No decision was recorded."),
    SELF_APPROVAL_DENIED(
            "self_approval_denied",
            403,
            Retry.NEVER,
            "Nobody decides on their own request",
            "Have somebody else than the job's submitter decide. No decision was recorded."),

    // Workers.
    CLAIMED_ELSEWHERE(
            "claimed_elsewhere",
            409,
            Retry.NEVER,
            "Another worker has this execution",
            "Drop the delivery and do no work for it; another worker started first. Poll for the next " + "one."),
    STALE_FENCE(
            "stale_fence",
            409,
            Retry.NEVER,
            "A newer execution has taken over",
            "Stop the work for this execution: a later one with a higher fence exists, and no result of "
                    + "this one will be taken. Undo nothing; the downstream calls are guarded by the job's "
                    + "`idempotency_key`."),
    RESULT_CONFLICT(
            "result_conflict",
            409,
            Retry.NEVER,
            "Another result is recorded",
            "A result for this execution was recorded before and differs from this one. The recorded one "
                    + "stands. Log both and look for a worker that answers twice."),

    // Payments.
    SCHEMA_UNKNOWN_FIELD(
            "schema.unknown_field",
            400,
            Retry.FIX_REQUEST,
            "The envelope has a field that is not known",
            "Remove the field that `pointer` names. Nothing was recorded and the nonce is not used up."),
    SCHEMA_MISSING_FIELD(
            "schema.missing_field",
            400,
            Retry.FIX_REQUEST,
            "The envelope lacks a required field",
            "Add the field that `pointer` names. Nothing was recorded and the nonce is not used up."),
    SCHEMA_WRONG_TYPE(
            "schema.wrong_type",
            400,
            Retry.FIX_REQUEST,
            "A field of the envelope has the wrong type",
            "Correct the field that `pointer` names; `detail` says which type is expected. Nothing was "
                    + "recorded and the nonce is not used up."),
    SCHEMA_VALUE_OUT_OF_RANGE(
            "schema.value_out_of_range",
            400,
            Retry.FIX_REQUEST,
            "A field of the envelope has a value out of range",
            "Correct the field that `pointer` names; `detail` says what is allowed. Nothing was recorded "
                    + "and the nonce is not used up."),
    PROTOCOL_APRP_EXPIRED(
            "protocol.aprp_expired",
            400,
            Retry.FIX_REQUEST,
            "The envelope has expired",
            "Make a new envelope with a later expiry and a fresh nonce, and check the client's clock: a "
                    + "minute of difference is tolerated. Nothing was recorded."),
    PROTOCOL_IDEMPOTENCY_KEY_INVALID(
            "protocol.idempotency_key_invalid",
            400,
            Retry.FIX_REQUEST,
            "The Idempotency-Key cannot be read",
            "Send the header once, with 1 to 255 visible ASCII characters, bare or in double quotes. "
                    + "Nothing was recorded and the nonce is not used up."),
    PROTOCOL_IDEMPOTENCY_KEY_REQUIRED(
            "protocol.idempotency_key_required",
            400,
            Retry.FIX_REQUEST,
            "A payment needs an Idempotency-Key",
            "Make a key that is unique to this payment, store it before sending, and send it with every "
                    + "attempt. Nothing was recorded and the nonce is not used up."),
    PROTOCOL_IDEMPOTENCY_CONFLICT(
            "protocol.idempotency_conflict",
            409,
            Retry.NEW_KEY,
            "The key belongs to another payment request",
            "This key was used before with another envelope; `pointers` lists the first 50 places, never the "
                    + "values. Keep the first payment's outcome, and send this one with a key and a nonce of its "
                    + "own."),
    PROTOCOL_NONCE_REPLAY(
            "protocol.nonce_replay",
            409,
            Retry.NEVER,
            "The nonce was used before",
            "A payment with this nonce was taken under another key, so this envelope cannot be paid "
                    + "again. Look the first one up; if another payment is really meant, make a new envelope with a "
                    + "fresh nonce."),
    AUTH_REQUIRED(
            "auth.required",
            401,
            Retry.FIX_REQUEST,
            "A payment request needs a credential",
            "Send an API key or a token as `Authorization: Bearer`. Nothing was recorded and the nonce is "
                    + "not used up."),
    AUTH_INVALID_TOKEN(
            "auth.invalid_token",
            401,
            Retry.FIX_REQUEST,
            "The credential is not valid",
            "The key or token is unknown, malformed, expired or not meant for this server. Get a valid "
                    + "one and send the same request with the same key. Nothing was recorded."),
    AUTH_AGENT_ID_MISMATCH(
            "auth.agent_id_mismatch",
            403,
            Retry.FIX_REQUEST,
            "The credential is another agent's",
            "The `agent_id` of the envelope must be the credential's own. Send the envelope with the "
                    + "right credential, or make one for this agent. Nothing was recorded."),

    // The server.
    OVERLOADED(
            "overloaded",
            503,
            Retry.SAME_KEY,
            "The server has more work than it can take",
            "Wait as long as `Retry-After` says, with some jitter, and send the same request with the "
                    + "same key. Nothing was recorded."),
    ADMISSION_BUSY(
            "admission_busy",
            503,
            Retry.SAME_KEY,
            "The tenant's admission is busy",
            "Other requests of the same tenant held the line for too long. Wait as long as `Retry-After` "
                    + "says and send the same request with the same key. Nothing was recorded."),
    SHUTTING_DOWN(
            "shutting_down",
            503,
            Retry.SAME_KEY,
            "The server is shutting down",
            "Send the same request with the same key to another server, or to this one once it is back. "
                    + "Nothing was recorded."),
    STORE_UNAVAILABLE(
            "store_unavailable",
            503,
            Retry.SAME_KEY,
            "The store does not answer",
            "Wait as long as `Retry-After` says and send the same request with the same key. Nothing was "
                    + "recorded."),
    STORAGE_FULL(
            "storage_full",
            503,
            Retry.SAME_KEY,
            "The store has no room left",
            "Nothing was recorded, and nothing will be until an operator makes room. Keep the request and "
                    + "send it again with the same key, with growing pauses."),
    OUTCOME_UNKNOWN(
            "outcome_unknown",
            503,
            Retry.SAME_KEY,
            "It is not known whether the request took effect",
            "The connection to the store broke during the commit, so the request took effect once or not "
                    + "at all. Send the same request with the same key: that settles it either way. Without a key, "
                    + "read the state first."),
    STORE_DAMAGED(
            "store_damaged",
            500,
            Retry.NEVER,
            "What is stored is damaged",
            "A row that this request needs is not what was written, for instance the recorded answer of its key, "
                    + "so nothing was done and nothing is replayed. Do not send the request under another key: it may "
                    + "have taken effect. Give the request id to the operator, who can find out and release the key. "
                    + "Other keys are not concerned."),
    INTERNAL_ERROR(
            "internal_error",
            500,
            Retry.SAME_KEY,
            "The server made a mistake",
            "The server's log has the cause under the request id of this answer. Send the same request "
                    + "with the same key, with growing pauses; if it does not go away, give the request id to the "
                    + "operator.");

    private static final Map<String, ProblemCode> BY_WORD =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(ProblemCode::word, Function.identity()));

    private final String word;
    private final int status;
    private final Retry retry;
    private final String title;
    private final String advice;

    ProblemCode(String word, int status, Retry retry, String title, String advice) {
        this.word = word;
        this.status = status;
        this.retry = retry;
        this.title = title;
        this.advice = advice;
    }

    public static Optional<ProblemCode> of(String word) {
        return Optional.ofNullable(BY_WORD.get(word));
    }

    public String word() {
        return word;
    }

    public int status() {
        return status;
    }

    public Retry retry() {
        return retry;
    }

    public String title() {
        return title;
    }

    /** What the client should do, for the code's own page. */
    public String advice() {
        return advice;
    }
}
