package dev.nonbis.server.policy.cel;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.run.Budget;
import dev.nonbis.core.run.Expressions;
import dev.nonbis.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The expressions of workflows in CEL, over {@code input} and {@code steps}. Each text is compiled once and kept for a while. */
public final class CelExpressions implements Expressions {

    private final Language language = new Language(List.of("input", "steps"));
    private final CompiledCache kept = new CompiledCache();
    private final Optional<EvaluationThreads> threads;

    /** Evaluates everything on the caller's thread. */
    public CelExpressions() {
        this.threads = Optional.empty();
    }

    /** Evaluates on these threads what may take long. */
    public CelExpressions(EvaluationThreads threads) {
        this.threads = Optional.of(threads);
    }

    @Override
    public boolean mayTakeLong(String expression) {
        return kept.find(expression).map(CelProgram::mayTakeLong).orElse(true);
    }

    @Override
    public <T> T queued(TenantId tenant, Supplier<T> evaluations) {
        return threads.isPresent() ? threads.get().call(tenant, evaluations) : evaluations.get();
    }

    @Override
    public Optional<String> complaint(String expression) {
        return switch (compiled(expression)) {
            case Language.Compiled.Usable usable -> Optional.empty();
            case Language.Compiled.Unusable unusable -> Optional.of(unusable.toString());
        };
    }

    @Override
    public Optional<String> conditionComplaint(String expression) {
        return switch (compiled(expression)) {
            case Language.Compiled.Usable(var program) ->
                program.mayBeBoolean()
                        ? Optional.empty()
                        : Optional.of("must give true or false, but gives " + program.typeName());
            case Language.Compiled.Unusable unusable -> Optional.of(unusable.toString());
        };
    }

    @Override
    public Result evaluate(String expression, JsonObject scope, Budget budget) {
        return switch (compiled(expression)) {
            case Language.Compiled.Usable(var program) -> program.evaluate(scope, budget);
            case Language.Compiled.Unusable unusable -> new Result.Failed(unusable.toString());
        };
    }

    private Language.Compiled compiled(String expression) {
        var known = kept.find(expression);
        if (known.isPresent()) {
            return new Language.Compiled.Usable(known.get());
        }
        var compiled = language.compile(expression);
        if (compiled instanceof Language.Compiled.Usable(var program)) {
            kept.keep(expression, program);
        }
        return compiled;
    }
}
