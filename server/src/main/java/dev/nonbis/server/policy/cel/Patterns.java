package dev.nonbis.server.policy.cel;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableExpr;
import java.util.Optional;

/** Regular expressions that stand in an expression as they are: a bad one is found when the expression is read, not when it is met. */
final class Patterns {

    private Patterns() {}

    static Optional<String> complaint(CelExpr root) {
        return CelNavigableExpr.fromExpr(root)
                .allNodes()
                .map(CelNavigableExpr::expr)
                .filter(expr ->
                        expr.getKind() == Kind.CALL && expr.call().function().equals("matches"))
                .map(expr -> expr.call().args().getLast())
                .filter(arg -> arg.getKind() == Kind.CONSTANT)
                .flatMap(arg -> complaint(arg.constant().stringValue()).stream())
                .findFirst();
    }

    private static Optional<String> complaint(String pattern) {
        try {
            Pattern.compile(pattern);
            return Optional.empty();
        } catch (PatternSyntaxException e) {
            return Optional.of("not a regular expression: " + e.getDescription());
        }
    }
}
