package dev.nonbis.bench.measure;

import java.util.Locale;
import java.util.OptionalDouble;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The report for machines. */
public final class ReportJson {

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private ReportJson() {}

    public static String of(Report report) {
        var root = MAPPER.createObjectNode();
        root.put("bench", report.name());
        root.put("connections", report.setting().connections());
        root.put("rounds", report.setting().rounds());
        root.put("seconds_per_round", report.setting().secondsPerRound());
        root.put("processors", report.setting().processors());
        root.put("server", report.setting().server());
        put(root, "resident_mib", report.footprint().residentMib());
        put(root, "peak_resident_mib", report.footprint().peakResidentMib());
        put(root, "store_mib", report.footprint().storeMib());
        var stages = root.putArray("stages");
        report.stages()
                .forEach(stage ->
                        stage(stages.addObject(), stage, report.setting().processors()));
        var growth = root.putArray("growth");
        report.growth().forEach(g -> growth.addObject().put("keys", g.keys()).put("per_second", g.perSecond()));
        var targets = root.putArray("targets");
        report.targets()
                .forEach(target -> put(
                        targets.addObject()
                                .put("name", target.name())
                                .put("wanted", target.wanted())
                                .put("verdict", target.verdict().name().toLowerCase(Locale.ROOT)),
                        "got",
                        target.got()));
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    }

    private static void stage(ObjectNode node, Stage stage, int processors) {
        node.put("title", stage.title()).put("keys_before", stage.keysBefore()).put("keys_after", stage.keysAfter());
        var phases = node.putArray("phases");
        stage.phases().forEach(phase -> {
            var figures = phases.addObject();
            phase(figures, phase);
            put(figures, "busy", phase.busy(processors));
        });
    }

    private static void phase(ObjectNode node, PhaseFigures phase) {
        node.put("name", phase.name()).put("operations", phase.operations()).put("per_second", phase.medianRate());
        put(node, "ratio_to_noop", phase.medianRatio());
        var rates = node.putArray("per_second_by_round");
        phase.rates().forEach(rates::add);
        node.put("p50_ms", phase.latencyMillis(50))
                .put("p99_ms", phase.latencyMillis(99))
                .put("p999_ms", phase.latencyMillis(99.9));
        put(node, "commits_per_1000", phase.commitsPerThousand());
        put(node, "mean_batch", phase.meanBatch());
        put(node, "server_cpu_us", phase.serverCpuMicros());
        put(node, "generator_cpu_us", phase.generatorCpuMicros());
    }

    private static void put(ObjectNode node, String name, OptionalDouble value) {
        if (value.isPresent()) {
            node.put(name, value.getAsDouble());
        } else {
            node.putNull(name);
        }
    }
}
