package dev.nonbis.server.cli;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/** What the steps of a drill expected and saw, as a table; every drill prints one. */
final class DrillSteps {

    private static final List<String> COLUMNS = List.of("at", "step", "expected", "saw", "");

    private final List<Step> steps = new ArrayList<>();

    /** One step. */
    record Step(String at, String what, String expected, String saw) {

        boolean isAsExpected() {
            return expected.equals(saw);
        }
    }

    void add(Step step) {
        steps.add(step);
    }

    /** Prints all steps; an error when one was not as expected. */
    ExitCode print(Terminal terminal, boolean json) {
        if (json) {
            terminal.out().println(asJson());
        } else {
            var rows = new ArrayList<List<String>>();
            rows.add(COLUMNS);
            for (var step : steps) {
                rows.add(List.of(
                        step.at(), step.what(), step.expected(), step.saw(), step.isAsExpected() ? "ok" : "NOT OK"));
            }
            Report.rows(terminal, rows);
        }
        return steps.stream().allMatch(Step::isAsExpected) ? ExitCode.DONE : ExitCode.ERROR;
    }

    private ArrayNode asJson() {
        var all = Inputs.EXACT.createArrayNode();
        for (var step : steps) {
            all.addObject()
                    .put("at", step.at())
                    .put("step", step.what())
                    .put("expected", step.expected())
                    .put("saw", step.saw())
                    .put("ok", step.isAsExpected());
        }
        return all;
    }
}
