package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.Role;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.server.http.Access;
import dev.nonbis.server.http.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages that people read say what the code says. */
class ReferenceTest {

    private static final Path REFERENCE = Path.of("..", "docs", "reference");

    /** With {@code -Dnonbis.docs.write=true} the table is written anew instead of compared. */
    @Test
    void the_table_of_problems_is_the_list_of_codes() throws IOException {
        var page = REFERENCE.resolve("problems.md");
        var lines = Files.readAllLines(page);
        int first = lines.indexOf("| Code | Status | Retry | Meaning | What to do |") + 2;
        var expected =
                Arrays.stream(ProblemCode.values()).map(ReferenceTest::row).toList();
        if (Boolean.getBoolean("nonbis.docs.write")) {
            Files.write(
                    page,
                    Stream.concat(lines.stream().limit(first), expected.stream())
                            .toList());
            return;
        }

        assertThat(lines.subList(first, lines.size())).containsExactlyElementsOf(expected);
    }

    private static String row(ProblemCode code) {
        return "| `%s` | %d | `%s` | %s | %s |"
                .formatted(code.word(), code.status(), code.retry().word(), code.title(), code.advice());
    }

    @Test
    void every_route_has_a_section_that_names_its_roles() throws IOException {
        var page = Files.readString(REFERENCE.resolve("http-api.md"));
        var sections = Pattern.compile("^### (\\w+ /\\S*)\n(.*?)(?=^##|\\z)", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(page)
                .results()
                .collect(Collectors.toMap(section -> section.group(1), ReferenceTest::rolesNamed));

        assertThat(sections)
                .containsExactlyInAnyOrderEntriesOf(new TestPlane()
                        .routes().stream()
                                .collect(Collectors.toMap(
                                        route -> route.method() + " " + route.pattern(), ReferenceTest::roles)));
    }

    private static String rolesNamed(MatchResult section) {
        var roles = Pattern.compile("Roles: ([^.]+)\\.").matcher(section.group(2));
        return roles.find() ? roles.group(1) : "not said";
    }

    private static String roles(Route route) {
        return switch (route.access()) {
            case Access.Open() -> "none needed";
            case Access.AnyOf(var roles, var unknown) when roles.equals(Set.of(Role.values())) -> "anyone known";
            case Access.AnyOf(var roles, var unknown) ->
                roles.stream().map(role -> "`" + role.word() + "`").sorted().collect(Collectors.joining(", "));
        };
    }

    @Test
    void every_code_that_the_page_names_exists() throws IOException {
        var known = Arrays.stream(ProblemCode.values()).map(ProblemCode::word).toList();
        var named = Files.readAllLines(REFERENCE.resolve("http-api.md")).stream()
                .filter(line -> line.matches("- [45]\\d\\d `.*"))
                .map(line -> line.replaceFirst("^- \\d+ `([^`]*)`.*", "$1"))
                .filter(word -> !word.startsWith("{"))
                .toList();

        assertThat(named).isNotEmpty();
        assertThat(known).containsAll(named);
    }
}
