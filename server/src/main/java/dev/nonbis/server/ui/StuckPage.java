package dev.nonbis.server.ui;

import dev.nonbis.core.operation.FindStuck;
import dev.nonbis.core.store.Store;
import dev.nonbis.server.http.Response;
import java.util.List;

/** Everything that does not get on by itself, with what to do about it. */
public final class StuckPage {

    private static final Pages.Page PAGE = new Pages.Page("stuck.jte", "Stuck", "stuck");

    private final Pages pages;
    private final FindStuck findStuck;

    StuckPage(Pages pages, Store store) {
        this.pages = pages;
        this.findStuck = new FindStuck(store);
    }

    /** One thing, why it is here, and the next thing to do. */
    public record Row(String id, String what, String why, String since, String waited, String tone, Step step) {}

    /** Where to go, and what for. */
    public record Step(String address, String text) {}

    /** All of it. */
    public record Stuck(List<Row> rows) {}

    Response show(Visit visit) {
        return pages.show(visit, PAGE, new Stuck(rows(visit)));
    }

    List<Row> rows(Visit visit) {
        return findStuck.find(visit.tenant(), visit.now()).stream()
                .map(stuck -> row(visit, stuck))
                .toList();
    }

    private static Row row(Visit visit, FindStuck.Stuck stuck) {
        String address = RequestPages.address(stuck.id());
        String why = switch (stuck.kind()) {
            case UNKNOWN_OUTCOME -> "A worker started it and never answered. Its effect may or may not exist.";
            case DEAD_LETTER -> "It ran out of attempts.";
            case APPROVAL_EXPIRES -> "Nobody has decided, and soon it will be denied.";
            case NOT_STARTED -> "No worker has taken it.";
            case OVERDUE -> "Its time is over and nothing has been done about it yet.";
        };
        var step = switch (stuck.kind()) {
            case UNKNOWN_OUTCOME -> new Step(address, "Find out what happened, then say how it ended");
            case DEAD_LETTER -> new Step("/dead-letters", "Retry or discard it");
            case APPROVAL_EXPIRES -> new Step("/approvals/" + stuck.id(), "Decide");
            case NOT_STARTED -> new Step("/topics", "See whether a worker takes this topic");
            case OVERDUE -> new Step(address, "Look at it, and at the log of the server");
        };
        String tone = stuck.kind() == FindStuck.Kind.UNKNOWN_OUTCOME ? "hand" : "ask";
        return new Row(
                stuck.id(),
                stuck.what(),
                why,
                Show.rfc3339(stuck.since()),
                Show.span(java.time.Duration.between(stuck.since(), visit.now())),
                tone,
                step);
    }
}
