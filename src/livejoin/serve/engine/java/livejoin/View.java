package livejoin;

import io.deephaven.api.ColumnName;
import io.deephaven.api.SortColumn;
import io.deephaven.engine.liveness.LivenessScope;
import io.deephaven.engine.liveness.LivenessScopeStack;
import io.deephaven.engine.rowset.RowSet;
import io.deephaven.engine.table.Table;
import io.deephaven.engine.table.TableUpdate;
import io.deephaven.engine.table.impl.InstrumentedTableUpdateListenerAdapter;
import io.deephaven.engine.table.impl.select.FunctionalColumn;
import io.deephaven.engine.table.impl.select.SelectColumn;
import io.deephaven.engine.table.impl.select.WhereFilter;
import io.deephaven.util.SafeCloseable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A table as somebody wants to see it: filtered, sorted, some of its columns. Made by {@link Lookout}; whoever opened it
 * closes it.
 */
public final class View {

    /** Before the field of a column that is sorted by; no field begins so. */
    private static final String IS_NULL = "isNull_";

    final Table table;
    final Columns columns;
    final RowWriter writer;
    final Status status;
    /** Of a copy, the generation of the moment when it was made; null for a view that goes on changing. */
    final Long fixedGeneration;
    /** Of a copy, how many rows there were; it may have been cut to the newest. */
    private final long wholeSize;

    private final Lookout lookout;
    private final LivenessScope scope;
    private final Listener listener;
    volatile boolean changed;
    volatile String failure;
    private boolean isClosed;

    View(final Lookout lookout, final LivenessScope scope, final Table table, final Columns columns,
            final Status status, final Long fixedGeneration, final long wholeSize) {
        this.lookout = lookout;
        this.scope = scope;
        this.table = table;
        this.columns = columns;
        this.writer = new RowWriter(table, columns);
        this.status = status;
        this.fixedGeneration = fixedGeneration;
        this.wholeSize = wholeSize;
        listener = table.isRefreshing() ? new Listener(table) : null;
        if (listener != null) {
            table.addUpdateListener(listener);
        }
    }

    /**
     * Only rows that pass every filter, in this order, with nulls behind all values in both directions. The engine takes
     * a null for the least value, so where that would bring it to the front, whether it is null decides first.
     */
    static Table arranged(final Table source, final WhereFilter[] filters, final String[] sort,
            final boolean[] descending) {
        final List<SortColumn> order = new ArrayList<>();
        final Map<String, SelectColumn> nulls = new LinkedHashMap<>();
        for (int column = 0; column < sort.length; column++) {
            final ColumnName name = ColumnName.of(sort[column]);
            if (descending[column]) {
                order.add(SortColumn.desc(name));
                continue;
            }
            final String isNull = IS_NULL + sort[column];
            nulls.put(isNull, new FunctionalColumn<>(sort[column], Object.class, isNull, Boolean.class, Objects::isNull));
            order.add(SortColumn.asc(ColumnName.of(isNull)));
            order.add(SortColumn.asc(name));
        }
        final Table filtered = filters.length == 0 ? source : source.where(CellFilter.all(filters));
        if (order.isEmpty()) {
            return filtered;
        }
        return (nulls.isEmpty() ? filtered : filtered.updateView(nulls.values())).sort(order);
    }

    public long size() {
        return table.size();
    }

    public long wholeSize() {
        return wholeSize;
    }

    /** The generation of a copy; for other views it comes with the rows. */
    public Long generation() {
        return fixedGeneration;
    }

    /** Rows of a copy as lines of JSON, from `first` up to, but not including, `end`, or as many as go at once. */
    public byte[] lines(final long first, final long end) {
        final JsonBuffer out = new JsonBuffer(1 << 14);
        try (RowSet rows = table.getRowSet().subSetByPositionRange(first, end)) {
            writer.lines(rows, out);
        }
        return out.toBytes();
    }

    /** Frees what the engine keeps for it. Its windows go with it. */
    public void close() {
        lookout.forget(this);
        synchronized (lookout) {
            if (!isClosed) {
                isClosed = true;
                scope.release();
            }
        }
    }

    private final class Listener extends InstrumentedTableUpdateListenerAdapter {

        private static final long serialVersionUID = 1L;

        Listener(final Table source) {
            super("livejoin view", source, false);
        }

        @Override
        public void onUpdate(final TableUpdate upstream) {
            changed = true;
            lookout.cycleHasNews();
        }

        @Override
        public void onFailureInternal(final Throwable problem, final Entry sourceEntry) {
            failure = problem.toString();
            lookout.cycleHasNews();
        }
    }

    /** Builds in a scope of its own, which the view then owns; released at once where there is none. */
    static View build(final Function<LivenessScope, View> make) {
        final LivenessScope scope = new LivenessScope();
        View made = null;
        try (SafeCloseable ignored = LivenessScopeStack.open(scope, false)) {
            made = make.apply(scope);
            return made;
        } finally {
            if (made == null) {
                scope.release();
            }
        }
    }
}
