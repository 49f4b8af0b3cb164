package dev.nonbis.bench.approvals;

import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.http.HttpConnection;
import dev.nonbis.bench.measure.Subject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Asks the server for the ids of everything that waits for a decision. */
final class WaitingJobs {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private WaitingJobs() {}

    static List<byte[]> of(Subject subject) throws IOException {
        var ids = new ArrayList<byte[]>();
        try (var connection = HttpConnection.open(subject.api(), PATIENCE)) {
            var after = "";
            while (true) {
                var answer = connection.send(Call.get("/api/v1/approvals?status=waiting&limit=1000" + after)
                        .as(subject.token()));
                if (answer.status() != 200) {
                    throw new IOException("the list of approvals: " + answer);
                }
                var page = JsonMapper.shared().readTree(answer.body());
                for (var item : page.path("items")) {
                    ids.add(item.path("job_id").asString().getBytes(StandardCharsets.US_ASCII));
                }
                var next = page.path("next");
                if (!next.isString()) {
                    return ids;
                }
                after = "&after=" + next.asString();
            }
        }
    }
}
