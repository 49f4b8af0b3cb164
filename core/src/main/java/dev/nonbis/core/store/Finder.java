package dev.nonbis.core.store;

import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks rows up for many callers together: who comes while a look is under way is served by the next, so nobody is told less than was
 * committed before the question.
 */
final class Finder implements AutoCloseable {

    private static final int THREADS = 2;
    private static final int MAX_TOGETHER = 256;
    private static final long LOOK_UP_MS = 100;

    private final Backend backend;
    private final LinkedBlockingQueue<Question> questions = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closing;

    Finder(Backend backend) {
        this.backend = backend;
        for (int i = 1; i <= THREADS; i++) {
            threads.add(Thread.ofPlatform().name("nonbis-finder-" + i).start(this::answerUntilClosed));
        }
    }

    Optional<StoredRow> find(RowRef<?, ?> row) {
        var question = new Question(row, Thread.currentThread());
        if (closing) {
            throw closed();
        }
        questions.add(question);
        // The threads may have left between the check and the question.
        if (closing && questions.remove(question)) {
            throw closed();
        }
        return question.await();
    }

    @Override
    public void close() {
        closing = true;
        Ending.await(threads);
    }

    private void answerUntilClosed() {
        while (!closing || !questions.isEmpty()) {
            try {
                var first = questions.poll(LOOK_UP_MS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    var together = new ArrayList<>(List.of(first));
                    questions.drainTo(together, MAX_TOGETHER - 1);
                    answer(together);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody may interrupt the finder", e);
            }
        }
    }

    private void answer(List<Question> together) {
        var rows = new LinkedHashSet<RowRef<?, ?>>();
        together.forEach(question -> rows.add(question.row));
        try {
            var found = backend.fetch(rows);
            // Virtual threads wake each other for less than this one can.
            Thread.startVirtualThread(() -> together.forEach(question -> question.answer(found)));
        } catch (RuntimeException | Error failure) {
            together.forEach(question -> question.fail(failure));
        }
    }

    private static StoreUnavailable closed() {
        return new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.CLOSED, "the store is closed");
    }

    /** One caller's question. */
    private static final class Question {

        final RowRef<?, ?> row;
        private final Thread caller;
        private @Nullable StoredRow found;
        private @Nullable Throwable failure;
        private volatile boolean answered;

        Question(RowRef<?, ?> row, Thread caller) {
            this.row = row;
            this.caller = caller;
        }

        void answer(Map<RowRef<?, ?>, StoredRow> rows) {
            found = rows.get(row);
            wake();
        }

        void fail(Throwable why) {
            failure = why;
            wake();
        }

        private void wake() {
            answered = true;
            LockSupport.unpark(caller);
        }

        Optional<StoredRow> await() {
            boolean interrupted = false;
            while (!answered) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return switch (failure) {
                case null -> Optional.ofNullable(found);
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new IllegalStateException(failure);
            };
        }
    }
}
