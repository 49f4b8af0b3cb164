package dev.nonbis.bench.judge;

import java.util.ArrayList;
import java.util.List;

/** G8. Counts starts and ends in the order of the log, which is the order in which they happened. */
final class RunsWithinLimit implements Checker {

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var found = new ArrayList<Violation>();
        promises.runLimits().forEach((name, limit) -> {
            int active = 0;
            for (var event : export.of(name).audit()) {
                active += switch (event.path("type").asString("")) {
                    case "run.started" -> 1;
                    case "run.ended", "run.cancelled" -> -1;
                    default -> 0;
                };
                if (active > limit) {
                    found.add(new Violation(
                            Guarantee.G8, name + " has " + active + " active runs, limit " + limit + ", at " + event));
                    break;
                }
            }
        });
        listed(history, promises, found);
        return found;
    }

    private static void listed(History history, Promises promises, List<Violation> found) {
        for (var exchange : history.exchanges()) {
            var limit = promises.runLimits().get(exchange.tenant());
            if (limit == null
                    || !exchange.sent().method().equals("GET")
                    || !exchange.sent().path().equals("/api/v1/runs")) {
                continue;
            }
            exchange.reply().filter(Exchange.Reply::isSuccess).ifPresent(reply -> {
                int active = 0;
                for (var run : reply.json().path("items")) {
                    var state = run.path("state").asString("");
                    active += state.equals("RUNNING") || state.equals("WAITING") ? 1 : 0;
                }
                if (active > limit) {
                    found.add(new Violation(
                            Guarantee.G8, exchange.tenant() + " listed " + active + " active runs, limit " + limit));
                }
            });
        }
    }
}
