package livejoin;

import io.deephaven.engine.rowset.RowSet;
import io.deephaven.engine.table.ColumnSource;
import io.deephaven.engine.table.Table;
import java.util.Objects;

/**
 * Which generation some tables show: the one row of a table says it. Made by {@link Lookout}; whoever asked for it
 * closes it when nobody looks at these tables any more. Guarded by its lookout.
 */
public final class Status {

    private final Table table;
    private final ColumnSource<?> source;
    private final Lookout lookout;
    private final View view;
    private Long told;
    private boolean isOther;

    Status(final Lookout lookout, final Table table, final String column) {
        this.lookout = lookout;
        this.table = table;
        source = table.getColumnSource(column);
        view = View.build(scope -> new View(lookout, scope, table, Columns.NONE, this, null, 0));
    }

    /** Reads it, between two update cycles. */
    void read() {
        final Long generation = generation();
        isOther = !Objects.equals(generation, told);
        told = generation;
    }

    /** Whether it was another one when it was read the time before. */
    boolean isOther() {
        return isOther;
    }

    /** As it was read last. */
    Long told() {
        return told;
    }

    /** The generation at this moment; null where there is no row. */
    Long generation() {
        try (RowSet rows = table.getRowSet().copy()) {
            return rows.isEmpty() ? null : source.getLong(rows.firstRowKey());
        }
    }

    public void close() {
        lookout.forget(this);
        view.close();
    }
}
