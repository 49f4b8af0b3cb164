package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.job.JobEvent;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.job.Transitions;
import dev.nonbis.core.run.RunState;
import dev.nonbis.core.run.StepState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StatesPageTest {

    private final ReferencePage page = ReferencePage.named("states.md");

    @Test
    void the_page_has_every_state_of_a_job_and_says_which_are_final() {
        assertThat(rowsUnder("| state | final | meaning |"))
                .containsExactlyElementsOf(Arrays.stream(JobState.values())
                        .map(state -> "| `" + state + "` | " + yesOrNo(state.isTerminal()))
                        .toList());
    }

    @Test
    void the_page_has_every_transition_and_no_other() {
        var expected = new ArrayList<String>();
        for (var state : JobState.values()) {
            for (var event : JobEvent.values()) {
                Transitions.next(state, event)
                        .ifPresent(next -> expected.add("| `" + state + "` | `" + event + "` | `" + next + "` |"));
            }
        }

        assertThat(page.text().lines().filter(line -> line.matches("\\| `\\w+` \\| `\\w+` \\| `\\w+` \\|")))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void the_page_has_every_state_of_a_run_and_says_which_are_active() {
        assertThat(rowsUnder("| state | active | meaning |"))
                .containsExactlyElementsOf(Arrays.stream(RunState.values())
                        .map(state -> "| `" + state + "` | " + yesOrNo(state.isActive()))
                        .toList());
    }

    @Test
    void the_page_has_every_state_of_a_step() {
        assertThat(page.text().substring(page.text().indexOf("## Steps")).lines())
                .filteredOn(line -> line.matches("\\| `[A-Z]+` \\|.*"))
                .extracting(line -> line.substring(3, line.indexOf('`', 3)))
                .containsExactlyElementsOf(
                        Arrays.stream(StepState.values()).map(StepState::name).toList());
    }

    /** The rows of the table with this head, each without its last column. */
    private List<String> rowsUnder(String head) {
        return page.text()
                .substring(page.text().indexOf(head))
                .lines()
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.substring(0, line.lastIndexOf(" | ")))
                .toList();
    }

    private static String yesOrNo(boolean value) {
        return value ? "yes" : "no";
    }
}
