package dev.nonbis.bench.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** One response; header names are lowercase. */
public record Answer(int status, Map<String, String> headers, byte[] body) {

    public Optional<String> header(String lowercaseName) {
        return Optional.ofNullable(headers.get(lowercaseName));
    }

    public boolean replayed() {
        return header("idempotent-replayed").filter("true"::equals).isPresent();
    }

    public boolean isSuccess() {
        return status < 300;
    }

    /** The server says that it is wrong. No request and no fault may bring that about; 503 is a refusal for now. */
    public boolean isMistake() {
        return status >= 500 && status != 503;
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Everything a person needs to judge it, on one line. */
    @Override
    public String toString() {
        var text = text();
        return status
                + (replayed() ? " (replayed) " : " ")
                + (text.length() > 600 ? text.substring(0, 600) + "…" : text);
    }
}
