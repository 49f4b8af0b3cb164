package dev.nonbis.bench.measure;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Formatter;
import java.util.Locale;
import java.util.OptionalDouble;

/** The report for people, as text. */
public final class ReportTable {

    private ReportTable() {}

    public static String of(Report report) {
        var out = new Formatter(Locale.ROOT);
        var setting = report.setting();
        out.format(
                "%s: %d connections, %d rounds of %.1f s a phase, %d processors shared with the generator%n",
                report.name(),
                setting.connections(),
                setting.rounds(),
                setting.secondsPerRound(),
                setting.processors());
        out.format("server: %s%n", setting.server());
        report.stages().forEach(stage -> stage(out, stage, setting.processors()));
        out.format("%ncommits are counted by the server; on SQLite each is one flush of its journal%n");
        out.format(
                "busy is the share of all processors that server and generator used: a no-op well below 1 was disturbed%n");
        out.format(
                "%nresident %s MiB, peak %s MiB, store %s MiB%n",
                number(report.footprint().residentMib(), 0),
                number(report.footprint().peakResidentMib(), 0),
                number(report.footprint().storeMib(), 0));
        out.format("%ntargets%n");
        for (var target : report.targets()) {
            out.format(
                    "  %-6s %-46s %8s   wanted %s%n",
                    verdict(target), target.name(), number(target.got(), 2), target.wanted());
        }
        return out.toString();
    }

    private static void stage(Formatter out, Stage stage, int processors) {
        out.format(
                "%n%s (%,d keys at the start, %,d at the end)%n", stage.title(), stage.keysBefore(), stage.keysAfter());
        out.format(
                "  %-10s %10s %9s %9s %9s %9s %12s %7s %11s %11s %6s%n",
                "phase",
                "ops/s",
                "of no-op",
                "p50 ms",
                "p99 ms",
                "p99.9 ms",
                "commits/1000",
                "batch",
                "server µs",
                "client µs",
                "busy");
        for (var phase : stage.phases()) {
            out.format(
                    "  %-10s %,10.0f %9s %9.2f %9.2f %9.2f %12s %7s %11s %11s %6s%n",
                    phase.name(),
                    phase.medianRate(),
                    number(phase.medianRatio(), 2),
                    phase.latencyMillis(50),
                    phase.latencyMillis(99),
                    phase.latencyMillis(99.9),
                    number(phase.commitsPerThousand(), 1),
                    number(phase.meanBatch(), 1),
                    number(phase.serverCpuMicros(), 1),
                    number(phase.generatorCpuMicros(), 1),
                    number(phase.busy(processors), 2));
        }
    }

    private static String verdict(Target target) {
        return switch (target.verdict()) {
            case PASS -> "pass";
            case FAIL -> "FAIL";
            case NOT_MEASURED -> "n/a";
        };
    }

    private static String number(OptionalDouble value, int decimals) {
        return value.isPresent()
                ? BigDecimal.valueOf(value.getAsDouble())
                        .setScale(decimals, RoundingMode.HALF_UP)
                        .toPlainString()
                : "n/a";
    }
}
