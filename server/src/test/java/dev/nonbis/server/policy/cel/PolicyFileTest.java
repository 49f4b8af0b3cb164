package dev.nonbis.server.policy.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyFileTest {

    private static final String ALLOW = "jobs: {default: allow}\n";
    private static final String DENY = "jobs: {default: deny}\n";
    private static final String BAD = "jobs:\n  default: maybe\n";
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");

    @TempDir
    Path directory;

    private Instant now = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void a_good_change_is_taken_and_a_bad_one_leaves_the_old_in_force() throws IOException {
        var path = write("policy.yaml", ALLOW);
        var file = open(path);
        var first = file.status();
        assertThat(first.refused()).isEmpty();
        assertThat(file.reloadIfChanged()).isEqualTo(new PolicyFile.Reload.Unchanged());

        write("policy.yaml", BAD);
        now = now.plusSeconds(10);
        assertThat(file.reloadIfChanged())
                .isInstanceOfSatisfying(
                        PolicyFile.Reload.Refused.class,
                        refused -> assertThat(refused.complaints().getFirst().line())
                                .isEqualTo(2));
        assertThat(verdict(file, ACME)).isInstanceOf(Verdict.Allow.class);
        assertThat(file.status().hash()).isEqualTo(first.hash());
        assertThat(file.status().since()).isEqualTo(first.since());
        assertThat(file.status().refused().orElseThrow().at()).isEqualTo(now);
        assertThat(file.reloadIfChanged()).isEqualTo(new PolicyFile.Reload.Unchanged());
        assertThat(file.status().refused()).isPresent();

        write("policy.yaml", DENY);
        assertThat(file.reloadIfChanged()).isInstanceOf(PolicyFile.Reload.Taken.class);
        assertThat(verdict(file, ACME)).isInstanceOf(Verdict.Deny.class);
        assertThat(file.status().since()).isEqualTo(now);
        assertThat(file.status().refused()).isEmpty();
        assertThat(file.status().hash()).isNotEqualTo(first.hash());
    }

    @Test
    void a_change_that_is_taken_back_was_never_in_force() throws IOException {
        var path = write("policy.yaml", ALLOW);
        var file = open(path);
        var first = file.status();
        write("policy.yaml", BAD);
        file.reloadIfChanged();
        write("policy.yaml", ALLOW);
        now = now.plusSeconds(10);
        assertThat(file.reloadIfChanged()).isEqualTo(new PolicyFile.Reload.Taken(first.hash()));
        assertThat(file.status()).isEqualTo(first);
    }

    @Test
    void a_file_that_vanishes_or_is_emptied_leaves_the_old_in_force() throws IOException {
        var path = write("policy.yaml", DENY);
        var file = open(path);
        write("policy.yaml", "");
        assertThat(file.reloadIfChanged()).isInstanceOf(PolicyFile.Reload.Refused.class);
        Files.delete(path);
        assertThat(file.reloadIfChanged()).isInstanceOf(PolicyFile.Reload.Refused.class);
        assertThat(file.reloadIfChanged()).isEqualTo(new PolicyFile.Reload.Unchanged());
        assertThat(verdict(file, ACME)).isInstanceOf(Verdict.Deny.class);
        write("policy.yaml", ALLOW);
        assertThat(file.reloadIfChanged()).isInstanceOf(PolicyFile.Reload.Taken.class);
    }

    @Test
    void a_directory_has_a_policy_for_each_tenant() throws IOException {
        write("acme.yaml", DENY);
        write("default.yaml", ALLOW);
        write("README.md", "not a policy");
        write(".hidden.yaml", BAD);
        var file = open(directory);
        assertThat(verdict(file, ACME)).isInstanceOf(Verdict.Deny.class);
        assertThat(verdict(file, OTHER)).isInstanceOf(Verdict.Allow.class);

        Files.delete(directory.resolve("default.yaml"));
        assertThat(file.reloadIfChanged()).isInstanceOf(PolicyFile.Reload.Taken.class);
        assertThat(verdict(file, OTHER)).isEqualTo(new Verdict.Deny(Optional.empty(), "policy.missing"));

        write("other.yaml", BAD);
        assertThat(file.reloadIfChanged()).isInstanceOf(PolicyFile.Reload.Refused.class);
        write("other.yaml", ALLOW);
        assertThat(file.reloadIfChanged()).isInstanceOf(PolicyFile.Reload.Taken.class);
        assertThat(verdict(file, OTHER)).isInstanceOf(Verdict.Allow.class);
    }

    @Test
    void what_cannot_be_used_is_refused_at_the_start() throws IOException {
        assertThat(PolicyFile.open(directory.resolve("nope.yaml"), () -> now))
                .isInstanceOf(PolicyFile.Opening.Refused.class);
        assertThat(PolicyFile.open(directory, () -> now)).isInstanceOf(PolicyFile.Opening.Refused.class);
        write("Acme.yaml", ALLOW);
        write("other.yml", ALLOW);
        assertThat(PolicyFile.open(directory, () -> now))
                .isInstanceOfSatisfying(
                        PolicyFile.Opening.Refused.class,
                        refused -> assertThat(refused.complaints()).hasSize(2));
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    private PolicyFile open(Path path) {
        return switch (PolicyFile.open(path, () -> now)) {
            case PolicyFile.Opening.Opened(var file) -> file;
            case PolicyFile.Opening.Refused(var complaints) -> throw new AssertionError(complaints.toString());
        };
    }

    private static Verdict verdict(PolicyFile file, TenantId tenant) {
        return file.job(tenant, JsonObject.builder().put("topic", "job.x").build())
                .verdict();
    }
}
