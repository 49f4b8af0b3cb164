package dev.nonbis.core.problem;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Every code a client can meet. The word, the status and the retry are part of the contract; the advice is its page. */
public enum ProblemCode {
    MALFORMED_JSON(
            "malformed_json",
            400,
            Retry.FIX_REQUEST,
            "The body is not JSON",
            "Send one JSON value in UTF-8. Nothing was recorded."),
    JSON_TOO_DEEP(
            "json_too_deep",
            400,
            Retry.FIX_REQUEST,
            "The JSON is nested too deeply",
            "Nest objects and arrays at most 64 deep. Nothing was recorded."),
    JSON_NOT_CANONICAL(
            "json_not_canonical",
            400,
            Retry.FIX_REQUEST,
            "The JSON has no canonical form",
            "Remove repeated member names and lone surrogates, and send numbers that a double cannot hold as strings. Nothing was recorded."),
    OVERLOADED(
            "overloaded",
            503,
            Retry.SAME_KEY,
            "The server has more work than it can take",
            "Send the same request again after Retry-After. Nothing was recorded, the key is free.");

    private static final Map<String, ProblemCode> BY_WORD =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(ProblemCode::word, Function.identity()));

    private final String word;
    private final int status;
    private final Retry retry;
    private final String title;
    private final String advice;

    ProblemCode(String word, int status, Retry retry, String title, String advice) {
        this.word = word;
        this.status = status;
        this.retry = retry;
        this.title = title;
        this.advice = advice;
    }

    public static Optional<ProblemCode> of(String word) {
        return Optional.ofNullable(BY_WORD.get(word));
    }

    public String word() {
        return word;
    }

    public int status() {
        return status;
    }

    public Retry retry() {
        return retry;
    }

    public String title() {
        return title;
    }

    /** What the client should do, for the code's own page. */
    public String advice() {
        return advice;
    }
}
