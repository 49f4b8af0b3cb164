package dev.nonbis.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.json.Json;
import dev.nonbis.json.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ApprovalCommandsTest {

    private static final String REQUEST = "{\"input\":{\"eur\":24.5,\"to\":\"x\u202ey\"},\"topic\":\"job.refund\"}";
    private static final String HASH = Sha256.hex(Json.canonical(Json.parse(REQUEST.getBytes(StandardCharsets.UTF_8))));

    private final ScriptedApi api = new ScriptedApi();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @AfterEach
    void stop() {
        api.close();
    }

    private int run(String... args) {
        var streams = new Terminal.Streams(
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        var environment = Map.of("NONBIS_URL", api.url().toString(), "NONBIS_API_KEY", "token");
        var terminal = new Terminal(
                streams, environment, Path.of(""), wait -> {}, () -> Instant.parse("2026-03-01T13:00:00Z"));
        return new NonbisCommand(terminal, config -> {
                    throw new StartRefused("no server", "none is needed here");
                })
                .run(args);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private static String approval(String status, String more) {
        return "{\"job_id\":\"job_1\",\"status\":\"" + status + "\",\"submitted_by\":\"dave\",\"request_hash\":\""
                + HASH
                + "\",\"requested_at\":\"2026-03-01T12:00:00.000000Z\",\"expires_at\":\"2026-03-08T12:00:00.000000Z\","
                + "\"matched_rule_id\":\"big-refund\"" + more
                + ",\"job\":{\"state\":\"APPROVAL\",\"topic\":\"job.refund\",\"run_id\":\"run_1\",\"step\":\"pay\"},\"request\":"
                + REQUEST + "}";
    }

    @Test
    void show_tells_exactly_what_would_run_and_how_to_decide_about_just_that() {
        api.answers(approval("waiting", ""));

        assertThat(run("approvals", "show", "job_1")).isZero();

        assertThat(out()).isEqualTo("""
                job       job_1, APPROVAL
                topic     job.refund
                step      pay of run_1
                asked by  dave at 2026-03-01T12:00:00.000000Z
                rule      big-refund
                expires   2026-03-08T12:00:00.000000Z, in 6 d 23 h
                decision  none yet
                hash      %1$s

                would run:
                note: it contains invisible characters, shown as escapes such as \\u202e
                {
                  "input" : {
                    "eur" : 24.5,
                    "to" : "x\\u202ey"
                  },
                  "topic" : "job.refund"
                }

                to decide about exactly this:
                  nonbis approvals approve job_1 --digest %1$s
                  nonbis approvals reject job_1 --digest %1$s -m REASON
                """.formatted(HASH));
        assertThat(err()).isEmpty();
        assertThat(api.requests()).singleElement().asString().startsWith("GET /api/v1/approvals/job_1 ");
    }

    @Test
    void show_tells_a_decision_and_offers_no_other() {
        api.answers(
                approval(
                        "decided",
                        ",\"decision\":{\"kind\":\"rejected\",\"by\":\"bob\",\"at\":\"2026-03-01T12:30:00.000000Z\",\"reason\":\"too much\"}"));

        assertThat(run("approvals", "show", "job_1")).isZero();

        assertThat(out())
                .contains(
                        "decision  rejected by bob at 2026-03-01T12:30:00.000000Z\nreason    too much\n",
                        "was asked about:")
                .doesNotContain("expires", "nonbis approvals");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--json"})
    void show_refuses_content_that_does_not_have_the_digest(String option) {
        api.answers(approval("waiting", "").replace("24.5", "2450"));

        int exit = option.isEmpty() ? run("approvals", "show", "job_1") : run("approvals", "show", "job_1", option);

        assertThat(exit).isEqualTo(1);
        assertThat(out()).isEmpty();
        assertThat(err()).contains("is not the digest of the request", "decide nothing");
    }

    @Test
    void show_gives_the_servers_json_as_it_came() {
        api.answers(approval("waiting", ""));

        assertThat(run("approvals", "show", "job_1", "--json")).isZero();

        assertThat(out()).isEqualTo(approval("waiting", "") + "\n");
    }

    @ParameterizedTest
    @CsvSource({"approve, approved", "reject, rejected"})
    void a_decision_is_sent_with_all_that_was_said(String call, String word) {
        api.answers("{\"job_id\":\"job_1\",\"status\":\"" + word + "\"}");

        assertThat(run("approvals", call, "job_1", "-m", "fine", "--note", "n", "--digest", HASH))
                .isZero();

        assertThat(api.requests())
                .containsExactly("POST /api/v1/approvals/job_1/" + call
                        + " Bearer token - {\"reason\":\"fine\",\"note\":\"n\",\"request_hash\":\"" + HASH + "\"}");
        assertThat(out()).contains("status  " + word);
        assertThat(err()).isEmpty();
    }

    @Test
    void a_decision_that_counted_before_is_success_and_says_whose_it_was() {
        String body =
                "{\"job_id\":\"job_1\",\"status\":\"already_approved\",\"approved_by\":\"bob\",\"approved_at\":\"then\"}";
        api.replays(body);

        assertThat(run("approvals", "approve", "job_1", "--json")).isZero();

        assertThat(out()).isEqualTo(body + "\n");
        assertThat(err()).endsWith("counted before: approved by bob at then; this call changed nothing\n");
    }

    @ParameterizedTest
    @CsvSource({
        "409, approval_already_approved, never, 5, someone decided otherwise",
        "409, approval_already_rejected, never, 5, someone decided otherwise",
        "409, not_awaiting_approval, never, 5, there is nothing to decide",
        "409, approval_expired, never, 5, nobody decided in time",
        "409, approval_stale_request, fix_request, 5, not what you were shown",
        "403, self_approval_denied, never, 3, somebody else has to",
        "403, forbidden, fix_request, 4, correct the request",
        "404, job_not_found, fix_request, 1, correct the request"
    })
    void every_refusal_has_its_exit_code_and_its_words(int status, String code, String retry, int exit, String words) {
        api.refuses(status, code, retry);

        assertThat(run("approvals", "reject", "job_1")).isEqualTo(exit);

        assertThat(err())
                .startsWith("error: " + code + ": the detail\nnext: retry " + retry + ": ")
                .contains(words);
        assertThat(out()).isEmpty();
    }

    @Test
    void lists_show_what_matters_in_each() {
        String page = "{\"items\":["
                + approval("decided", ",\"decision\":{\"kind\":\"expired\",\"by\":\"system:expiry\",\"at\":\"t\"}")
                + "],\"next\":null}";
        api.answers(page).answers(page);

        assertThat(run("approvals", "list")).isZero();
        assertThat(run("approvals", "list", "--status", "decided", "--limit", "5"))
                .isZero();

        assertThat(out().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "job_id submitted_by requested_at expires_at matched_rule_id",
                        "job_1 dave 2026-03-01T12:00:00.000000Z 2026-03-08T12:00:00.000000Z big-refund",
                        "job_id submitted_by decision.kind decision.by decision.at",
                        "job_1 dave expired system:expiry t");
        assertThat(api.requests().get(0)).startsWith("GET /api/v1/approvals?status=waiting ");
        assertThat(api.requests().get(1)).startsWith("GET /api/v1/approvals?status=decided&limit=5 ");
    }
}
