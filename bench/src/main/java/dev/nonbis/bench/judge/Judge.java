package dev.nonbis.bench.judge;

import java.util.ArrayList;
import java.util.List;

/** Has every guarantee judged. */
public final class Judge {

    private static final List<Checker> CHECKERS = List.of(
            new OneEffectPerKey(),
            new AcknowledgedSurvives(),
            new SameAnswers(),
            new RefusalsLeaveNothing(),
            new OneResultPerJob(),
            new StatesFollowTheTable(),
            new OneDecisionPerApproval(),
            new RunsWithinLimit(),
            new SpendingWithinBudget(),
            new NonceOnce(),
            new AuditTellsAll(),
            new EverythingMoves(),
            new TenantsApart());

    private Judge() {}

    public static List<Violation> judge(History history, Export export, Promises promises) {
        var found = new ArrayList<Violation>();
        for (var checker : CHECKERS) {
            found.addAll(checker.check(history, export, promises));
        }
        return found;
    }
}
