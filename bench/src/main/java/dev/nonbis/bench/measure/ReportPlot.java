package dev.nonbis.bench.measure;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/** The report as an SVG picture: rates per phase at each size of the store, and the rate while the store grew. */
public final class ReportPlot {

    private static final List<String> COLOURS = List.of("#4878a8", "#d98b3a");
    private static final double PANEL_WIDTH = 400;
    private static final double PANEL_HEIGHT = 260;
    private static final double TOP = 70;
    private static final double LEFT = 80;
    private static final double GAP = 110;

    private final Formatter svg = new Formatter(Locale.ROOT);

    private ReportPlot() {}

    public static String of(Report report) {
        return new ReportPlot().draw(report);
    }

    private String draw(Report report) {
        var growing = report.growth().size() > 1;
        double width = LEFT + PANEL_WIDTH + 40 + (growing ? GAP + PANEL_WIDTH : 0);
        svg.format(
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %.0f 430' font-family='sans-serif' font-size='12' fill='#222'>%n",
                width);
        svg.format("<rect width='%.0f' height='430' fill='#ffffff'/>%n", width);
        text(
                LEFT,
                28,
                "start",
                report.name() + ": " + report.setting().connections() + " connections, "
                        + report.setting().processors() + " processors shared with the load generator");
        bars(report);
        if (growing) {
            curve(report.growth(), LEFT + PANEL_WIDTH + GAP);
        }
        svg.format("</svg>%n");
        return svg.toString();
    }

    private void bars(Report report) {
        double max = niceMax(report.stages().stream()
                .flatMap(stage -> stage.phases().stream())
                .mapToDouble(PhaseFigures::medianRate)
                .max()
                .orElse(1));
        axes(LEFT, max, "operations per second");
        var names = report.stages().getFirst().phases().stream()
                .map(PhaseFigures::name)
                .toList();
        double group = PANEL_WIDTH / names.size();
        double bar = group * 0.7 / report.stages().size();
        for (int s = 0; s < report.stages().size(); s++) {
            var stage = report.stages().get(s);
            var colour = COLOURS.get(s % COLOURS.size());
            for (int p = 0; p < names.size(); p++) {
                double rate = stage.phase(names.get(p)).medianRate();
                double height = PANEL_HEIGHT * rate / max;
                double x = LEFT + p * group + group * 0.15 + s * bar;
                svg.format(
                        "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s'/>%n",
                        x, TOP + PANEL_HEIGHT - height, bar - 2, height, colour);
                text(
                        x + bar / 2,
                        TOP + PANEL_HEIGHT - height - 4,
                        "middle",
                        String.format(Locale.ROOT, "%.1fk", rate / 1_000));
            }
            svg.format("<rect x='%.1f' y='385' width='12' height='12' fill='%s'/>%n", LEFT + s * 200, colour);
            text(LEFT + s * 200 + 18, 395, "start", stage.title());
        }
        for (int p = 0; p < names.size(); p++) {
            text(LEFT + (p + 0.5) * group, TOP + PANEL_HEIGHT + 18, "middle", names.get(p));
        }
    }

    private void curve(List<Growth> growth, double left) {
        double max =
                niceMax(growth.stream().mapToDouble(Growth::perSecond).max().orElse(1));
        double mostKeys = growth.getLast().keys();
        axes(left, max, "fresh submissions per second");
        var points = new StringBuilder();
        for (var g : growth) {
            points.append(String.format(
                    Locale.ROOT,
                    "%.1f,%.1f ",
                    left + PANEL_WIDTH * g.keys() / mostKeys,
                    TOP + PANEL_HEIGHT * (1 - g.perSecond() / max)));
        }
        svg.format(
                "<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>%n",
                points.toString().strip(), COLOURS.getFirst());
        for (int i = 0; i <= 4; i++) {
            text(
                    left + PANEL_WIDTH * i / 4,
                    TOP + PANEL_HEIGHT + 18,
                    "middle",
                    String.format(Locale.ROOT, "%.0fk", mostKeys * i / 4_000));
        }
        text(left + PANEL_WIDTH / 2, TOP + PANEL_HEIGHT + 38, "middle", "keys in the store");
    }

    private void axes(double left, double max, String label) {
        for (int i = 0; i <= 4; i++) {
            double y = TOP + PANEL_HEIGHT * (1 - i / 4.0);
            svg.format(
                    "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s'/>%n",
                    left, y, left + PANEL_WIDTH, y, i == 0 ? "#222" : "#ddd");
            text(left - 8, y + 4, "end", String.format(Locale.ROOT, "%,.0f", max * i / 4));
        }
        text(left, TOP - 14, "start", label);
    }

    /** The next round number that leaves room above the highest value. */
    static double niceMax(double highest) {
        double unit = Math.pow(10, Math.floor(Math.log10(Math.max(highest, 1))));
        for (double step : new double[] {1, 2, 4, 6, 8}) {
            if (highest * 1.05 <= step * unit) {
                return step * unit;
            }
        }
        return 10 * unit;
    }

    private void text(double x, double y, String anchor, String words) {
        var escaped = words.replace("&", "&amp;").replace("<", "&lt;");
        svg.format("<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>%n", x, y, anchor, escaped);
    }
}
