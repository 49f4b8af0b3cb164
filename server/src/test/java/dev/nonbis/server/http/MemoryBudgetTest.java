package dev.nonbis.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.identity.TenantId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {

    private static final long MIB = 1 << 20;

    private final MemoryBudget budget = new MemoryBudget(64 * MIB);

    private MemoryBudget.Account of(String tenant) {
        var account = budget.open();
        account.belongsTo(new TenantId(tenant));
        return account;
    }

    private static long take(MemoryBudget.Account account) {
        try {
            while (account.held() < 64 * MIB) {
                account.charge(MIB);
            }
        } catch (Refusal full) {
            assertThat(full.problem().code().word()).isEqualTo("overloaded");
            assertThat(full.problem().retryAfter()).isPresent();
        }
        return account.held();
    }

    @Test
    void a_tenant_alone_gets_half_of_what_is_not_kept_back() {
        assertThat(take(of("acme"))).isEqualTo(28 * MIB);
    }

    @Test
    void tenants_that_come_later_still_get_a_share() {
        take(of("first"));
        assertThat(take(of("second"))).isEqualTo(14 * MIB);
        assertThat(take(of("third"))).isEqualTo(7 * MIB);
    }

    @Test
    void ten_tenants_that_take_in_turns_share_evenly() {
        var accounts = new ArrayList<MemoryBudget.Account>();
        for (int i = 0; i < 10; i++) {
            accounts.add(of("tenant" + i));
        }
        var open = new ArrayList<>(accounts);
        while (!open.isEmpty()) {
            open.removeIf(account -> !takesOne(account));
        }
        assertThat(accounts).allSatisfy(account -> assertThat(account.held()).isBetween(4 * MIB, 6 * MIB));
    }

    @Test
    void answers_that_are_not_read_never_take_what_is_left_to_others() {
        long held = 0;
        for (int i = 0; i < 1_000; i++) {
            var account = of("greedy");
            try {
                account.answers(MIB);
                held += account.held();
            } catch (Refusal full) {
                assertThat(full.problem().code().word()).isEqualTo("overloaded");
                break;
            }
        }
        assertThat(held).isEqualTo(28 * MIB);
        of("other").charge(2 * MIB);

        // Health checks and refusals are answered all the same.
        of("greedy").answers(1_000);
        budget.open().answers(1_000);
    }

    @Test
    void an_answer_below_what_was_charged_gives_the_rest_back() {
        var account = of("acme");
        account.charge(2 * MIB);
        account.answers(MIB);

        assertThat(account.held()).isEqualTo(MIB);
        assertThat(budget.used()).isEqualTo(MIB);
    }

    private static boolean takesOne(MemoryBudget.Account account) {
        try {
            account.charge(MIB);
            return true;
        } catch (Refusal full) {
            return false;
        }
    }

    @Test
    void what_is_small_finds_room_when_what_is_large_does_not() {
        List.of("a", "b", "c", "d", "e", "f").forEach(tenant -> take(of(tenant)));

        of("small").charge(16 << 10);
        assertThatThrownBy(() -> of("small").charge(MIB)).isInstanceOf(Refusal.class);
    }

    @Test
    void callers_without_a_credential_get_a_small_part_together() {
        var one = budget.open();
        one.charge(3 * MIB);
        assertThatThrownBy(() -> budget.open().charge(2 * MIB)).isInstanceOf(Refusal.class);

        one.belongsTo(new TenantId("acme"));
        budget.open().charge(2 * MIB);
    }

    @Test
    void what_is_given_back_is_free_again() {
        try (var account = of("acme")) {
            take(account);
            account.set(MIB);
            assertThat(budget.used()).isEqualTo(MIB);
        }
        assertThat(budget.used()).isZero();
    }

    @Test
    void a_tenant_waits_a_moment_for_what_it_gives_back_itself() throws InterruptedException {
        var first = of("acme");
        take(first);
        var second = of("acme");
        var waiting = Thread.ofVirtual().start(() -> second.charge(MIB));
        first.close();
        waiting.join();
        assertThat(second.held()).isEqualTo(MIB);
    }
}
