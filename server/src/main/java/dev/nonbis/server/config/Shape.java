package dev.nonbis.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What may stand at a place of the file, derived from the list of entries. */
sealed interface Shape {

    /** Named entries; the name {@code *} stands for any. */
    record Group(Map<String, Shape> members) implements Shape {}

    /** A list. */
    record Items(Shape item) implements Shape {}

    /** A single value. */
    record Leaf() implements Shape {}

    static Shape of(List<Entry<?>> entries) {
        return group(entries.stream().map(Entry::path).toList());
    }

    private static Shape group(List<String> paths) {
        var byFirst = new LinkedHashMap<String, List<String>>();
        for (var path : paths) {
            var dot = path.indexOf('.');
            var first = dot < 0 ? path : path.substring(0, dot);
            var rest = dot < 0 ? "" : path.substring(dot + 1);
            byFirst.computeIfAbsent(first, name -> new ArrayList<>()).add(rest);
        }
        var members = new LinkedHashMap<String, Shape>();
        byFirst.forEach((name, rests) -> {
            var inner = rests.equals(List.of("")) ? new Leaf() : group(rests);
            var isList = name.endsWith("[]");
            members.put(isList ? name.substring(0, name.length() - 2) : name, isList ? new Items(inner) : inner);
        });
        return new Group(members);
    }
}
