package dev.nonbis.server.http;

import java.util.List;

/** Takes the token from {@code Authorization: Bearer} or {@code X-API-Key} and asks each kind of token in turn. */
public final class TokenAuthenticator implements Authenticator {

    private static final String BEARER = "bearer ";

    private final List<Tokens> kinds;

    public TokenAuthenticator(List<Tokens> kinds) {
        this.kinds = List.copyOf(kinds);
    }

    @Override
    public Result authenticate(Request request) {
        var authorization = request.headerValues("authorization");
        var apiKey = request.headerValues("x-api-key");
        if (authorization.isEmpty() && apiKey.isEmpty()) {
            return new Missing();
        }
        if (authorization.size() > 1 || apiKey.size() > 1) {
            return new Invalid();
        }
        if (authorization.isEmpty()) {
            return known(apiKey.getFirst());
        }
        var header = authorization.getFirst();
        if (!header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return new Invalid();
        }
        var token = header.substring(BEARER.length()).strip();
        return apiKey.isEmpty() || apiKey.getFirst().equals(token) ? known(token) : new Invalid();
    }

    private Result known(String token) {
        for (var kind : kinds) {
            var holder = kind.holder(token);
            if (holder.isPresent()) {
                return new Known(holder.get());
            }
        }
        return new Invalid();
    }
}
