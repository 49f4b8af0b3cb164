package dev.nonbis.bench.measure;

import java.util.List;
import java.util.OptionalDouble;

/** Everything one bench found out. */
public record Report(
        String name,
        Setting setting,
        List<Stage> stages,
        List<Growth> growth,
        Footprint footprint,
        List<Target> targets) {

    /** Under which conditions it was measured. */
    public record Setting(int connections, int rounds, double secondsPerRound, int processors, String server) {}

    /** What the server took. */
    public record Footprint(OptionalDouble residentMib, OptionalDouble peakResidentMib, OptionalDouble storeMib) {}

    public boolean missesTarget() {
        return targets.stream().anyMatch(target -> target.verdict() == Target.Verdict.FAIL);
    }
}
