package dev.nonbis.core.run;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A valid definition: steps whose needs form no cycle. */
public record Workflow(List<Step> steps) {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");

    public Workflow {
        steps = List.copyOf(steps);
    }

    /** Whether the text can name a workflow or a step. */
    public static boolean isValidId(String text) {
        return ID.matcher(text).matches();
    }

    public Step step(String id) {
        return steps.stream()
                .filter(step -> step.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no step " + id));
    }

    /** Every expression of its steps. */
    public Stream<String> expressions() {
        return steps.stream().flatMap(step -> Stream.concat(step.when().stream(), Template.expressions(step.input())));
    }

    /** One step: a job that starts when what it needs is done. */
    public record Step(
            String id,
            String topic,
            List<String> needs,
            Optional<String> when,
            JsonObject input,
            boolean approval,
            Optional<Integer> maxAttempts) {

        public Step {
            needs = List.copyOf(needs);
        }
    }

    /** Where a workflow is found. */
    public record Key(TenantId tenant, String id) {}

    /** Where one version of it is found. */
    public record VersionKey(TenantId tenant, String id, int version) {}

    /** The newest version of a workflow. */
    public record Latest(String id, int version, String hash) {}

    /** One version as it was put. */
    public record Version(String id, int version, JsonObject definition) {}
}
