package dev.nonbis.server.http;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Files that ship inside the jar, under {@code /web}. */
final class Assets {

    private Assets() {}

    static Response file(String name, String contentType) {
        try (var in = Assets.class.getResourceAsStream("/web/" + name)) {
            if (in == null) {
                throw new Refusal(Problem.of(ProblemCode.NOT_FOUND, "This server does not ship " + name + "."));
            }
            var headers = Map.of("Cache-Control", "max-age=3600", "X-Content-Type-Options", "nosniff");
            return new Response(200, contentType, headers, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
