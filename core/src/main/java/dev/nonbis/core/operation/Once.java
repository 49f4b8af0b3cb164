package dev.nonbis.core.operation;

import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.idempotency.Attempt;
import dev.nonbis.core.idempotency.Attempt.Settled;
import dev.nonbis.core.idempotency.Attempt.Transient;
import dev.nonbis.core.idempotency.Claim;
import dev.nonbis.core.idempotency.KeyRecord;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.idempotency.Outcome;
import dev.nonbis.core.idempotency.StoredKey;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Lets a request under a key take effect once. The key, the effect and the answer are one transaction, so a key is free or settled and
 * never anything between.
 */
final class Once {

    private static final int MAX_POINTERS = 50;

    private final Submission submission;
    private final Operation operation;
    private final Optional<Claim> claim;
    private final Instant now;
    // Whether the look at committed rows, just before the transaction, found no row under the key.
    private boolean absent;

    Once(Submission submission, Operation operation, Settings settings, Instant now) {
        this.submission = submission;
        this.operation = operation;
        this.claim = submission.claim(operation, settings, now);
        this.now = now;
    }

    /** The answer to a repeated request, from committed rows: repeats need no writer. */
    Optional<Outcome> repeated(Store store) {
        var found = submission.keyed().flatMap(keyed -> keyed.as().look().found());
        absent = claim.isPresent() && found.isEmpty();
        return found.filter(key -> key.isLive(now))
                .flatMap(key -> isSame(key)
                        ? Optional.of(replay(key))
                        : Admissions.find(store::find, tenant(), key.subject()).map(first -> mismatch(key, first)));
    }

    /** Runs the pipeline unless the key is settled, and records how it ended. */
    Outcome settle(Tx tx, Supplier<Attempt> pipeline) {
        var before = claim.flatMap(c -> key(tx, c));
        var settled = before.filter(key -> key.isLive(now));
        if (settled.isPresent()) {
            return repeat(tx, settled.get());
        }
        return switch (pipeline.get()) {
            case Settled(var subject, var answer) -> {
                claim.ifPresent(c -> {
                    var key = StoredKey.of(
                            c.scope(),
                            new KeyRecord(
                                    subject, c.expiresAt(), submission.requestId(), c.sent(), c.fingerprint(), answer));
                    if (before.isPresent()) {
                        tx.update(Tables.KEYS, c.scope(), key);
                    } else {
                        tx.insert(Tables.KEYS, c.scope(), key);
                    }
                });
                Admissions.keep(
                        tx, tenant(), subject, new Admission(submission.requestId(), now, submission.canonicalBody()));
                yield new Outcome.Fresh(subject, answer);
            }
            case Transient(var problem) -> {
                if (tx.hasWrites()) {
                    throw new IllegalStateException("a refused " + operation.word() + " request has written something");
                }
                // A refusal inserts nothing that could show a key settled meanwhile, so it has to ask.
                yield claim.filter(c -> absent)
                        .flatMap(c -> Keys.find(tx::find, c.scope()))
                        .filter(key -> key.isLive(now))
                        .map(key -> repeat(tx, key))
                        .orElseGet(() -> new Outcome.Refused(problem));
            }
        };
    }

    private Outcome repeat(Tx tx, KeyRecord key) {
        return isSame(key) ? replay(key) : mismatch(key, Admissions.get(tx::find, tenant(), key.subject()));
    }

    private Optional<KeyRecord> key(Tx tx, Claim wanted) {
        return Keys.find(absent ? tx::findUnlessAbsent : tx::find, wanted.scope());
    }

    private boolean isSame(KeyRecord key) {
        return claim.map(c -> c.fingerprint().equals(key.fingerprint())
                        || (!c.fingerprint().isOfVersion(key.fingerprint())
                                && key.fingerprint().isOf(submission.canonicalBody(), pathParams())))
                .orElse(false);
    }

    static Outcome replay(KeyRecord key) {
        return new Outcome.Replayed(key.subject(), key.answer(), key.requestId());
    }

    private Outcome mismatch(KeyRecord key, Admission first) {
        var path = pathParams();
        boolean pathDiffers = !path.isEmpty() && !key.fingerprint().isOf(first.body(), path);
        var pointers = Json.differences(Json.parse(first.body()), submission.body(), MAX_POINTERS);
        return new Outcome.Mismatched(key.subject(), pointers, pathDiffers ? List.copyOf(path.keySet()) : List.of());
    }

    private Map<String, String> pathParams() {
        return submission.keyed().orElseThrow().pathParams();
    }

    private TenantId tenant() {
        return submission.actor().tenant();
    }
}
