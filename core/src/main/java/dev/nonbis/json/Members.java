package dev.nonbis.json;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object, in the order in which they came. Most objects are small, and for those two arrays are quicker to fill, to
 * search and to write than any table; a large one gets a table beside them.
 */
final class Members extends AbstractMap<String, JsonValue> {

    private static final int SMALL = 12;

    private @Nullable String[] names;
    private @Nullable JsonValue[] values;
    private int size;
    private @Nullable Map<String, Integer> places;

    Members() {
        this(8);
    }

    private Members(int room) {
        names = new @Nullable String[room];
        values = new @Nullable JsonValue[room];
    }

    /** Adds a member, or replaces the value of the one with this name and returns the value before. */
    @Override
    public @Nullable JsonValue put(String name, JsonValue value) {
        int place = place(name);
        if (place >= 0) {
            JsonValue before = values[place];
            values[place] = value;
            return before;
        }
        add(name, value);
        return null;
    }

    /** Adds a member that is known not to be there. */
    void add(String name, JsonValue value) {
        if (size == names.length) {
            names = Arrays.copyOf(names, size * 2);
            values = Arrays.copyOf(values, size * 2);
        }
        names[size] = name;
        values[size] = value;
        if (places != null) {
            places.put(name, size);
        } else if (size == SMALL) {
            places = new HashMap<>();
            for (int i = 0; i <= size; i++) {
                places.put(name(i), i);
            }
        }
        size++;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public @Nullable JsonValue get(@Nullable Object name) {
        int place = name instanceof String text ? place(text) : -1;
        return place < 0 ? null : values[place];
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return name instanceof String text && place(text) >= 0;
    }

    String name(int place) {
        return present(names[place]);
    }

    JsonValue value(int place) {
        return present(values[place]);
    }

    /** The same members by name; {@link String#compareTo} compares UTF-16 code units, which is the order that RFC 8785 asks for. */
    Members inOrderOfNames() {
        int sorted = Math.min(size, 1);
        while (sorted < size && name(sorted - 1).compareTo(name(sorted)) < 0) {
            sorted++;
        }
        if (sorted == size) {
            return this;
        }
        return size <= SMALL ? insertedByName() : sortedByName();
    }

    private Members insertedByName() {
        var ordered = new Members(size);
        for (int i = 0; i < size; i++) {
            String name = name(i);
            int at = i;
            while (at > 0 && ordered.name(at - 1).compareTo(name) > 0) {
                ordered.names[at] = ordered.names[at - 1];
                ordered.values[at] = ordered.values[at - 1];
                at--;
            }
            ordered.names[at] = name;
            ordered.values[at] = values[i];
        }
        ordered.size = size;
        return ordered;
    }

    private Members sortedByName() {
        String[] byName = keySet().toArray(new String[0]);
        Arrays.sort(byName);
        var ordered = new Members(size);
        for (int i = 0; i < size; i++) {
            ordered.names[i] = byName[i];
            ordered.values[i] = values[place(byName[i])];
        }
        ordered.size = size;
        return ordered;
    }

    @Override
    public Set<Map.Entry<String, JsonValue>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return size;
            }

            @Override
            public Iterator<Map.Entry<String, JsonValue>> iterator() {
                return entries();
            }
        };
    }

    private Iterator<Map.Entry<String, JsonValue>> entries() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public Map.Entry<String, JsonValue> next() {
                if (next == size) {
                    throw new NoSuchElementException();
                }
                int place = next++;
                return Map.entry(name(place), value(place));
            }
        };
    }

    private int place(String name) {
        if (places != null) {
            return places.getOrDefault(name, -1);
        }
        for (int i = 0; i < size; i++) {
            if (name.equals(names[i])) {
                return i;
            }
        }
        return -1;
    }

    private static <T> T present(@Nullable T element) {
        if (element == null) {
            throw new IllegalStateException("a place beyond the last member");
        }
        return element;
    }
}
