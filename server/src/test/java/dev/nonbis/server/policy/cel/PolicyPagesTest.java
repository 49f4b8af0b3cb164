package dev.nonbis.server.policy.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyPagesTest {

    private static final Pattern BLOCK = Pattern.compile("( *)```yaml\\n(.*?)\\n *```", Pattern.DOTALL);

    @ParameterizedTest
    @ValueSource(strings = {"docs/reference/policy.md", "docs/how-to/write-a-policy.md"})
    void every_policy_in_the_pages_can_be_used(String page) throws IOException {
        var reader = new PolicyReader();
        var policies = policies(Path.of("..").resolve(page));
        assertThat(policies).isNotEmpty();
        for (var policy : policies) {
            assertThat(reader.read(Path.of(page), policy.getBytes(StandardCharsets.UTF_8)))
                    .isInstanceOf(PolicyReader.Result.Accepted.class);
        }
    }

    private static List<String> policies(Path page) throws IOException {
        var found = new ArrayList<String>();
        var blocks = BLOCK.matcher(Files.readString(page));
        while (blocks.find()) {
            found.add(blocks.group(2));
        }
        return found;
    }
}
