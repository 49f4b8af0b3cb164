package dev.nonbis.server.policy.cel;

import dev.cel.common.ast.CelExpr;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What the values of an expression's parts cost: what each part does, and what the part around it does with its value. */
final class Costs {

    private static final Set<String> CONVERSIONS = Set.of(
            "timestamp",
            "duration",
            "string",
            "double",
            "int",
            "uint",
            "bytes",
            "getFullYear",
            "getMonth",
            "getDate",
            "getDayOfMonth",
            "getDayOfWeek",
            "getDayOfYear",
            "getHours",
            "getMinutes",
            "getSeconds",
            "getMilliseconds");

    /** What the part around a value does with it. */
    enum Use {
        /** Takes it as it is. */
        PASSED,
        /** Compares or keeps all that is inside it. */
        WHOLE,
        /** Compares each item of a list, or looks a name up in a map. */
        SEARCHED,
        /** Reads the text as often as the other operand says. */
        TEXT,
        /** Looks for it in the text. */
        SUBSTRING,
        /** Reads the text by this regular expression. */
        PATTERN,
        /** Asks whether it is true, and goes on when it fails. */
        LEFT,
        RIGHT
    }

    /** What a part does. */
    enum Work {
        NOTHING,
        JOIN,
        CONVERT,
        LOGIC
    }

    /** What is known of one part; {@code other} is the text's part for a substring or pattern, and the operator's for its sides. */
    record Part(Use use, Work work, long other) {

        private static final Part PLAIN = new Part(Use.PASSED, Work.NOTHING, 0);

        private Part with(Use newUse, long newOther) {
            return new Part(newUse, work, newOther);
        }

        private Part with(Work newWork) {
            return new Part(use, newWork, other);
        }
    }

    private final Map<Long, Part> parts = new HashMap<>();

    private boolean mayBeHigh;

    private Costs() {}

    static Costs of(CelExpr root) {
        var costs = new Costs();
        costs.visit(root);
        return costs;
    }

    /** Whether the expression has a loop, or reads a text more than once. */
    boolean mayBeHigh() {
        return mayBeHigh;
    }

    Part of(long part) {
        return parts.getOrDefault(part, Part.PLAIN);
    }

    private void visit(CelExpr expr) {
        switch (expr.getKind()) {
            case CALL -> call(expr);
            case LIST -> expr.list().elements().forEach(this::visitWhole);
            case MAP ->
                expr.map().entries().forEach(entry -> {
                    visitWhole(entry.key());
                    visitWhole(entry.value());
                });
            case STRUCT -> expr.struct().entries().forEach(entry -> visitWhole(entry.value()));
            case SELECT -> visit(expr.select().operand());
            case COMPREHENSION -> comprehension(expr.comprehension());
            case CONSTANT, IDENT, NOT_SET -> {}
        }
    }

    private void visitWhole(CelExpr expr) {
        visit(expr);
        use(expr, Use.WHOLE, 0);
    }

    private void call(CelExpr expr) {
        var call = expr.call();
        call.target().ifPresent(this::visit);
        call.args().forEach(this::visit);
        switch (call.function()) {
            case "_+_" -> {
                work(expr, Work.JOIN);
                use(call.args().getLast(), Use.WHOLE, 0);
            }
            case "_==_", "_!=_" -> call.args().forEach(arg -> use(arg, Use.WHOLE, 0));
            case "@in", "_in_", "in" -> {
                use(call.args().getFirst(), Use.WHOLE, 0);
                use(call.args().getLast(), Use.SEARCHED, 0);
            }
            case "contains" -> reading(call, Use.SUBSTRING);
            case "matches" -> reading(call, Use.PATTERN);
            case "_||_", "_&&_" -> {
                work(expr, Work.LOGIC);
                use(call.args().getFirst(), Use.LEFT, expr.id());
                use(call.args().getLast(), Use.RIGHT, expr.id());
            }
            default -> {
                if (CONVERSIONS.contains(call.function())) {
                    work(expr, Work.CONVERT);
                }
            }
        }
    }

    private void reading(CelExpr.CelCall call, Use operand) {
        mayBeHigh = true;
        var text = call.target().orElseGet(() -> call.args().getFirst());
        use(text, Use.TEXT, 0);
        use(call.args().getLast(), operand, text.id());
    }

    private void comprehension(CelExpr.CelComprehension loop) {
        mayBeHigh = true;
        visit(loop.iterRange());
        visit(loop.accuInit());
        visit(loop.loopCondition());
        visit(loop.loopStep());
        visit(loop.result());
    }

    private void use(CelExpr expr, Use use, long other) {
        parts.put(expr.id(), of(expr.id()).with(use, other));
    }

    private void work(CelExpr expr, Work work) {
        parts.put(expr.id(), of(expr.id()).with(work));
    }
}
