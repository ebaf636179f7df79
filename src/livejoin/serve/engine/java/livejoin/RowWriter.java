package livejoin;

import io.deephaven.chunk.ByteChunk;
import io.deephaven.chunk.Chunk;
import io.deephaven.chunk.DoubleChunk;
import io.deephaven.chunk.LongChunk;
import io.deephaven.chunk.ObjectChunk;
import io.deephaven.chunk.attributes.Values;
import io.deephaven.engine.rowset.RowSet;
import io.deephaven.engine.table.ChunkSource;
import io.deephaven.engine.table.ColumnSource;
import io.deephaven.engine.table.Table;
import io.deephaven.engine.table.impl.sources.ReinterpretUtils;
import io.deephaven.util.BooleanUtils;
import io.deephaven.util.QueryConstants;
import java.math.BigDecimal;
import java.time.LocalDate;

/**
 * Rows of a table as JSON, each an array of its cells or an object. Nothing is rounded on the way: an integer that a
 * JavaScript number cannot hold is text, and so are a decimal, with all of its digits, a point in time, as nanoseconds,
 * and a date.
 */
final class RowWriter {

    private static final long LARGEST_SAFE = (1L << 53) - 1;

    /** How many bytes are written at once: rows beyond it wait. One row more than fits may be written. */
    private static final int LARGEST = 1 << 24;

    /** The types that a column may have, as clients know them. */
    enum Kind {
        TEXT, INTEGER, DOUBLE, DECIMAL, BOOLEAN, INSTANT, DATE
    }

    /** Rows have more bytes than are sent at once. */
    static final class TooLarge extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }

    private final Kind[] kinds;
    private final ColumnSource<?>[] sources;
    private final byte[][] names;

    RowWriter(final Table table, final Columns columns) {
        kinds = columns.kinds();
        names = columns.names();
        sources = new ColumnSource<?>[kinds.length];
        for (int column = 0; column < kinds.length; column++) {
            sources[column] = ReinterpretUtils.maybeConvertToPrimitive(
                    table.getColumnSource(columns.fields()[column]));
        }
    }

    /** Writes each row as an array; `ends` gets where each of them ends. All rows, or it throws. */
    void arrays(final RowSet rows, final JsonBuffer out, final int[] ends) {
        if (write(rows, out, ends, false) < ends.length) {
            throw new TooLarge();
        }
    }

    /** Writes each row as an object and a line of its own: at least one row, and as many as may be written at once. */
    void lines(final RowSet rows, final JsonBuffer out) {
        write(rows, out, new int[rows.intSize()], true);
    }

    /** Returns how many rows it has written. */
    private int write(final RowSet rows, final JsonBuffer out, final int[] ends, final boolean asLines) {
        final int count = rows.intSize();
        if (count == 0) {
            return 0;
        }
        final ChunkSource.GetContext[] contexts = new ChunkSource.GetContext[sources.length];
        final Chunk<?>[] chunks = new Chunk<?>[sources.length];
        try {
            for (int column = 0; column < sources.length; column++) {
                contexts[column] = sources[column].makeGetContext(count);
                chunks[column] = sources[column].getChunk(contexts[column], rows);
            }
            for (int row = 0; row < count; row++) {
                if (out.size() > LARGEST) {
                    return row;
                }
                out.raw(asLines ? '{' : '[');
                for (int column = 0; column < sources.length; column++) {
                    if (column > 0) {
                        out.raw(',');
                    }
                    if (asLines) {
                        out.raw(names[column]);
                    }
                    cell(kinds[column], chunks[column], row, out);
                }
                out.raw(asLines ? '}' : ']');
                if (asLines) {
                    out.raw('\n');
                }
                ends[row] = out.size();
            }
            return count;
        } finally {
            for (final ChunkSource.GetContext context : contexts) {
                if (context != null) {
                    context.close();
                }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static void cell(final Kind kind, final Chunk<?> chunk, final int row, final JsonBuffer out) {
        switch (kind) {
            case TEXT -> {
                final String text = ((ObjectChunk<String, Values>) chunk).get(row);
                if (text == null) {
                    out.nothing();
                } else {
                    out.text(text);
                }
            }
            case INTEGER -> {
                final long number = ((LongChunk<Values>) chunk).get(row);
                if (number == QueryConstants.NULL_LONG) {
                    out.nothing();
                } else if (Math.abs(number) <= LARGEST_SAFE) {
                    out.ascii(Long.toString(number));
                } else {
                    out.quoted(Long.toString(number));
                }
            }
            case INSTANT -> {
                final long nanos = ((LongChunk<Values>) chunk).get(row);
                if (nanos == QueryConstants.NULL_LONG) {
                    out.nothing();
                } else {
                    out.quoted(Long.toString(nanos));
                }
            }
            case DECIMAL -> {
                final BigDecimal number = ((ObjectChunk<BigDecimal, Values>) chunk).get(row);
                if (number == null) {
                    out.nothing();
                } else {
                    out.quoted(number.toPlainString());
                }
            }
            case DATE -> {
                final long days = ((LongChunk<Values>) chunk).get(row);
                if (days == QueryConstants.NULL_LONG) {
                    out.nothing();
                } else {
                    out.quoted(LocalDate.ofEpochDay(days).toString());
                }
            }
            case DOUBLE -> {
                final double number = ((DoubleChunk<Values>) chunk).get(row);
                if (number == QueryConstants.NULL_DOUBLE) {
                    out.nothing();
                } else if (Double.isFinite(number)) {
                    out.ascii(Double.toString(number));
                } else {
                    out.quoted(Double.toString(number));
                }
            }
            case BOOLEAN -> {
                final Boolean value = BooleanUtils.byteAsBoolean(((ByteChunk<Values>) chunk).get(row));
                if (value == null) {
                    out.nothing();
                } else {
                    out.ascii(value ? "true" : "false");
                }
            }
        }
    }
}
