package dev.nonbis.bench.approvals;

import static dev.nonbis.bench.load.RequestTemplate.SLOT;

import dev.nonbis.bench.load.Expected;
import dev.nonbis.bench.load.Phase;
import dev.nonbis.bench.load.RequestTemplate;
import dev.nonbis.bench.measure.Scenario;
import dev.nonbis.bench.measure.Subject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** The requests of the approvals bench. A decision uses up a job that waits; the jobs before it can be decided again. */
public final class ApprovalTraffic {

    /** The topic for which the server's policy must ask a human. */
    public static final String TOPIC = "job.ask";

    private static final String BODY = "{\"reason\":\"Checked with the customer and with billing\"}";

    private final Subject subject;
    private final SplittableRandom random = new SplittableRandom(42);
    private final List<byte[]> jobs = new ArrayList<>();
    private int decided;
    private long asked;
    private long decisionsPerRound = Long.MAX_VALUE;

    public ApprovalTraffic(Subject subject) {
        this.subject = subject;
    }

    /** Takes over ids of jobs that wait; at most so many of them are decided in one round. */
    void add(List<byte[]> waiting, long perRound) {
        jobs.subList(decided, jobs.size()).clear();
        jobs.addAll(waiting);
        decisionsPerRound = perRound;
    }

    long decided() {
        return decided;
    }

    Scenario scenario(boolean withNoop) {
        return new Scenario(
                "approvals",
                withNoop ? Optional.of(noop()) : Optional.empty(),
                List.of(decision(), replay(), conflict()));
    }

    /** Submits a job that will wait. */
    Phase ask() {
        var template = RequestTemplate.of(head("/api/v1/jobs"), """
                {"topic":"%s","input":{"customer":"c-%s","eur":250}}""".formatted(TOPIC, SLOT));
        return new Phase("ask", into -> template.write(asked++, into), new Expected(200, false));
    }

    private Phase noop() {
        var template = RequestTemplate.of(head("/api/v1/noop"), BODY);
        return new Phase("no-op", into -> template.write(0, into), new Expected(200, false));
    }

    private Phase decision() {
        var request = new AboutJob("approve");
        return new Phase(
                "decision",
                into -> request.write(jobs.get(decided++), into),
                new Expected(200, false),
                () -> Math.min(decisionsPerRound, jobs.size() - decided));
    }

    private Phase replay() {
        var request = new AboutJob("approve");
        return new Phase("replay", into -> request.write(anyDecided(), into), new Expected(200, true));
    }

    private Phase conflict() {
        var request = new AboutJob("reject");
        return new Phase("conflict", into -> request.write(anyDecided(), into), new Expected(409, false));
    }

    private byte[] anyDecided() {
        return jobs.get(random.nextInt(decided));
    }

    private String head(String path) {
        return """
                POST %s HTTP/1.1
                Host: %s
                Authorization: Bearer %s
                """.formatted(path, subject.host(), subject.token());
    }

    /** A decision's bytes around the id of the job. */
    private final class AboutJob {

        private final byte[] before;
        private final byte[] after;

        AboutJob(String call) {
            before = "POST /api/v1/approvals/".getBytes(StandardCharsets.US_ASCII);
            after = ("/" + call + " HTTP/1.1\r\nHost: " + subject.host() + "\r\nAuthorization: Bearer "
                            + subject.token() + "\r\nContent-Type: application/json\r\nContent-Length: " + BODY.length()
                            + "\r\n\r\n" + BODY)
                    .getBytes(StandardCharsets.US_ASCII);
        }

        void write(byte[] id, ByteBuffer into) {
            into.put(before).put(id).put(after);
        }
    }
}
