package dev.nonbis.core.run;

import dev.nonbis.core.job.Topic;
import dev.nonbis.core.run.Workflow.Step;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonBool;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Turns a definition into a workflow, or says what is wrong with it and where. */
public final class WorkflowParser {

    private static final int MAX_STEPS = 200;
    private static final Set<String> STEP_MEMBERS =
            Set.of("id", "topic", "needs", "when", "input", "approval", "max_attempts");

    private final Expressions expressions;

    public WorkflowParser(Expressions expressions) {
        this.expressions = expressions;
    }

    /** A workflow, or the first thing that is wrong. */
    public sealed interface Result {

        record Valid(Workflow workflow) implements Result {}

        record Invalid(String pointer, String why) implements Result {}
    }

    public Result parse(JsonObject definition) {
        try {
            return new Result.Valid(workflow(definition));
        } catch (Wrong wrong) {
            return new Result.Invalid(wrong.pointer, wrong.why);
        }
    }

    private Workflow workflow(JsonObject definition) {
        for (String name : definition.members().keySet()) {
            require(name.equals("steps"), "/" + escape(name), "is not a member of a workflow");
        }
        var items = definition
                .array("steps")
                .orElseThrow(() -> new Wrong("/steps", "must be an array"))
                .items();
        require(!items.isEmpty(), "/steps", "must have at least one step");
        require(items.size() <= MAX_STEPS, "/steps", "must have at most " + MAX_STEPS + " steps");
        var steps = new ArrayList<Step>();
        var ids = new HashSet<String>();
        for (int i = 0; i < items.size(); i++) {
            String at = "/steps/" + i;
            var step = step(items.get(i), at);
            require(ids.add(step.id()), at + "/id", "names a second step of this id");
            steps.add(step);
        }
        checkNeeds(steps, ids);
        return new Workflow(steps);
    }

    private Step step(JsonValue value, String at) {
        if (!(value instanceof JsonObject step)) {
            throw new Wrong(at, "must be an object");
        }
        for (String name : step.members().keySet()) {
            require(STEP_MEMBERS.contains(name), at + "/" + escape(name), "is not a member of a step");
        }
        String id = step.string("id").orElseThrow(() -> new Wrong(at + "/id", "must be a string"));
        require(
                Workflow.isValidId(id),
                at + "/id",
                "must be 1 to 63 of letters, digits, _ and -, and start with a letter or digit");
        String topic = step.string("topic").orElseThrow(() -> new Wrong(at + "/topic", "must be a string"));
        Topic.complaint(topic).ifPresent(why -> {
            throw new Wrong(at + "/topic", why);
        });
        return new Step(
                id, topic, needs(step, at), when(step, at), input(step, at), approval(step, at), maxAttempts(step, at));
    }

    private static List<String> needs(JsonObject step, String at) {
        var needs = new ArrayList<String>();
        if (!step.has("needs")) {
            return needs;
        }
        var items = step.array("needs")
                .orElseThrow(() -> new Wrong(at + "/needs", "must be an array"))
                .items();
        for (int i = 0; i < items.size(); i++) {
            if (!(items.get(i) instanceof JsonString need)) {
                throw new Wrong(at + "/needs/" + i, "must be a string");
            }
            require(!needs.contains(need.value()), at + "/needs/" + i, "is named twice");
            needs.add(need.value());
        }
        return needs;
    }

    private Optional<String> when(JsonObject step, String at) {
        if (!step.has("when")) {
            return Optional.empty();
        }
        String text = step.string("when").orElseThrow(() -> new Wrong(at + "/when", "must be a string"));
        String expression = Template.expression(text).orElse(text);
        refuse(expressions.conditionComplaint(expression), at + "/when");
        return Optional.of(expression);
    }

    private JsonObject input(JsonObject step, String at) {
        if (!step.has("input")) {
            return JsonObject.EMPTY;
        }
        var input = step.object("input").orElseThrow(() -> new Wrong(at + "/input", "must be an object"));
        checkTemplates(input, at + "/input");
        return input;
    }

    private void checkTemplates(JsonValue value, String at) {
        switch (value) {
            case JsonObject object ->
                object.members().forEach((name, member) -> checkTemplates(member, at + "/" + escape(name)));
            case JsonArray array -> {
                for (int i = 0; i < array.items().size(); i++) {
                    checkTemplates(array.items().get(i), at + "/" + i);
                }
            }
            case JsonString text ->
                Template.expression(text.value()).ifPresent(expression -> checkExpression(expression, at));
            case JsonValue.JsonNumber number -> {}
            case JsonBool bool -> {}
            case JsonValue.JsonNull none -> {}
        }
    }

    private void checkExpression(String expression, String at) {
        refuse(expressions.complaint(expression), at);
    }

    private static void refuse(Optional<String> complaint, String at) {
        complaint.ifPresent(why -> {
            throw new Wrong(at, why);
        });
    }

    private static boolean approval(JsonObject step, String at) {
        if (!step.has("approval")) {
            return false;
        }
        return step.bool("approval").orElseThrow(() -> new Wrong(at + "/approval", "must be true or false"));
    }

    private static Optional<Integer> maxAttempts(JsonObject step, String at) {
        if (!step.has("max_attempts")) {
            return Optional.empty();
        }
        return Optional.of(step.integer("max_attempts")
                .filter(n -> n >= 1 && n <= 1000)
                .map(Long::intValue)
                .orElseThrow(() -> new Wrong(at + "/max_attempts", "must be a whole number from 1 to 1000")));
    }

    private static void checkNeeds(List<Step> steps, Set<String> ids) {
        var remaining = new HashMap<String, Set<String>>();
        for (int i = 0; i < steps.size(); i++) {
            var needs = steps.get(i).needs();
            for (int n = 0; n < needs.size(); n++) {
                require(ids.contains(needs.get(n)), "/steps/" + i + "/needs/" + n, "names no step of this workflow");
            }
            remaining.put(steps.get(i).id(), new HashSet<>(needs));
        }
        removeReady(remaining);
        for (int i = 0; i < steps.size(); i++) {
            require(
                    !remaining.containsKey(steps.get(i).id()),
                    "/steps/" + i + "/needs",
                    "is part of a cycle, or waits for one");
        }
    }

    // Takes out, again and again, what waits for nothing; what stays waits for itself.
    private static void removeReady(Map<String, Set<String>> remaining) {
        boolean changed = true;
        while (changed) {
            var ready = remaining.entrySet().stream()
                    .filter(entry -> entry.getValue().isEmpty())
                    .map(Map.Entry::getKey)
                    .toList();
            ready.forEach(remaining::remove);
            remaining.values().forEach(needs -> needs.removeAll(Set.copyOf(ready)));
            changed = !ready.isEmpty();
        }
    }

    private static void require(boolean holds, String pointer, String why) {
        if (!holds) {
            throw new Wrong(pointer, why);
        }
    }

    private static String escape(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }

    /** Ends the reading at the first mistake; never leaves this class. */
    private static final class Wrong extends RuntimeException {

        private static final long serialVersionUID = 1L;

        final String pointer;
        final String why;

        Wrong(String pointer, String why) {
            super(why, null, false, false);
            this.pointer = pointer;
            this.why = why;
        }
    }
}
