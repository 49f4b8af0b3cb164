package dev.nonbis.server.ui;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.operation.AuditLog;
import dev.nonbis.core.operation.CountEvents;
import dev.nonbis.core.operation.ListApprovals;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.metrics.Metrics.Layer;
import dev.nonbis.server.metrics.Recent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How things stand, at a glance. */
public final class OverviewPage {

    private static final Pages.Page PAGE = new Pages.Page("overview.jte", "Overview", "overview");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int SHOWN = 6;

    private final Pages pages;
    private final StuckPage stuck;
    private final Ports ports;
    private final CountEvents countEvents;
    private final ListApprovals listApprovals;
    private final Recent recent;

    OverviewPage(Pages pages, StuckPage stuck, Ports ports, Recent recent) {
        this.pages = pages;
        this.stuck = stuck;
        this.ports = ports;
        this.countEvents = new CountEvents(ports.store());
        this.listApprovals = new ListApprovals(ports.store());
        this.recent = recent;
    }

    /** A number worth a glance. */
    public record Tile(String text, String number, String note, String address, String tone) {}

    /** What waits for a human. */
    public record Waiting(String id, String askedBy, String waited, String left) {}

    /** All of it. */
    public record Overview(
            List<Tile> tiles,
            Chart effects,
            Chart stopped,
            List<Waiting> waiting,
            List<StuckPage.Row> stuck,
            List<AuditPages.Row> lately) {}

    Response show(Visit visit) {
        var tenant = ports.store().find(Tables.TENANTS, visit.tenant()).orElse(TenantState.NEW);
        var waiting = waiting(visit);
        var rows = stuck.rows(visit);
        var overview = new Overview(
                tiles(tenant, Pages.many(waiting.size()), rows.size()),
                Chart.of(List.of(new Chart.Series(
                        "events", "effect", countEvents.count(visit.tenant(), visit.now(), MINUTE, Recent.MINUTES)))),
                stopped(recent.blocked(visit.tenant())),
                waiting.stream().limit(SHOWN).toList(),
                rows.stream().limit(SHOWN).toList(),
                lately(visit));
        return pages.show(visit, PAGE, overview);
    }

    private static List<Tile> tiles(TenantState tenant, String asked, int stuck) {
        var jobs = tenant.jobs();
        long queued = jobs.in(JobState.PENDING) + jobs.in(JobState.SCHEDULED) + jobs.in(JobState.DISPATCHED);
        String limit = tenant.runLimit()
                .flatMap(TenantState.RunLimit::maxConcurrentRuns)
                .map(most -> "of " + most + " allowed")
                .orElse("no limit");
        return List.of(
                new Tile(
                        "Wait for a human",
                        asked,
                        "jobs and payments",
                        "/approvals",
                        asked.equals("0") ? "rest" : "ask"),
                new Tile("Stuck", Show.count(stuck), "past a deadline", "/stuck", stuck == 0 ? "rest" : "hand"),
                new Tile("Queued", Show.count(queued), "no worker yet", "/jobs?state=DISPATCHED", "move"),
                new Tile("Running", Show.count(jobs.in(JobState.RUNNING)), "", "/jobs?state=RUNNING", "move"),
                new Tile("Active runs", Show.count(tenant.activeRuns()), limit, "/runs?state=RUNNING", "move"),
                new Tile(
                        "Succeeded",
                        Show.count(jobs.in(JobState.SUCCEEDED)),
                        Show.count(jobs.in(JobState.FAILED)) + " failed",
                        "/jobs?state=SUCCEEDED",
                        "good"));
    }

    private static Chart stopped(List<Map<Layer, Long>> minutes) {
        return Chart.of(Arrays.stream(Layer.values())
                .map(layer -> new Chart.Series(
                        layer.word(),
                        layer.word(),
                        minutes.stream()
                                .map(minute -> minute.getOrDefault(layer, 0L))
                                .toList()))
                .toList());
    }

    private List<Waiting> waiting(Visit visit) {
        var page = listApprovals.list(visit.tenant(), Approval.Status.WAITING, Optional.empty(), Pages.MANY + 1);
        var waiting = new ArrayList<Waiting>();
        for (var approval : page.items()) {
            waiting.add(new Waiting(
                    approval.subject().id(),
                    approval.subject().submittedBy(),
                    Show.ago(approval.requestedAt(), visit.now()),
                    Show.span(Duration.between(visit.now(), approval.expiresAt()))));
        }
        return waiting;
    }

    /** The end of the log, for those who may read it. */
    private List<AuditPages.Row> lately(Visit visit) {
        if (!visit.may(Role.AUDITOR, Role.OPERATOR)) {
            return List.of();
        }
        return ports
                .store()
                .read(tx -> AuditLog.before(tx, visit.tenant(), Optional.empty(), SHOWN + 2))
                .events()
                .stream()
                .map(AuditPages::row)
                .toList();
    }
}
