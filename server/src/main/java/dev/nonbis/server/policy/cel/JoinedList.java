package dev.nonbis.server.policy.cel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What {@code +} makes of two lists. {@code map} and {@code filter} add one item in every round: as long as the longest list so far
 * grows, its items are shared, not copied. Lists made by one evaluation are used by one thread.
 */
@SuppressWarnings("Immutable") // What is shared only grows, behind the end of every list that there was before.
final class JoinedList extends CelList {

    private final List<Object> items;
    private final int size;
    private final int copied;

    private JoinedList(List<Object> items, int copied) {
        this.items = items;
        this.size = items.size();
        this.copied = copied;
    }

    static List<Object> of(Collection<?> first, Collection<?> second) {
        if (first instanceof JoinedList longest && longest.size == longest.items.size()) {
            longest.items.addAll(second);
            return new JoinedList(longest.items, second.size());
        }
        var items = new ArrayList<Object>(first.size() + second.size());
        items.addAll(first);
        items.addAll(second);
        return new JoinedList(items, items.size());
    }

    /** How many items were copied to make it. */
    int copied() {
        return copied;
    }

    @Override
    public Object get(int index) {
        if (index >= size) {
            throw new IndexOutOfBoundsException(index);
        }
        return items.get(index);
    }

    @Override
    public int size() {
        return size;
    }
}
