package dev.nonbis.server.ui;

import dev.nonbis.server.http.Request;
import java.time.Duration;
import java.util.Optional;

/** Reads and writes cookies. A cookie never leaves our own pages, and no script sees it. */
final class Cookies {

    private final boolean secure;

    /**
     * Cookies of one listener.
     *
     * @param secure whether the listener speaks TLS, so that the browser may be told to send them over nothing else
     */
    Cookies(boolean secure) {
        this.secure = secure;
    }

    Optional<String> read(Request request, String name) {
        String wanted = full(name) + "=";
        for (String header : request.headerValues("cookie")) {
            for (String pair : header.split(";", -1)) {
                String cookie = pair.strip();
                if (cookie.startsWith(wanted)) {
                    return Optional.of(cookie.substring(wanted.length()));
                }
            }
        }
        return Optional.empty();
    }

    String write(String name, String value, Duration lifetime) {
        return write(name, value, lifetime, "Strict");
    }

    /** A cookie that comes along when another site sends the browser back to us, and at no other time than that. */
    String writeForReturn(String name, String value, Duration lifetime) {
        return write(name, value, lifetime, "Lax");
    }

    private String write(String name, String value, Duration lifetime, String sameSite) {
        return full(name) + "=" + value + "; Path=/; Max-Age=" + lifetime.toSeconds() + "; HttpOnly; SameSite="
                + sameSite + (secure ? "; Secure" : "");
    }

    String remove(String name) {
        return write(name, "", Duration.ZERO);
    }

    // A browser takes this prefix from nobody but the host itself over TLS.
    private String full(String name) {
        return (secure ? "__Host-" : "") + name;
    }
}
