package dev.nonbis.server.ui;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Failures;
import dev.nonbis.server.http.Handler;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import java.time.InstantSource;
import java.util.Optional;

/** Lets in who is signed in, sends others to the door, and tells in a page what goes wrong. */
public final class Guard {

    private static final Pages.Page TROUBLE = new Pages.Page("trouble.jte", "That did not work", "");
    static final Pages.Page ONCE_MORE = new Pages.Page("once-more.jte", "One moment", "");

    private final Sessions sessions;
    private final Pages pages;
    private final Failures failures;
    private final InstantSource clock;

    Guard(Sessions sessions, Pages pages, Failures failures, InstantSource clock) {
        this.sessions = sessions;
        this.pages = pages;
        this.failures = failures;
        this.clock = clock;
    }

    /** Shows something to somebody signed in. */
    @FunctionalInterface
    interface Page {
        Response show(Visit visit);
    }

    /** Does something for somebody signed in, who sent a form of ours. */
    @FunctionalInterface
    interface Action {
        Response act(Visit visit, Form form);
    }

    Handler page(Page page) {
        return call -> known(call)
                .map(visit -> tried(visit, () -> page.show(visit.havingHeard(pages.lastEvent(visit.tenant())))))
                .orElseGet(() -> toTheDoor(call.request()));
    }

    Handler action(Action action) {
        return call -> known(call)
                .map(visit -> tried(visit, () -> {
                    var form = Form.of(call.request());
                    if (!sessions.isFormOf(visit.session(), form)) {
                        throw new Refusal(
                                Problem.of(
                                        ProblemCode.FORBIDDEN,
                                        "This form is not from this session. Nothing was done; load the page again and repeat."));
                    }
                    return action.act(visit, form);
                }))
                .orElseGet(() -> Pages.redirect("/sign-in"));
    }

    private Optional<Visit> known(Call call) {
        return sessions.of(call.request())
                .map(known -> {
                    call.request().belongsTo(known.actor().tenant());
                    call.request().charge(Route.AnswerSize.PAGE.bytes());
                    return known;
                })
                .map(known -> new Visit(call.request(), known.session(), known.actor(), clock.instant(), 0));
    }

    private Response tried(Visit visit, java.util.function.Supplier<Response> work) {
        try {
            return work.get();
        } catch (Refusal refusal) {
            return trouble(visit, refusal.problem());
        } catch (RuntimeException failure) {
            return trouble(visit, failures.problemFor(failure).orElseThrow(() -> failure));
        }
    }

    private Response trouble(Visit visit, Problem problem) {
        return pages.show(
                visit,
                TROUBLE,
                problem.code().status(),
                new Trouble(
                        problem.code().title(), problem.detail(), problem.code().word()));
    }

    /** What went wrong. */
    public record Trouble(String title, String detail, String code) {}

    /**
     * A browser keeps a strict cookie back when a link in a mail or a chat was followed. The page that answers loads itself again, from
     * here, and then the cookie comes along.
     */
    private Response toTheDoor(Request request) {
        if (request.header("hx-request").isPresent()) {
            return Pages.redirect("/sign-in").with("HX-Refresh", "true");
        }
        boolean fromElsewhere =
                request.header("sec-fetch-site").filter("cross-site"::equals).isPresent();
        return fromElsewhere
                ? pages.show(ONCE_MORE, 200, request.path())
                : Pages.redirect("/sign-in?next=" + Show.segment(request.path()));
    }
}
