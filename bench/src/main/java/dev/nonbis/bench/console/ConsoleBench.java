package dev.nonbis.bench.console;

import dev.nonbis.bench.admission.AdmissionTraffic;
import dev.nonbis.bench.load.LoadGenerator;
import dev.nonbis.bench.load.Span;
import dev.nonbis.bench.measure.Subject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Fills a server with jobs and then looks at every page, one after another, as a person would. */
public final class ConsoleBench {

    private static final List<String> PAGES = List.of(
            "/",
            "/approvals",
            "/approvals/decided",
            "/jobs",
            "/jobs?state=PENDING",
            "/jobs?state=FAILED",
            "/jobs?topic=job.default",
            "/jobs?label=team:billing",
            "/jobs?label=team:billing&state=DISPATCHED",
            "/jobs?state=PENDING&topic=job.none",
            "/jobs/{job}",
            "/jobs?after={job}",
            "/runs",
            "/payments",
            "/requests?operation=jobs&key=console-99",
            "/topics",
            "/dead-letters",
            "/stuck",
            "/audit");

    private static final Pattern JOB_ID = Pattern.compile("job_[0-9a-z]{26}");

    private final Plan plan;
    private final Subject subject;
    private final Consumer<String> progress;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /**
     * How much there is to look at, and how often.
     *
     * @param jobs how many jobs are submitted before
     * @param looks how often each page is asked for, after as many times that do not count
     */
    public record Plan(int connections, int jobs, int looks) {}

    /** How long one page took. */
    public record Timing(String page, double medianMillis, double slowestMillis, int bytes) {}

    public ConsoleBench(Plan plan, Subject subject, Consumer<String> progress) {
        this.plan = plan;
        this.subject = subject;
        this.progress = progress;
    }

    public List<Timing> run() throws IOException, InterruptedException {
        progress.accept("submitting " + plan.jobs() + " jobs");
        try (var generator = LoadGenerator.connect(subject.api(), plan.connections())) {
            generator.run(
                    new AdmissionTraffic(subject, "console", AdmissionTraffic.Order.RISING).fresh(),
                    Span.ofRequests(plan.jobs()));
        }
        progress.accept("looking at pages");
        String cookie = signIn();
        String job = someJob();
        var timings = new ArrayList<Timing>();
        for (var page : PAGES) {
            timings.add(look(page, page.replace("{job}", job), cookie));
        }
        return timings;
    }

    private String signIn() throws IOException, InterruptedException {
        var answer = client.send(
                HttpRequest.newBuilder(address("/sign-in"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString("key=" + subject.token()))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return answer.headers()
                .firstValue("Set-Cookie")
                .map(header -> header.split(";", 2)[0])
                .orElseThrow(() -> new IOException("the console let nobody in: " + answer.statusCode()));
    }

    private String someJob() throws IOException, InterruptedException {
        var answer = client.send(
                HttpRequest.newBuilder(address("/api/v1/jobs?limit=1"))
                        .header("Authorization", "Bearer " + subject.token())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        var id = JOB_ID.matcher(answer.body());
        if (!id.find()) {
            throw new IOException("no job in " + answer.body());
        }
        return id.group();
    }

    private Timing look(String page, String path, String cookie) throws IOException, InterruptedException {
        var millis = new ArrayList<Double>();
        int bytes = 0;
        for (int i = 0; i < 2 * plan.looks(); i++) {
            long start = System.nanoTime();
            var answer = client.send(
                    HttpRequest.newBuilder(address(path))
                            .header("Cookie", cookie)
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            double took = (System.nanoTime() - start) / 1e6;
            if (answer.statusCode() != 200) {
                throw new IOException(page + " answered " + answer.statusCode());
            }
            bytes = answer.body().length;
            if (i >= plan.looks()) {
                millis.add(took);
            }
        }
        Collections.sort(millis);
        return new Timing(page, millis.get(millis.size() / 2), millis.getLast(), bytes);
    }

    private URI address(String path) {
        return URI.create("http://" + subject.host() + path);
    }
}
