package dev.nonbis.server.ui;

import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Response;
import java.time.Duration;

/** Whether single keys are shortcuts. They can be in the way of speech input, so they can be switched off. */
final class Shortcuts {

    private static final String COOKIE = "nonbis_keys";
    private static final Duration A_YEAR = Duration.ofDays(365);

    private Shortcuts() {}

    static boolean areOn(Cookies cookies, Request request) {
        return !cookies.read(request, COOKIE).orElse("on").equals("off");
    }

    static Response set(Cookies cookies, boolean on, Response answer) {
        return answer.with("Set-Cookie", cookies.write(COOKIE, on ? "on" : "off", A_YEAR));
    }
}
