package dev.nonbis.server.policy.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelValue;
import java.util.AbstractList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.RandomAccess;

/**
 * A read-only list of CEL. CEL converts every list and map that an expression touches, with all that is inside, unless it is a
 * {@link CelValue}; so a list that is one costs the same to name however long it is.
 */
abstract class CelList extends CelValue implements List<Object>, RandomAccess {

    private static final CelType TYPE = ListType.create(SimpleType.DYN);

    @Override
    public abstract Object get(int index);

    @Override
    public abstract int size();

    private List<Object> plain() {
        return new AbstractList<>() {
            @Override
            public Object get(int index) {
                return CelList.this.get(index);
            }

            @Override
            public int size() {
                return CelList.this.size();
            }
        };
    }

    @Override
    public final Object value() {
        return this;
    }

    @Override
    public final boolean isZeroValue() {
        return isEmpty();
    }

    @Override
    public final CelType celType() {
        return TYPE;
    }

    /** Short: CEL writes the arguments of a failed call into the reason. */
    @Override
    public final String toString() {
        return "list";
    }

    @Override
    public final boolean isEmpty() {
        return size() == 0;
    }

    @Override
    public final boolean contains(Object item) {
        return plain().contains(item);
    }

    @Override
    public final Iterator<Object> iterator() {
        return plain().iterator();
    }

    @Override
    public final Object[] toArray() {
        return plain().toArray();
    }

    @Override
    public final <T> T[] toArray(T[] array) {
        return plain().toArray(array);
    }

    @Override
    public final boolean containsAll(Collection<?> items) {
        return plain().containsAll(items);
    }

    @Override
    public final int indexOf(Object item) {
        return plain().indexOf(item);
    }

    @Override
    public final int lastIndexOf(Object item) {
        return plain().lastIndexOf(item);
    }

    @Override
    public final ListIterator<Object> listIterator() {
        return plain().listIterator();
    }

    @Override
    public final ListIterator<Object> listIterator(int index) {
        return plain().listIterator(index);
    }

    @Override
    public final List<Object> subList(int from, int to) {
        return plain().subList(from, to);
    }

    @Override
    public final boolean add(Object item) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final void add(int index, Object item) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final boolean addAll(Collection<?> items) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final boolean addAll(int index, Collection<?> items) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final Object set(int index, Object item) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final Object remove(int index) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final boolean remove(Object item) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final boolean removeAll(Collection<?> items) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final boolean retainAll(Collection<?> items) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final void clear() {
        throw new UnsupportedOperationException();
    }
}
