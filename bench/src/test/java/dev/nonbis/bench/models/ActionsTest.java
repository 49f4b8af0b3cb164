package dev.nonbis.bench.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A model is of something: each action says of which method it is, or that it is no code of ours. */
class ActionsTest {

    private static final Path MODELS = Path.of("src/test/tla");
    private static final List<String> PACKAGES =
            List.of("dev.nonbis.core.operation.", "dev.nonbis.core.approval.", "dev.nonbis.core.reconcile.");
    private static final Pattern NEXT = Pattern.compile("(?ms)^Next ==\n(.*?)\n\n");
    private static final Pattern ACTION = Pattern.compile("\\b([A-Z][A-Za-z]+)(?:\\([a-z, ]+\\)| |$)");
    private static final Pattern KIND = Pattern.compile("\\\\\\* (Code|Environment|Given up): (.*)");
    private static final Pattern NAMED = Pattern.compile("\\b([A-Z][A-Za-z]+)\\.([a-z][A-Za-z]+)\\b");

    @ParameterizedTest
    @ValueSource(strings = {"Admission", "Approval", "Dispatch"})
    void every_action_names_the_methods_that_it_models_or_says_that_it_is_none_of_ours(String module)
            throws IOException {
        var text = Files.readString(MODELS.resolve(module + ".tla"));
        var actions = actions(text);

        assertThat(actions).hasSizeGreaterThan(5);
        for (var action : actions) {
            var above = Pattern.compile("(?m)^(\\\\\\*.*)\n" + action + "(?:\\([a-z, ]+\\))? ==")
                    .matcher(text);
            assertThat(above.find()).as(action + " has a comment above it").isTrue();
            var kind = KIND.matcher(above.group(1));
            assertThat(kind.matches()).as(action + ": " + above.group(1)).isTrue();
            if (kind.group(1).equals("Code")) {
                assertThat(named(kind.group(2))).as(action + " names a method").isPositive();
            }
        }
    }

    @Test
    void every_method_that_a_model_speaks_of_exists() throws IOException {
        try (var files = Files.list(MODELS)) {
            for (var file :
                    files.filter(path -> path.toString().endsWith(".tla")).toList()) {
                assertThat(named(Files.readString(file))).as(file.toString()).isPositive();
            }
        }
    }

    private static Set<String> actions(String text) {
        var next = NEXT.matcher(text);
        assertThat(next.find()).isTrue();
        var names = new TreeSet<String>();
        var found = ACTION.matcher(next.group(1).replaceAll("\\\\in [A-Za-z]+", ""));
        while (found.find()) {
            names.add(found.group(1));
        }
        return names;
    }

    /** How many methods the text names; each must be there. */
    private static int named(String text) {
        int many = 0;
        var found = NAMED.matcher(text);
        while (found.find()) {
            var methods =
                    Arrays.stream(type(found.group(1)).getDeclaredMethods()).map(Method::getName);
            assertThat(methods).as(found.group()).contains(found.group(2));
            many++;
        }
        return many;
    }

    private static Class<?> type(String name) {
        for (var place : PACKAGES) {
            try {
                return Class.forName(place + name);
            } catch (ClassNotFoundException elsewhere) {
                // It may be in the next package.
            }
        }
        throw new AssertionError("a model names a class that is nowhere: " + name);
    }
}
