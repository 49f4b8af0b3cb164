package dev.nonbis.server.policy.cel;

import dev.cel.common.ast.CelExpr;
import java.util.HashMap;
import java.util.Map;

/** What the values of an expression's parts cost, by how the part around them reads them. Parts that are not listed cost one. */
final class Costs {

    /** How a value is charged. */
    enum Charge {
        /** Its own length: what reading it once, from end to end, takes. */
        FLAT,
        /** Everything inside it, for parts that compare or hold it whole. */
        DEEP,
        /** Like {@link #DEEP}, but looking a name up in a map costs nothing. */
        MEMBERS,
        /** Its length many times, for the text that a regular expression reads. */
        PATTERN_TEXT,
        /** The items it has, because joining lists copies them; {@code map} and {@code filter} join in every round. */
        JOINED
    }

    private final Map<Long, Charge> charges = new HashMap<>();

    private Costs() {}

    static Costs of(CelExpr root) {
        var costs = new Costs();
        costs.visit(root);
        return costs;
    }

    Charge of(long part) {
        return charges.getOrDefault(part, Charge.FLAT);
    }

    private void visit(CelExpr expr) {
        switch (expr.getKind()) {
            case CALL -> {
                if (expr.call().function().equals("_+_")) {
                    charges.put(expr.id(), Charge.JOINED);
                }
                call(expr.call());
            }
            case LIST -> {
                charges.put(expr.id(), Charge.DEEP);
                expr.list().elements().forEach(this::visit);
            }
            case MAP -> {
                charges.put(expr.id(), Charge.DEEP);
                for (var entry : expr.map().entries()) {
                    visit(entry.key());
                    visit(entry.value());
                    charges.put(entry.key().id(), Charge.DEEP);
                }
            }
            case STRUCT -> expr.struct().entries().forEach(entry -> visit(entry.value()));
            case SELECT -> visit(expr.select().operand());
            case COMPREHENSION -> comprehension(expr.comprehension());
            case CONSTANT, IDENT, NOT_SET -> {}
        }
    }

    private void call(CelExpr.CelCall call) {
        call.target().ifPresent(this::visit);
        call.args().forEach(this::visit);
        switch (call.function()) {
            case "_==_", "_!=_" -> call.args().forEach(arg -> charges.put(arg.id(), Charge.DEEP));
            case "@in", "_in_", "in" -> {
                charges.put(call.args().getFirst().id(), Charge.DEEP);
                charges.put(call.args().getLast().id(), Charge.MEMBERS);
            }
            case "matches" ->
                charges.put(
                        call.target().orElseGet(() -> call.args().getFirst()).id(), Charge.PATTERN_TEXT);
            default -> {}
        }
    }

    private void comprehension(CelExpr.CelComprehension loop) {
        visit(loop.iterRange());
        visit(loop.accuInit());
        visit(loop.loopCondition());
        visit(loop.loopStep());
        visit(loop.result());
    }
}
