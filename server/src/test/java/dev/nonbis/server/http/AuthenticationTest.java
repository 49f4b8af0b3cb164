package dev.nonbis.server.http;

import static dev.nonbis.server.http.Requests.get;
import static dev.nonbis.server.http.Requests.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.json.Sha256;
import dev.nonbis.server.http.Authenticator.Invalid;
import dev.nonbis.server.http.Authenticator.Known;
import dev.nonbis.server.http.Authenticator.Missing;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AuthenticationTest {

    private static final Actor ALICE = new Actor(new TenantId("acme"), "alice", Set.of(Role.SUBMITTER));
    private static final Request REQUEST = get("/x");

    private static ApiKeys.Key key(String token, Actor holder) {
        return new ApiKeys.Key(Sha256.hex(token.getBytes(StandardCharsets.UTF_8)), holder);
    }

    private final Authenticator authenticator =
            new TokenAuthenticator(List.of(new ApiKeys(List.of(key("secret", ALICE)))));

    @ParameterizedTest
    @ValueSource(strings = {"Bearer secret", "bearer secret", "BEARER  secret"})
    void a_key_may_be_a_bearer_token(String header) {
        assertThat(authenticator.authenticate(with(REQUEST, "authorization", header)))
                .isEqualTo(new Known(ALICE));
    }

    @Test
    void a_key_may_have_its_own_header() {
        assertThat(authenticator.authenticate(with(REQUEST, "x-api-key", "secret")))
                .isEqualTo(new Known(ALICE));
    }

    @Test
    void the_same_key_may_be_sent_both_ways_and_two_keys_may_not() {
        var bearer = with(REQUEST, "authorization", "Bearer secret");

        assertThat(authenticator.authenticate(with(bearer, "x-api-key", "secret")))
                .isEqualTo(new Known(ALICE));
        assertThat(authenticator.authenticate(with(bearer, "x-api-key", "other")))
                .isEqualTo(new Invalid());
        assertThat(authenticator.authenticate(with(REQUEST, "x-api-key", "secret", "secret")))
                .isEqualTo(new Invalid());
    }

    @Test
    void no_credential_is_not_a_wrong_one() {
        assertThat(authenticator.authenticate(REQUEST)).isEqualTo(new Missing());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer", "Bearer ", "Basic secret", "secret", "Bearer Secret", "Bearer secret x"})
    void anything_else_is_invalid(String header) {
        assertThat(authenticator.authenticate(with(REQUEST, "authorization", header)))
                .isEqualTo(new Invalid());
    }

    @Test
    void a_key_is_listed_once_and_by_its_digest() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ApiKeys(List.of(key("a", ALICE), key("a", ALICE))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ApiKeys.Key("secret", ALICE))
                .withMessageNotContaining("secret");
    }
}
