package dev.nonbis.server.http.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.TenantId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InboxesTest {

    private static final Optional<TenantId> ACME = Optional.of(new TenantId("acme"));
    private static final List<String> DEFAULTS = List.of("_INBOX", "_INBOX_{tenant}");

    private final Inboxes inboxes = new Inboxes(DEFAULTS, "_INBOX");

    @ParameterizedTest
    @ValueSource(strings = {"_INBOX.abc", "_INBOX.abc.1", "_INBOX_acme.abc", "_INBOX_acme.a.b.c"})
    void an_answer_goes_to_an_inbox_of_all_or_of_the_caller(String subject) {
        assertThat(inboxes.allow(subject, ACME)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "_INBOX",
                "_INBOX.",
                "_INBOX.a..b",
                "_INBOX.*",
                "_INBOX.>",
                "_INBOXES.a",
                "_INBOX_.a",
                "_INBOX_globex.a",
                "_INBOX_acme",
                "x._INBOX.a",
                "job.acme.default",
                "$JS.API.STREAM.PURGE.NONBIS_JOBS"
            })
    void and_nowhere_else(String subject) {
        assertThat(inboxes.allow(subject, ACME)).isFalse();
    }

    @Test
    void a_caller_that_nobody_knows_is_not_answered_in_a_tenants_inbox() {
        assertThat(inboxes.allow("_INBOX_acme.a", Optional.empty())).isFalse();
        assertThat(inboxes.allow("_INBOX.a", Optional.empty())).isTrue();
    }

    @Test
    void the_servers_own_inboxes_are_no_place_for_answers() {
        var apart = new Inboxes(DEFAULTS, "_INBOX_acme");

        assertThat(apart.allow("_INBOX_acme.a", ACME)).isFalse();
        assertThat(apart.allow("_INBOX.a", ACME)).isTrue();
    }
}
