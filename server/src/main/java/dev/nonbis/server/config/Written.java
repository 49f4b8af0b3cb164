package dev.nonbis.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What was written, by path, with wildcards filled in: {@code auth.keys[0].roles[1]}. */
final class Written {

    private final Map<String, Scalar> scalars = new LinkedHashMap<>();
    private final Map<String, Place> parents = new LinkedHashMap<>();
    private final List<ConfigError> errors = new ArrayList<>();

    void scalar(String path, Scalar scalar) {
        scalars.put(path, scalar);
    }

    /** A group or a list that was written at all, even an empty one; the place of its name is known first and kept. */
    void parent(String path, Place place) {
        parents.putIfAbsent(path, place);
    }

    void error(Place place, String entry, String reason) {
        errors.add(new ConfigError(place, entry, reason));
    }

    /** A list from the environment takes the place of the file's as a whole. */
    void forgetItems(String path) {
        scalars.keySet().removeIf(known -> known.startsWith(path + "["));
    }

    Optional<Scalar> scalar(String path) {
        return Optional.ofNullable(scalars.get(path));
    }

    Optional<Place> parent(String path) {
        return Optional.ofNullable(parents.get(path));
    }

    /** The concrete paths of a list's items, in order. */
    List<String> items(String path) {
        var found = new ArrayList<String>();
        while (true) {
            var item = path + "[" + found.size() + "]";
            if (!scalars.containsKey(item) && !parents.containsKey(item)) {
                return found;
            }
            found.add(item);
        }
    }

    /** The names written directly under a group, in order. */
    Set<String> names(String group) {
        var names = new LinkedHashSet<String>();
        var prefix = group + ".";
        for (var paths : List.of(parents.keySet(), scalars.keySet())) {
            for (var path : paths) {
                if (path.startsWith(prefix)) {
                    var rest = path.substring(prefix.length());
                    var dot = rest.indexOf('.');
                    names.add(dot < 0 ? rest : rest.substring(0, dot));
                }
            }
        }
        return names;
    }

    List<ConfigError> errors() {
        return errors;
    }
}
