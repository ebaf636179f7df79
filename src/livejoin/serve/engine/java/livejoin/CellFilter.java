package livejoin;

import io.deephaven.engine.rowset.RowSet;
import io.deephaven.engine.rowset.WritableRowSet;
import io.deephaven.engine.table.ColumnSource;
import io.deephaven.engine.table.Table;
import io.deephaven.engine.table.TableDefinition;
import io.deephaven.engine.table.impl.chunkfilter.ByteChunkFilter;
import io.deephaven.engine.table.impl.chunkfilter.ChunkFilter;
import io.deephaven.engine.table.impl.chunkfilter.DoubleChunkFilter;
import io.deephaven.engine.table.impl.chunkfilter.LongChunkFilter;
import io.deephaven.engine.table.impl.chunkfilter.ObjectChunkFilter;
import io.deephaven.engine.table.impl.select.WhereFilter;
import io.deephaven.engine.table.impl.sources.ReinterpretUtils;
import io.deephaven.util.BooleanUtils;
import io.deephaven.util.QueryConstants;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What is asked of the cells of one column. Values are compared as values: there is no expression that could be parsed
 * or compiled, so no text of a client can become a part of one. A null compares with nothing.
 *
 * Equal filters are equal objects, so that the engine keeps one table for all who ask for the same.
 */
public final class CellFilter extends FixedFilter {

    private static final long serialVersionUID = 1L;

    private final String column;
    private final List<Object> question;
    private final transient ChunkFilter kernel;
    private final transient ChunkFilter inverse;

    private CellFilter(final String column, final List<Object> question, final ChunkFilter kernel,
            final ChunkFilter inverse) {
        this.column = column;
        this.question = question;
        this.kernel = kernel;
        this.inverse = inverse;
    }

    /** For integers, points in time and dates; both ends belong to it. */
    public static WhereFilter longBetween(final String column, final long first, final long last) {
        return ofLongs(column, List.of("between", first, last), new LongChunkFilter() {
            @Override
            public boolean matches(final long value) {
                return value >= first && value <= last && value != QueryConstants.NULL_LONG;
            }
        });
    }

    public static WhereFilter longIn(final String column, final long[] values) {
        final long[] sorted = Arrays.stream(values).sorted().distinct().toArray();
        return ofLongs(column, List.of("in", Arrays.stream(sorted).boxed().toList()), new LongChunkFilter() {
            @Override
            public boolean matches(final long value) {
                return value != QueryConstants.NULL_LONG && Arrays.binarySearch(sorted, value) >= 0;
            }
        });
    }

    /** Without the end that is given, unless it is said to belong to it. */
    public static WhereFilter doubleBetween(final String column, final double low, final boolean withLow,
            final double high, final boolean withHigh) {
        return ofDoubles(column, List.of("between", low, withLow, high, withHigh), new DoubleChunkFilter() {
            @Override
            public boolean matches(final double value) {
                return value != QueryConstants.NULL_DOUBLE
                        && (withLow ? value >= low : value > low)
                        && (withHigh ? value <= high : value < high);
            }
        });
    }

    public static WhereFilter doubleIn(final String column, final double[] values) {
        // Zero has a sign, which nobody asks for: with another zero added, it has lost it.
        final double[] sorted = Arrays.stream(values).map(value -> value + 0.0).sorted().distinct().toArray();
        return ofDoubles(column, List.of("in", Arrays.stream(sorted).boxed().toList()), new DoubleChunkFilter() {
            @Override
            public boolean matches(final double value) {
                return value != QueryConstants.NULL_DOUBLE && Arrays.binarySearch(sorted, value + 0.0) >= 0;
            }
        });
    }

    /** Greater or less than a number, however many digits it has. */
    public static WhereFilter decimalBeyond(final String column, final String digits, final boolean isAbove,
            final boolean withValue) {
        final BigDecimal value = new BigDecimal(digits);
        return ofObjects(column, List.of("beyond", value, isAbove, withValue), (final BigDecimal cell) -> {
            final int order = isAbove ? cell.compareTo(value) : value.compareTo(cell);
            return order > 0 || withValue && order == 0;
        });
    }

    /** A tree compares as numbers are, and not by how many zeros they end with. */
    public static WhereFilter decimalIn(final String column, final String[] values) {
        final Set<BigDecimal> wanted =
                Arrays.stream(values).map(BigDecimal::new).collect(Collectors.toCollection(TreeSet::new));
        return ofObjects(column, List.of("in", List.copyOf(wanted)), (final BigDecimal cell) -> wanted.contains(cell));
    }

    public static WhereFilter booleanIn(final String column, final boolean isTrue, final boolean isFalse) {
        return ofBytes(column, List.of("in", isTrue, isFalse), value -> {
            final Boolean cell = BooleanUtils.byteAsBoolean(value);
            return cell != null && (cell ? isTrue : isFalse);
        });
    }

    public static WhereFilter textIn(final String column, final String[] values) {
        final Set<String> wanted = Arrays.stream(values).map(Texts::of).collect(Collectors.toSet());
        return ofObjects(column, List.of("in", wanted), (final String cell) -> wanted.contains(cell));
    }

    /** In the order of their UTF-16 units, as the engine sorts. */
    public static WhereFilter textBeyond(final String column, final String hex, final boolean isAbove,
            final boolean withValue) {
        final String value = Texts.of(hex);
        return ofObjects(column, List.of("beyond", value, isAbove, withValue), (final String cell) -> {
            final int order = isAbove ? cell.compareTo(value) : value.compareTo(cell);
            return order > 0 || withValue && order == 0;
        });
    }

    /** In upper or lower case, anywhere unless it is bound to the begin or the end. */
    public static WhereFilter textLike(final String column, final String hex, final boolean atBegin,
            final boolean atEnd) {
        final String text = Texts.of(hex);
        final Likeness likeness = new Likeness(text);
        final Predicate<String> isLike = atBegin ? likeness::isBeginOf : atEnd ? likeness::isEndOf : likeness::isIn;
        return ofObjects(column, List.of("like", text, atBegin, atEnd), isLike);
    }

    public static WhereFilter isNull(final String column, final String kind) {
        final List<Object> question = List.of("null");
        return switch (RowWriter.Kind.valueOf(kind)) {
            case TEXT, DECIMAL ->
                new CellFilter(column, question, objects(cell -> cell == null), objects(cell -> cell != null));
            case INTEGER, INSTANT, DATE -> ofLongs(column, question, new LongChunkFilter() {
                @Override
                public boolean matches(final long value) {
                    return value == QueryConstants.NULL_LONG;
                }
            });
            case DOUBLE -> ofDoubles(column, question, new DoubleChunkFilter() {
                @Override
                public boolean matches(final double value) {
                    return value == QueryConstants.NULL_DOUBLE;
                }
            });
            case BOOLEAN -> ofBytes(column, question, value -> BooleanUtils.byteAsBoolean(value) == null);
        };
    }

    public static WhereFilter negated(final WhereFilter filter) {
        return ((FixedFilter) filter).negated();
    }

    public static WhereFilter all(final WhereFilter[] filters) {
        return Together.of(true, filters);
    }

    public static WhereFilter any(final WhereFilter[] filters) {
        return Together.of(false, filters);
    }

    @Override
    WhereFilter negated() {
        return new CellFilter(column, List.of("not", question), inverse, kernel);
    }

    @Override
    public void init(final TableDefinition definition) {
        definition.checkHasColumn(column);
    }

    @Override
    public WritableRowSet filter(final RowSet selection, final RowSet fullSet, final Table table,
            final boolean usePrev) {
        return ChunkFilter.applyChunkFilter(selection, cells(table), usePrev, kernel);
    }

    @Override
    public WritableRowSet filterInverse(final RowSet selection, final RowSet fullSet, final Table table,
            final boolean usePrev) {
        return ChunkFilter.applyChunkFilter(selection, cells(table), usePrev, inverse);
    }

    private ColumnSource<?> cells(final Table table) {
        return ReinterpretUtils.maybeConvertToPrimitive(table.getColumnSource(column));
    }

    @Override
    public List<String> getColumns() {
        return List.of(column);
    }

    @Override
    public WhereFilter copy() {
        return new CellFilter(column, question, kernel, inverse);
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof CellFilter that && column.equals(that.column) && question.equals(that.question);
    }

    @Override
    public int hashCode() {
        return 31 * column.hashCode() + question.hashCode();
    }

    private static WhereFilter ofLongs(final String column, final List<Object> question, final LongChunkFilter kernel) {
        return new CellFilter(column, question, kernel, new LongChunkFilter() {
            @Override
            public boolean matches(final long value) {
                return !kernel.matches(value);
            }
        });
    }

    private static WhereFilter ofDoubles(final String column, final List<Object> question,
            final DoubleChunkFilter kernel) {
        return new CellFilter(column, question, kernel, new DoubleChunkFilter() {
            @Override
            public boolean matches(final double value) {
                return !kernel.matches(value);
            }
        });
    }

    private static WhereFilter ofBytes(final String column, final List<Object> question,
            final Predicate<Byte> predicate) {
        return new CellFilter(column, question, bytes(predicate), bytes(predicate.negate()));
    }

    private static <T> WhereFilter ofObjects(final String column, final List<Object> question,
            final Predicate<T> predicate) {
        final Predicate<T> holds = cell -> cell != null && predicate.test(cell);
        return new CellFilter(column, question, objects(holds), objects(holds.negate()));
    }

    private static ChunkFilter bytes(final Predicate<Byte> predicate) {
        return new ByteChunkFilter() {
            @Override
            public boolean matches(final byte value) {
                return predicate.test(value);
            }
        };
    }

    private static <T> ChunkFilter objects(final Predicate<T> predicate) {
        return new ObjectChunkFilter<T>() {
            @Override
            public boolean matches(final T value) {
                return predicate.test(value);
            }
        };
    }
}
