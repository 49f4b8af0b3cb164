package dev.nonbis.server.ui;

import dev.nonbis.json.Sha256;
import dev.nonbis.server.http.Access;
import dev.nonbis.server.http.Method;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Scripts and pictures from the jar. Their addresses change with their content, so a browser may keep them for good. */
final class Assets {

    private static final Map<String, String> HEADERS =
            Map.of("Cache-Control", "public, max-age=31536000, immutable", "X-Content-Type-Options", "nosniff");
    private static final String HTMX = "/META-INF/resources/webjars/htmx.org/2.0.10/dist/htmx.min.js";

    private final byte[] htmx = read(HTMX);
    private final byte[] script = read("/web/console.js");
    private final byte[] icon = read("/web/icon.svg");
    private final byte[] styles = read("/web/nonbis.css");

    Frame.Addresses addresses() {
        return new Frame.Addresses(
                address("nonbis.css", styles),
                address("htmx.js", htmx),
                address("console.js", script),
                address("icon.svg", icon));
    }

    List<Route> routes() {
        return List.of(
                route("/assets/htmx.js", "getHtmx", "text/javascript; charset=utf-8", htmx),
                route("/assets/console.js", "getConsoleScript", "text/javascript; charset=utf-8", script),
                route("/assets/icon.svg", "getIcon", "image/svg+xml", icon));
    }

    private static Route route(String path, String name, String type, byte[] bytes) {
        return new Route(Method.GET, path, Access.open(), name, call -> new Response(200, type, HEADERS, bytes));
    }

    private static String address(String name, byte[] bytes) {
        return "/assets/" + name + "?" + Sha256.hex(bytes).substring(0, 12);
    }

    private static byte[] read(String path) {
        try (var in = Assets.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("not shipped: " + path);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
