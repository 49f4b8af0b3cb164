package dev.nonbis.server.http;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is at a path. A literal segment wins over a parameter. The path is split before it is decoded, so that an encoded
 * slash is a character of a parameter and never a separator.
 */
final class RouteTree {

    /** What is at a path: routes by method, and the values of the parameters in the order of the path. */
    record Found(Node node, List<String> values) {}

    /** The place of one pattern. */
    static final class Node {
        private final Map<String, Node> literals = new HashMap<>();
        private @Nullable Node parameter;
        private final Map<Method, Route> routes = new EnumMap<>(Method.class);
        private final Map<Method, List<String>> names = new EnumMap<>(Method.class);

        Optional<Route> route(Method method) {
            return Optional.ofNullable(routes.get(method));
        }

        Map<String, String> params(Method method, List<String> values) {
            if (values.isEmpty()) {
                return Map.of();
            }
            SequencedMap<String, String> params = new TreeMap<>();
            var its = names.getOrDefault(method, List.of());
            for (int i = 0; i < its.size(); i++) {
                params.put(its.get(i), values.get(i));
            }
            return params;
        }

        /** The methods for an Allow header. */
        List<String> allowed() {
            var allowed = new ArrayList<String>();
            for (var method : routes.keySet()) {
                allowed.add(method.name());
                if (method == Method.GET) {
                    allowed.add("HEAD");
                }
            }
            allowed.add("OPTIONS");
            return allowed;
        }
    }

    private final Node root = new Node();
    private final Map<String, Found> literalPaths = new HashMap<>();

    RouteTree(List<Route> routes) {
        routes.forEach(this::add);
    }

    private void add(Route route) {
        var node = root;
        var names = new ArrayList<String>();
        for (var segment : segments(route.pattern())) {
            if (segment.startsWith("{") && segment.endsWith("}")) {
                names.add(segment.substring(1, segment.length() - 1));
                var next = node.parameter;
                if (next == null) {
                    next = new Node();
                    node.parameter = next;
                }
                node = next;
            } else {
                node = node.literals.computeIfAbsent(segment, s -> new Node());
            }
        }
        if (node.routes.put(route.method(), route) != null) {
            throw new IllegalStateException("two routes for " + route.method() + " " + route.pattern());
        }
        node.names.put(route.method(), names);
        if (names.isEmpty()) {
            literalPaths.put(route.pattern(), new Found(node, List.of()));
        }
    }

    Optional<Found> find(String path) {
        var literal = literalPaths.get(path);
        if (literal != null) {
            return Optional.of(literal);
        }
        if (path.isEmpty() || path.charAt(0) != '/') {
            return Optional.empty();
        }
        var segments = new ArrayList<String>();
        for (var raw : segments(path)) {
            // A dot segment is a relative reference that nobody resolved, and an empty one is a slash too many.
            var segment = raw.equals(".") || raw.equals("..") ? Optional.<String>empty() : Percent.segment(raw);
            if (segment.isEmpty() || segment.get().isEmpty()) {
                return Optional.empty();
            }
            segments.add(segment.get());
        }
        var values = new ArrayList<String>(2);
        var node = find(root, segments, 0, values);
        return node == null ? Optional.empty() : Optional.of(new Found(node, values));
    }

    private static @Nullable Node find(Node from, List<String> segments, int at, List<String> values) {
        if (at == segments.size()) {
            return from.routes.isEmpty() ? null : from;
        }
        var literal = from.literals.get(segments.get(at));
        if (literal != null) {
            var found = find(literal, segments, at + 1, values);
            if (found != null) {
                return found;
            }
        }
        var parameter = from.parameter;
        if (parameter == null) {
            return null;
        }
        values.add(segments.get(at));
        var found = find(parameter, segments, at + 1, values);
        if (found == null) {
            values.removeLast();
        }
        return found;
    }

    private static List<String> segments(String path) {
        var segments = new ArrayList<String>(6);
        int from = 1;
        for (int slash = path.indexOf('/', 1); slash >= 0; slash = path.indexOf('/', from)) {
            segments.add(path.substring(from, slash));
            from = slash + 1;
        }
        segments.add(path.substring(from));
        return segments;
    }
}
