package dev.nonbis.server.policy.cel;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.policy.BudgetCap;
import dev.nonbis.core.policy.Explanation;
import dev.nonbis.core.policy.PaymentFacts;
import dev.nonbis.core.policy.PaymentRuling;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.json.JsonObject;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** The policy in force, read again when what is written changes. What is bad is refused as a whole, and the last good one stays. */
public final class PolicyFile implements Policy {

    private static final Logger LOG = System.getLogger(PolicyFile.class.getName());
    private static final String UNREADABLE = "unreadable";

    private final PolicySource source;
    private final InstantSource clock;
    private final ReentrantLock reloading = new ReentrantLock();
    private volatile InForce inForce;
    private String lastSeen;

    private PolicyFile(PolicySource source, InstantSource clock, InForce inForce, String lastSeen) {
        this.source = source;
        this.clock = clock;
        this.inForce = inForce;
        this.lastSeen = lastSeen;
    }

    private record InForce(CelPolicy policy, Status status) {}

    /**
     * What is in force.
     *
     * @param hash the policy's hash; with one file for each tenant, the hash over all of theirs
     * @param since when it was taken
     * @param refused what is written now and cannot be taken; empty when what is written is in force
     */
    public record Status(String hash, Instant since, Optional<Refusal> refused) {}

    /** Something written that was not taken, with every reason. */
    public record Refusal(Instant at, List<Complaint> complaints) {
        public Refusal {
            complaints = List.copyOf(complaints);
        }
    }

    /** What became of a look at the file. */
    public sealed interface Reload {

        record Unchanged() implements Reload {}

        record Taken(String hash) implements Reload {}

        record Refused(List<Complaint> complaints) implements Reload {}
    }

    /** An open policy file, or why it cannot be used. */
    public sealed interface Opening {

        record Opened(PolicyFile file) implements Opening {}

        record Refused(List<Complaint> complaints) implements Opening {}
    }

    /** Reads a file for all tenants, or a directory with one for each. */
    public static Opening open(Path path, InstantSource clock) {
        var source = new PolicySource(path);
        try {
            var content = source.content();
            return switch (source.load(content)) {
                case PolicySource.Loaded.Accepted(var policy, var hash) -> {
                    var first = new InForce(policy, new Status(hash, clock.instant(), Optional.empty()));
                    yield new Opening.Opened(new PolicyFile(source, clock, first, content.digest()));
                }
                case PolicySource.Loaded.Refused(var complaints) -> new Opening.Refused(complaints);
            };
        } catch (IOException e) {
            return new Opening.Refused(List.of(source.unreadable()));
        }
    }

    @Override
    public boolean mayTakeLong(TenantId tenant) {
        return inForce.policy().mayTakeLong(tenant);
    }

    @Override
    public Ruling job(TenantId tenant, JsonObject job) {
        return inForce.policy().job(tenant, job);
    }

    @Override
    public Explanation explainJob(TenantId tenant, JsonObject job) {
        return inForce.policy().explainJob(tenant, job);
    }

    @Override
    public PaymentRuling payment(TenantId tenant, PaymentFacts payment) {
        return inForce.policy().payment(tenant, payment);
    }

    @Override
    public Explanation explainPayment(TenantId tenant, PaymentFacts payment) {
        return inForce.policy().explainPayment(tenant, payment);
    }

    @Override
    public boolean knowsAgent(TenantId tenant, String id) {
        return inForce.policy().knowsAgent(tenant, id);
    }

    @Override
    public List<BudgetCap> caps(TenantId tenant, String agent) {
        return inForce.policy().caps(tenant, agent);
    }

    /** What is in force, to look into. It does not change when something else comes into force. */
    public CelPolicy policy() {
        return inForce.policy();
    }

    public Status status() {
        return inForce.status();
    }

    /** Takes what is written now if it has changed since the last look and is good. */
    public Reload reloadIfChanged() {
        reloading.lock();
        try {
            var content = source.content();
            String digest = content.digest();
            if (digest.equals(lastSeen)) {
                return new Reload.Unchanged();
            }
            lastSeen = digest;
            return switch (source.load(content)) {
                case PolicySource.Loaded.Accepted(var policy, var hash) -> take(policy, hash);
                case PolicySource.Loaded.Refused(var complaints) -> refuse(complaints);
            };
        } catch (IOException e) {
            if (lastSeen.equals(UNREADABLE)) {
                return new Reload.Unchanged();
            }
            lastSeen = UNREADABLE;
            return refuse(List.of(source.unreadable()));
        } finally {
            reloading.unlock();
        }
    }

    private Reload take(CelPolicy policy, String hash) {
        var before = inForce.status();
        // The same policy in other words, or back again after a refused one: it has been in force all the time.
        var since = hash.equals(before.hash()) ? before.since() : clock.instant();
        inForce = new InForce(policy, new Status(hash, since, Optional.empty()));
        LOG.log(Level.INFO, "policy {0} is in force", hash);
        return new Reload.Taken(hash);
    }

    private Reload refuse(List<Complaint> complaints) {
        var before = inForce;
        var refusal = new Refusal(clock.instant(), complaints);
        inForce = new InForce(
                before.policy(),
                new Status(before.status().hash(), before.status().since(), Optional.of(refusal)));
        LOG.log(
                Level.WARNING,
                "the changed policy is refused and {0} stays in force:\n{1}",
                before.status().hash(),
                String.join("\n", complaints.stream().map(Complaint::toString).toList()));
        return new Reload.Refused(complaints);
    }
}
