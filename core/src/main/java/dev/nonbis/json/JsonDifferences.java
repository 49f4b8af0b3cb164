package dev.nonbis.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Walks two values at once and notes the pointers at which they part. */
final class JsonDifferences {

    private final int limit;
    private final List<String> pointers = new ArrayList<>();
    private final StringBuilder path = new StringBuilder();

    private JsonDifferences(int limit) {
        this.limit = limit;
    }

    static List<String> between(JsonValue before, JsonValue after, int limit) {
        JsonDifferences differences = new JsonDifferences(limit);
        differences.compare(before, after);
        return List.copyOf(differences.pointers);
    }

    private void compare(JsonValue before, JsonValue after) {
        if (before == after || isFull()) {
            return;
        }
        if (before instanceof JsonObject was && after instanceof JsonObject is) {
            members(was.membersToRead(), is.membersToRead());
        } else if (before instanceof JsonArray was && after instanceof JsonArray is) {
            items(was.items(), is.items());
        } else if (!before.equals(after)) {
            pointers.add(path.toString());
        }
    }

    private void members(Map<String, JsonValue> before, Map<String, JsonValue> after) {
        for (Map.Entry<String, JsonValue> member : before.entrySet()) {
            int parent = enter(member.getKey());
            JsonValue value = after.get(member.getKey());
            if (value == null) {
                onlyOneHas();
            } else {
                compare(member.getValue(), value);
            }
            leaveTo(parent);
        }
        for (String name : after.keySet()) {
            if (!before.containsKey(name)) {
                int parent = enter(name);
                onlyOneHas();
                leaveTo(parent);
            }
        }
    }

    private void items(List<JsonValue> before, List<JsonValue> after) {
        int both = Math.min(before.size(), after.size());
        int most = Math.max(before.size(), after.size());
        for (int i = 0; i < most && !isFull(); i++) {
            int parent = enter(Integer.toString(i));
            if (i < both) {
                compare(before.get(i), after.get(i));
            } else {
                onlyOneHas();
            }
            leaveTo(parent);
        }
    }

    private void onlyOneHas() {
        if (!isFull()) {
            pointers.add(path.toString());
        }
    }

    private boolean isFull() {
        return pointers.size() >= limit;
    }

    private int enter(String token) {
        int parent = path.length();
        path.append('/');
        for (int i = 0; i < token.length(); i++) {
            char c = token.charAt(i);
            switch (c) {
                case '~' -> path.append("~0");
                case '/' -> path.append("~1");
                default -> path.append(c);
            }
        }
        return parent;
    }

    private void leaveTo(int parent) {
        path.setLength(parent);
    }
}
