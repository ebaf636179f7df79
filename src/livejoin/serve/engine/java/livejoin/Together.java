package livejoin;

import io.deephaven.engine.rowset.RowSet;
import io.deephaven.engine.rowset.RowSetFactory;
import io.deephaven.engine.rowset.WritableRowSet;
import io.deephaven.engine.table.Table;
import io.deephaven.engine.table.TableDefinition;
import io.deephaven.engine.table.impl.select.WhereFilter;
import java.util.Arrays;
import java.util.List;

/**
 * All of several filters, or any of them, as one. The engine's own conjunction asks in every update cycle in which order
 * its parts are best tried, which takes time by the square of their number: a hundred of them would stop all rows.
 */
final class Together extends FixedFilter {

    private static final long serialVersionUID = 1L;

    private final boolean isAll;
    private final List<WhereFilter> parts;

    Together(final boolean isAll, final List<WhereFilter> parts) {
        this.isAll = isAll;
        this.parts = parts;
    }

    @Override
    WhereFilter negated() {
        return new Together(!isAll, parts.stream().map(CellFilter::negated).toList());
    }

    @Override
    public void init(final TableDefinition definition) {
        parts.forEach(part -> part.init(definition));
    }

    @Override
    public WritableRowSet filter(final RowSet selection, final RowSet fullSet, final Table table,
            final boolean usePrev) {
        final WritableRowSet left = selection.copy();
        final WritableRowSet found = RowSetFactory.empty();
        for (final WhereFilter part : parts) {
            if (left.isEmpty()) {
                break;
            }
            try (WritableRowSet matching = part.filter(left, fullSet, table, usePrev)) {
                if (isAll) {
                    left.retain(matching);
                } else {
                    left.remove(matching);
                    found.insert(matching);
                }
            }
        }
        (isAll ? found : left).close();
        return isAll ? left : found;
    }

    @Override
    public WritableRowSet filterInverse(final RowSet selection, final RowSet fullSet, final Table table,
            final boolean usePrev) {
        try (WritableRowSet matching = filter(selection, fullSet, table, usePrev)) {
            return selection.minus(matching);
        }
    }

    @Override
    public List<String> getColumns() {
        return parts.stream().flatMap(part -> part.getColumns().stream()).distinct().toList();
    }

    @Override
    public WhereFilter copy() {
        return new Together(isAll, parts.stream().map(WhereFilter::copy).toList());
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof Together that && isAll == that.isAll && parts.equals(that.parts);
    }

    @Override
    public int hashCode() {
        return 31 * parts.hashCode() + Boolean.hashCode(isAll);
    }

    static WhereFilter of(final boolean isAll, final WhereFilter[] filters) {
        return filters.length == 1 ? filters[0] : new Together(isAll, Arrays.asList(filters.clone()));
    }
}
