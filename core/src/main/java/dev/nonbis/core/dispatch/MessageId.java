package dev.nonbis.core.dispatch;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.job.Job;
import java.util.Optional;

/**
 * The name under which a bus tells a message from its repetitions. It follows from the operation alone: a second publish of one
 * execution has the same name, and a second execution has another.
 */
public record MessageId(String value) {

    /** A job's label that takes the place of its id in the name. */
    public static final String OVERRIDE = "nonbis.bus_msg_id";

    /** The request to do the execution of the job that is under way or next. */
    public static MessageId request(Job job) {
        return request(
                job.id(),
                job.spec().topic(),
                Optional.ofNullable(job.spec().labels().get(OVERRIDE)),
                job.progress().execution());
    }

    /** The request to do this execution of a job that has no label in its place, which is known without looking at the job. */
    public static MessageId request(JobId job, int execution) {
        return request(job, "", Optional.empty(), execution);
    }

    static MessageId request(JobId job, String subject, Optional<String> override, int execution) {
        String name = override.map(word -> "jobreq:" + subject + ":" + word).orElse("jobreq:" + job);
        return new MessageId(execution > 1 ? name + ":" + execution : name);
    }

    public static MessageId result(JobId job, int execution) {
        return new MessageId("jobres:" + job + ":" + execution);
    }

    @Override
    public String toString() {
        return value;
    }
}
