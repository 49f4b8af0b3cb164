package dev.nonbis.server.policy.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.run.EvaluationsOverloaded;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EvaluationThreadsTest {

    private static final TenantId GREEDY = new TenantId("greedy");
    private static final TenantId HONEST = new TenantId("honest");

    private final EvaluationThreads threads = new EvaluationThreads();
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Future<?>> calls = new ArrayList<>();
    private final List<TenantId> order = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        gate.countDown();
        callers.shutdownNow();
        threads.close();
    }

    private Future<?> call(TenantId tenant) {
        return callers.submit(() -> threads.call(tenant, () -> order.add(tenant)));
    }

    private void calls(TenantId tenant, int times) {
        IntStream.range(0, times).mapToObj(i -> call(tenant)).forEach(calls::add);
    }

    /** Every thread waits at the gate. */
    private void occupy() {
        for (int i = 0; i < EvaluationThreads.THREADS; i++) {
            calls.add(callers.submit(() -> threads.call(GREEDY, () -> {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return true;
            })));
        }
        await().until(() -> threads.waiting(GREEDY) == 0 && threads.running() == EvaluationThreads.THREADS);
    }

    @Test
    void a_tenant_with_one_evaluation_does_not_wait_for_all_of_another() throws Exception {
        occupy();
        calls(GREEDY, 50);
        await().until(() -> threads.waiting(GREEDY) == 50);
        var honest = call(HONEST);
        await().until(() -> threads.waiting(HONEST) == 1);
        gate.countDown();
        honest.get();
        await().until(() -> order.size() == 51);
        assertThat(order.indexOf(HONEST)).isLessThanOrEqualTo(2 * EvaluationThreads.THREADS);
    }

    @Test
    void a_full_queue_refuses_its_tenant_and_no_other() throws Exception {
        occupy();
        calls(GREEDY, EvaluationThreads.MAX_WAITING);
        await().until(() -> threads.waiting(GREEDY) == EvaluationThreads.MAX_WAITING);
        assertThatThrownBy(() -> threads.call(GREEDY, () -> true)).isInstanceOf(EvaluationsOverloaded.class);
        var honest = call(HONEST);
        gate.countDown();
        honest.get();
        assertThat(threads.call(GREEDY, () -> 7)).isEqualTo(7);
    }

    @Test
    void a_failure_is_the_callers() {
        assertThatThrownBy(() -> threads.call(HONEST, () -> {
                    throw new IllegalArgumentException("mine");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("mine");
    }
}
