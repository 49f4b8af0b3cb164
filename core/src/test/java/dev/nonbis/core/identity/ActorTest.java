package dev.nonbis.core.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ActorTest {

    private static final TenantId ACME = new TenantId("acme");

    @ParameterizedTest
    @EnumSource
    void an_admin_has_every_role(Role role) {
        assertThat(new Actor(ACME, "root", Set.of(Role.ADMIN)).has(role)).isTrue();
    }

    @Test
    void any_other_role_stands_for_itself_alone() {
        var worker = new Actor(ACME, "w", Set.of(Role.WORKER));

        assertThat(worker.has(Role.WORKER)).isTrue();
        assertThat(worker.has(Role.ADMIN)).isFalse();
        assertThat(worker.has(Role.SUBMITTER)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a\n", "\u0007", "ali\u202eec", "\u00e9", "system:expiry", "SYSTEM:x"})
    void a_subject_is_one_visible_word_and_not_the_servers_own(String name) {
        assertThat(Subject.isValid(name)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> new Actor(ACME, name, Set.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "alice@example.com", "auth0|5f7c", "systems", "system"})
    void a_subject_may_have_every_visible_ascii_character(String name) {
        assertThat(new Actor(ACME, name, Set.of()).subject()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", "_a", "Acme", "a b", "a/b", "é"})
    void a_tenant_id_has_no_other_characters(String text) {
        assertThat(TenantId.parse(text)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> new TenantId(text));
    }

    @Test
    void a_tenant_id_has_at_most_63_characters() {
        assertThat(TenantId.parse("a".repeat(63))).isPresent();
        assertThat(TenantId.parse("a".repeat(64))).isEmpty();
    }
}
