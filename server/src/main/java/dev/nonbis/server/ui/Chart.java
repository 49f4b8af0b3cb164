package dev.nonbis.server.ui;

import java.util.ArrayList;
import java.util.List;

/**
 * Bars over time, as a template draws them: every bar a stack of parts in the chart's own coordinates.
 *
 * @param top the value at the upper edge
 */
public record Chart(int width, int height, long top, List<Series> series, List<Part> parts) {

    private static final int WIDTH = 600;
    private static final int HEIGHT = 120;
    private static final int GAP = 2;

    /** One kind of thing counted. */
    public record Series(String name, String tone, List<Long> values) {

        public Series {
            values = List.copyOf(values);
        }

        public long total() {
            return values.stream().mapToLong(Long::longValue).sum();
        }
    }

    /** A rectangle of one series. */
    public record Part(String tone, String x, String y, String width, String height) {}

    /** All series have as many values, the oldest first. */
    static Chart of(List<Series> series) {
        int bars = series.isEmpty() ? 0 : series.getFirst().values().size();
        long top = 4;
        for (int i = 0; i < bars; i++) {
            int bar = i;
            top = Math.max(
                    top, series.stream().mapToLong(one -> one.values().get(bar)).sum());
        }
        double step = bars == 0 ? WIDTH : (double) WIDTH / bars;
        var parts = new ArrayList<Part>();
        for (int i = 0; i < bars; i++) {
            double y = HEIGHT;
            for (var one : series) {
                long value = one.values().get(i);
                if (value > 0) {
                    double height = Math.max(1.5, (double) HEIGHT * value / top);
                    y -= height;
                    parts.add(new Part(
                            one.tone(), number(i * step + GAP / 2.0), number(y), number(step - GAP), number(height)));
                }
            }
        }
        return new Chart(WIDTH, HEIGHT, top, series, parts);
    }

    private static String number(double value) {
        return Double.toString(Math.round(value * 10) / 10.0);
    }
}
