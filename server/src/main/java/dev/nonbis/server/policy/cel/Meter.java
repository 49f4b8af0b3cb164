package dev.nonbis.server.policy.cel;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.CelValue;
import dev.cel.common.values.ErrorValue;
import dev.cel.runtime.CelEvaluationListener;
import dev.nonbis.core.run.Budget;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Charges an evaluation for every value it comes by and stops it when the budget is spent. CEL alone does not bound memory or time:
 * a chain of {@code map} over {@code [x, x]} doubles a value with every link.
 *
 * <p>One unit is about 40 ns of a processor, and at most about 100 bytes made. Whatever an expression builds was charged in full when it
 * was built, so no value is larger than the budget, shared parts counted as often as they occur.
 */
final class Meter implements CelEvaluationListener {

    private static final int CHARACTERS_PER_UNIT = 32;

    /** The worst case of {@code contains} compares each character of one text with each of the other, several at a time. */
    private static final int COMPARISONS_PER_UNIT = 512;

    /** A pattern is compiled whenever it is met. */
    private static final int UNITS_PER_PATTERN = 60;

    /** RE2/J looks at each character of the text in each place of the pattern: 5 ns for an instruction, two for a place. */
    private static final int PATTERN_STEPS_PER_UNIT = 4;

    /** {@code \p{L}} has hundreds of ranges, which every compilation copies. */
    private static final int UNITS_PER_UNICODE_CLASS = 300;

    /** A failure that {@code ||} or {@code &&} takes has its stack trace and message. */
    private static final int UNITS_PER_FAILURE = 300;

    private static final int UNITS_PER_CONVERSION = 30;

    /** The most processor time of one expression, many times what the budget allows: for costs that are not known. */
    private static final Duration MAX_CPU_TIME = Duration.ofMillis(500);

    private static final int UNITS_BETWEEN_LOOKS = 16_384;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Costs costs;
    private final Budget budget;
    private long untilLook = UNITS_BETWEEN_LOOKS;
    private OptionalLong firstLook = OptionalLong.empty();
    private final Map<Long, Integer> lengths = new HashMap<>();
    private final Map<Long, Sides> answered = new HashMap<>();

    Meter(Costs costs, Budget budget) {
        this.costs = costs;
        this.budget = budget;
    }

    /** Which operands of {@code ||} or {@code &&} gave a value in the evaluation that is under way. */
    private record Sides(boolean left, boolean right) {
        private static final Sides NONE = new Sides(false, false);
    }

    /** Charges for a result as a whole, which is copied. */
    void result(Object value) {
        whole(value);
    }

    @Override
    public void callback(CelExpr expr, Object value) {
        spend(1);
        handled(value);
        long id = expr.id();
        var part = costs.of(id);
        switch (part.use()) {
            case PASSED -> {}
            case WHOLE -> whole(value);
            case SEARCHED -> {
                if (!(value instanceof Map)) {
                    whole(value);
                }
            }
            case TEXT -> lengths.put(id, length(value));
            case SUBSTRING -> spend((long) lengthOf(part.other()) * length(value) / COMPARISONS_PER_UNIT);
            case PATTERN -> pattern(lengthOf(part.other()), value);
            case LEFT -> answer(part.other(), value, new Sides(true, false));
            case RIGHT -> answer(part.other(), value, new Sides(false, true));
        }
        switch (part.work()) {
            case NOTHING -> {}
            case JOIN -> spend(value instanceof JoinedList list ? list.copied() : 0);
            case CONVERT -> spend(UNITS_PER_CONVERSION);
            case LOGIC -> failures(answered.getOrDefault(id, Sides.NONE), id, value);
        }
    }

    // CEL walks through lists and maps of its own whenever they are named, and may print them; other values it takes as
    // they are.
    private void handled(Object value) {
        spend(length(value) / CHARACTERS_PER_UNIT);
        if (value instanceof CelValue) {
            return;
        }
        if (value instanceof Collection<?> items) {
            items.forEach(this::item);
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((name, member) -> {
                item(name);
                item(member);
            });
        }
    }

    private void item(Object value) {
        spend(1);
        handled(value);
    }

    private void whole(Object value) {
        spend(1 + length(value) / CHARACTERS_PER_UNIT);
        if (value instanceof Collection<?> items) {
            items.forEach(this::whole);
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((name, member) -> {
                whole(name);
                whole(member);
            });
        }
    }

    private void pattern(int textLength, Object value) {
        if (value instanceof String pattern) {
            Patterns.tooLarge(pattern).ifPresent(why -> {
                throw new LimitExceeded(why);
            });
            long size = Patterns.size(pattern);
            spend(UNITS_PER_PATTERN + 2 * size + UNITS_PER_UNICODE_CLASS * Patterns.unicodeClasses(pattern));
            spend(textLength * size / PATTERN_STEPS_PER_UNIT);
        }
    }

    private void answer(long operator, Object value, Sides side) {
        if (value instanceof Boolean || value instanceof ErrorValue) {
            answered.merge(
                    operator,
                    side,
                    (before, now) -> new Sides(before.left() || now.left(), before.right() || now.right()));
        }
    }

    // An operand that gave nothing has failed; the right one may also not have been asked, but then the operator has a
    // value.
    private void failures(Sides sides, long operator, Object value) {
        answered.remove(operator);
        spend(sides.left() ? 0 : UNITS_PER_FAILURE);
        spend(sides.right() || value instanceof Boolean ? 0 : UNITS_PER_FAILURE);
    }

    private int lengthOf(long part) {
        return lengths.getOrDefault(part, 0);
    }

    private static int length(Object value) {
        return switch (value) {
            case CharSequence text -> text.length();
            case CelByteString bytes -> bytes.size();
            default -> 0;
        };
    }

    private void spend(long units) {
        if (!budget.spend(units)) {
            throw new LimitExceeded("the expression costs too much on these values");
        }
        untilLook -= units;
        if (untilLook < 0) {
            untilLook = UNITS_BETWEEN_LOOKS;
            look();
        }
    }

    // Processor time, not time: a machine that is busy or asleep must not change what an expression gives.
    private void look() {
        if (Thread.currentThread().isVirtual()) {
            return;
        }
        long now = THREADS.getCurrentThreadCpuTime();
        if (firstLook.isEmpty()) {
            firstLook = OptionalLong.of(now);
        } else if (now - firstLook.getAsLong() > MAX_CPU_TIME.toNanos()) {
            throw new LimitExceeded(
                    "the expression took longer than " + MAX_CPU_TIME.toMillis() + " ms of a processor");
        }
    }
}
