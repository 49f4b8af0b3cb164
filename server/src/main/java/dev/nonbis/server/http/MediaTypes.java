package dev.nonbis.server.http;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import java.util.Locale;

/** What a request's Content-Type and Accept headers mean to us. */
final class MediaTypes {

    private static final String FORM = "application/x-www-form-urlencoded";

    private MediaTypes() {}

    static void check(Request request, Route.BodyType expected) {
        switch (expected) {
            case JSON -> checkJson(request);
            case FORM -> checkForm(request);
        }
    }

    private static void checkForm(Request request) {
        var types = request.headerValues("content-type");
        if (types.size() != 1 || !types.getFirst().toLowerCase(Locale.ROOT).startsWith(FORM)) {
            throw new Refusal(Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "The body must be " + FORM + "."));
        }
    }

    /** A body is JSON in UTF-8 or says nothing about itself. */
    private static void checkJson(Request request) {
        if (request.body().length == 0) {
            return;
        }
        var types = request.headerValues("content-type");
        boolean fine = types.isEmpty() || (types.size() == 1 && isJson(types.getFirst()));
        if (!fine) {
            throw new Refusal(Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json."));
        }
    }

    private static boolean isJson(String type) {
        if (type.equals(Response.JSON)) {
            return true;
        }
        var parts = type.toLowerCase(Locale.ROOT).split(";", -1);
        if (!parts[0].strip().equals(Response.JSON)) {
            return false;
        }
        for (int i = 1; i < parts.length; i++) {
            var parameter = parts[i].strip().replace("\"", "");
            if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
                return false;
            }
        }
        return true;
    }

    /** Whether the client would rather read HTML than JSON, as a browser does. */
    static boolean prefersHtml(Request request) {
        double html = 0;
        double json = 0;
        for (var range : String.join(",", request.headerValues("accept")).split(",", -1)) {
            var parts = range.toLowerCase(Locale.ROOT).split(";", -1);
            double weight = weight(parts);
            switch (parts[0].strip()) {
                case "text/html", "application/xhtml+xml" -> html = Math.max(html, weight);
                case "application/json", "application/problem+json", "application/*" -> json = Math.max(json, weight);
                default -> {}
            }
        }
        return html > json;
    }

    private static double weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            var parameter = parts[i].strip();
            if (parameter.startsWith("q=")) {
                try {
                    return Double.parseDouble(parameter.substring(2));
                } catch (NumberFormatException unreadable) {
                    return 0;
                }
            }
        }
        return 1;
    }
}
