package dev.nonbis.server.http;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.problem.Retry;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A page for every problem code, for people as HTML and for programs as JSON. */
final class ProblemPages {

    private static final Pattern CODE = Pattern.compile("`([^`]*)`");
    private static final String EXAMPLE_REQUEST = "req_01jc5x7m0gq8d3b6w9h2z4rtya";

    /** Nothing but our own style sheet: no script, no frame, no form. */
    private static final Map<String, String> HTML_HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Vary",
            "Accept");

    private ProblemPages() {}

    static Response index(Call call) {
        return MediaTypes.prefersHtml(call.request()) ? indexHtml() : indexJson();
    }

    static Response page(Call call) {
        var code = ProblemCode.of(call.request().pathParam("code"))
                .orElseThrow(() -> new Refusal(Problem.of(ProblemCode.NOT_FOUND, "There is no such problem code.")));
        return MediaTypes.prefersHtml(call.request())
                ? pageHtml(code)
                : Response.json(200, summary(code)).with("Vary", "Accept");
    }

    private static Response indexJson() {
        var items = Arrays.stream(ProblemCode.values())
                .<JsonValue>map(ProblemPages::summary)
                .toList();
        var body = JsonObject.builder().put("items", new JsonArray(items)).build();
        return Response.json(200, body).with("Vary", "Accept");
    }

    private static JsonObject summary(ProblemCode code) {
        return JsonObject.builder()
                .put("type", "/problems/" + code.word())
                .put("code", code.word())
                .put("status", code.status())
                .put("retry", code.retry().word())
                .put("title", code.title())
                .put("advice", code.advice())
                .build();
    }

    private static Response indexHtml() {
        var rows = Arrays.stream(ProblemCode.values()).map(ProblemPages::row).collect(Collectors.joining());
        return html("Problems", """
                <h1>Problems</h1>
                <p>Every refusal and failure that this server answers with. A program decides by <code>code</code> and
                <code>retry</code>, never by the status.</p>
                <table>
                <thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Retry</th>\
                <th scope="col">Title</th></tr></thead>
                <tbody>
                %s</tbody>
                </table>
                """.formatted(rows));
    }

    private static String row(ProblemCode code) {
        return """
                <tr><th scope="row"><a href="/problems/%1$s"><code>%1$s</code></a></th><td>%2$d</td>\
                <td><code>%3$s</code></td><td>%4$s</td></tr>
                """.formatted(code.word(), code.status(), code.retry().word(), escaped(code.title()));
    }

    private static Response pageHtml(ProblemCode code) {
        return html(code.title(), """
                <p><a href="/problems">All problems</a></p>
                <h1>%s</h1>
                <dl>
                <dt>Code</dt><dd><code>%s</code></dd>
                <dt>Status</dt><dd>%d</dd>
                <dt>Retry</dt><dd><code>%s</code>: %s</dd>
                </dl>
                <h2>What to do</h2>
                <p>%s</p>
                <h2>What the answer looks like</h2>
                <pre tabindex="0"><code>%s</code></pre>
                """.formatted(
                        escaped(code.title()),
                        code.word(),
                        code.status(),
                        code.retry().word(),
                        meaning(code.retry()),
                        prose(code.advice()),
                        escaped(example(code))));
    }

    private static String meaning(Retry retry) {
        return switch (retry) {
            case SAME_KEY -> "send the same request again, with the same key";
            case FIX_REQUEST -> "nothing was recorded; correct the request, the key is still free";
            case NEW_KEY -> "the key belongs to something else; use another one";
            case NEVER -> "sending this again will not change the answer";
        };
    }

    /** One member a line, so that it can be read. */
    private static String example(ProblemCode code) {
        var lines = new ArrayList<String>();
        Problem.of(code, code.title() + ".")
                .toJson(EXAMPLE_REQUEST)
                .members()
                .forEach((name, value) ->
                        lines.add("  \"" + name + "\": " + new String(Json.write(value), StandardCharsets.UTF_8)));
        return "{\n" + String.join(",\n", lines) + "\n}";
    }

    private static Response html(String title, String main) {
        var page = """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>%s · Nonbis</title>
                <link rel="stylesheet" href="/assets/nonbis.css">
                </head>
                <body>
                <main>
                %s</main>
                </body>
                </html>
                """.formatted(escaped(title), main);
        return new Response(200, "text/html; charset=utf-8", HTML_HEADERS, page.getBytes(StandardCharsets.UTF_8));
    }

    /** Names between backticks are set as code. */
    private static String prose(String text) {
        return CODE.matcher(escaped(text)).replaceAll("<code>$1</code>");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
