package dev.nonbis.server.http.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.TenantId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SharesTest {

    private static final Optional<TenantId> ACME = Optional.of(new TenantId("acme"));
    private static final Optional<TenantId> GLOBEX = Optional.of(new TenantId("globex"));
    private static final Optional<TenantId> UNKNOWN = Optional.empty();

    private final Shares shares = new Shares(64);

    private int fill(Optional<TenantId> owner, boolean urgent) {
        int taken = 0;
        while (shares.take(owner, 1, urgent)) {
            taken++;
        }
        return taken;
    }

    @Test
    void one_alone_gets_half_and_another_finds_room_beside_it() {
        assertThat(fill(ACME, false)).isEqualTo(28);
        assertThat(fill(GLOBEX, false)).isEqualTo(14);
    }

    @Test
    void a_part_is_kept_for_what_must_not_wait() {
        fill(ACME, false);
        assertThat(fill(ACME, true)).isEqualTo(4);
    }

    @Test
    void callers_that_nobody_knows_have_a_small_share() {
        assertThat(fill(UNKNOWN, false)).isEqualTo(4);
        assertThat(fill(ACME, false)).isPositive();
    }

    @Test
    void what_is_given_back_can_be_taken_again() {
        int taken = fill(ACME, false);
        shares.giveBack(ACME, taken);
        assertThat(fill(ACME, false)).isEqualTo(taken);
    }
}
