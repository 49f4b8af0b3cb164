package dev.nonbis.client.worker;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/** How the work of a task ended. */
public record Outcome(Status status, Optional<JsonNode> output, Optional<JsonNode> error) {

    /** The three ways to end. */
    public enum Status {
        SUCCEEDED,
        /** For good: the job fails. */
        FAILED,
        /** Not now: the job is tried again later, while it has attempts left. */
        RETRYABLE
    }

    public static Outcome succeeded() {
        return new Outcome(Status.SUCCEEDED, Optional.empty(), Optional.empty());
    }

    /** With an output that the job shows and that later steps of a run can use. */
    public static Outcome succeeded(JsonNode output) {
        return new Outcome(Status.SUCCEEDED, Optional.of(output), Optional.empty());
    }

    public static Outcome failed(String why) {
        return new Outcome(Status.FAILED, Optional.empty(), Optional.of(StringNode.valueOf(why)));
    }

    public static Outcome retryable(String why) {
        return new Outcome(Status.RETRYABLE, Optional.empty(), Optional.of(StringNode.valueOf(why)));
    }
}
