package dev.nonbis.server.policy.cel;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelSource;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.Operator;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelByteString;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.standard.AddOperator.AddOverload;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * CEL over some variables, with bounds on what an expression may be. The library is loaded by the first expression, because that takes
 * longer than starting the rest of the server, and many servers never see one.
 */
final class Language {

    static final int MAX_LENGTH = 4_096;
    static final int MAX_NODES = 1_000;
    static final int MAX_NESTING = 32;
    static final int MAX_ITERATIONS = 10_000;

    // Lists are joined by us. A function takes further overloads only two at a time; hence the one of bytes, which is
    // as it was.
    private static final CelStandardFunctions STANDARD_FUNCTIONS = CelStandardFunctions.newBuilder()
            .filterFunctions(
                    (function, overload) -> overload != AddOverload.ADD_LIST && overload != AddOverload.ADD_BYTES)
            .build();

    private final List<String> variables;
    private final ReentrantLock building = new ReentrantLock();
    private volatile @Nullable Cel cel;

    Language(List<String> variables) {
        this.variables = List.copyOf(variables);
    }

    /** A program, or why there is none. */
    sealed interface Compiled {

        record Usable(CelProgram program) implements Compiled {}

        /** Lines and columns count from one. */
        record Unusable(int line, int column, String why) implements Compiled {
            @Override
            public String toString() {
                return line + ":" + column + ": " + why;
            }
        }
    }

    Compiled compile(String text) {
        if (text.isBlank()) {
            return new Compiled.Unusable(1, 1, "the expression is empty");
        }
        if (text.length() > MAX_LENGTH) {
            return new Compiled.Unusable(1, 1, "the expression is longer than " + MAX_LENGTH + " characters");
        }
        try {
            var ast = cel().compile(text).getAst();
            var pattern = Patterns.unusable(ast.getExpr());
            return pattern.isPresent() ? unusable(ast.getSource(), pattern.get()) : new Compiled.Usable(program(ast));
        } catch (CelValidationException e) {
            return e.getErrors().stream().findFirst().map(Language::unusable).orElseGet(() -> refused(e));
        } catch (CelEvaluationException | RuntimeException | StackOverflowError e) {
            return refused(e);
        }
    }

    private CelProgram program(CelAbstractSyntaxTree ast) throws CelEvaluationException {
        return new CelProgram(cel().createProgram(ast), Costs.of(ast.getExpr()), ast.getResultType());
    }

    private static Compiled unusable(CelSource source, Patterns.Unusable pattern) {
        var at = source.getOffsetLocation(source.getPositionsMap().getOrDefault(pattern.part(), 0));
        return new Compiled.Unusable(
                at.map(CelSourceLocation::getLine).orElse(1),
                at.map(CelSourceLocation::getColumn).orElse(0) + 1,
                pattern.why());
    }

    private static Compiled unusable(CelIssue issue) {
        var at = issue.getSourceLocation();
        return new Compiled.Unusable(
                Math.max(1, at.getLine()), Math.max(0, at.getColumn()) + 1, oneLine(issue.getMessage()));
    }

    private static Compiled refused(Throwable e) {
        String why = e.getMessage();
        return new Compiled.Unusable(1, 1, why == null ? "the expression cannot be compiled" : oneLine(why));
    }

    static String oneLine(String message) {
        return message.replaceAll("\\s*\\R\\s*", " ").strip();
    }

    private Cel cel() {
        var built = cel;
        if (built != null) {
            return built;
        }
        building.lock();
        try {
            var now = cel;
            if (now == null) {
                now = build();
                cel = now;
            }
            return now;
        } finally {
            building.unlock();
        }
    }

    private Cel build() {
        var options = CelOptions.current()
                .maxExpressionCodePointSize(MAX_LENGTH)
                .maxParseRecursionDepth(MAX_NESTING)
                .maxParseExpressionNodeCount(MAX_NODES)
                .comprehensionMaxIterations(MAX_ITERATIONS)
                .maxRegexProgramSize(Patterns.MAX_PROGRAM)
                .enableHeterogeneousNumericComparisons(true)
                .build();
        var builder = CelFactory.plannerCelBuilder()
                .setOptions(options)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .setStandardFunctions(STANDARD_FUNCTIONS)
                .addFunctionBindings(CelFunctionBinding.fromOverloads(
                        Operator.ADD.getFunction(),
                        CelFunctionBinding.from("add_list", Collection.class, Collection.class, JoinedList::of),
                        CelFunctionBinding.from(
                                "add_bytes", CelByteString.class, CelByteString.class, CelByteString::concat)));
        variables.forEach(name -> builder.addVar(name, SimpleType.DYN));
        return builder.build();
    }
}
