package dev.nonbis.server.bus.nats;

import dev.nonbis.core.dispatch.Announcement;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Topic;
import dev.nonbis.json.Sha256;
import dev.nonbis.server.bus.nats.NatsSettings.Dedup;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * How tenants and topics are named on the broker. The tenant is the second word of a subject, so that the broker's own permissions can
 * keep one tenant's workers away from another's messages: topic {@code job.refund} of acme is {@code job.acme.refund}.
 */
final class Subjects {

    /** The stream of requests to workers, and what it takes in. */
    static final String JOBS = "NONBIS_JOBS";

    static final String ALL_JOBS = "job.>";

    /** The stream of what the plane tells others, and what it takes in. */
    static final String SYS = "NONBIS_SYS";

    static final String ALL_SYS = "sys.>";

    private static final String ROOT = "job.";

    private final Dedup dedup;

    Subjects(Dedup dedup) {
        this.dedup = dedup;
    }

    /** One queue: what a consumer of its own hands out. */
    record QueueName(TenantId tenant, String topic) {

        /** The consumer's name; tenants and topics hold no tilde. */
        String consumer() {
            return tenant + "~" + topic.replace('.', '~');
        }
    }

    static QueueName queue(Message message) {
        return new QueueName(message.tenant(), message.subject());
    }

    String subject(Message message) {
        String queue = plain(queue(message));
        return switch (dedup) {
            case WINDOW -> queue;
            case STREAM -> queue + "." + digest(name(message));
        };
    }

    /** Topic {@code job.refund} of acme is {@code sys.acme.result.refund}. */
    static String subject(Announcement result) {
        return "sys." + result.key().tenant() + ".result." + result.topic().substring(ROOT.length());
    }

    /** What the queue's consumer hands out. */
    String filter(QueueName queue) {
        return switch (dedup) {
            case WINDOW -> plain(queue);
            case STREAM -> plain(queue) + ".*";
        };
    }

    /** The name under which the broker recognises the message. One that an operator chose holds the subject, and so the tenant. */
    static String name(Message message) {
        String chosen = "jobreq:" + message.subject() + ":";
        String id = message.id().value();
        return id.startsWith(chosen) ? "jobreq:" + plain(queue(message)) + ":" + id.substring(chosen.length()) : id;
    }

    /** Whose queue a subject is; empty when no tenant has such a one. */
    Optional<QueueName> queueOf(String subject) {
        String queue = dedup == Dedup.STREAM ? subject.substring(0, Math.max(0, subject.lastIndexOf('.'))) : subject;
        String[] words = queue.split("\\.", 3);
        if (words.length < 3) {
            return Optional.empty();
        }
        String topic = ROOT + words[2];
        return Topic.complaint(topic).isPresent()
                ? Optional.empty()
                : TenantId.parse(words[1]).map(tenant -> new QueueName(tenant, topic));
    }

    private static String plain(QueueName queue) {
        return ROOT + queue.tenant() + "." + queue.topic().substring(ROOT.length());
    }

    private static String digest(String name) {
        return Sha256.hex(name.getBytes(StandardCharsets.UTF_8)).substring(0, 32);
    }
}
