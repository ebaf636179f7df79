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
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
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

    /** For integers and points in time; both ends belong to it. */
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
        return ofDoubles(column, List.of("in", Arrays.stream(values).boxed().toList()), new DoubleChunkFilter() {
            @Override
            public boolean matches(final double value) {
                return value != QueryConstants.NULL_DOUBLE
                        && Arrays.stream(values).anyMatch(one -> one == value || Double.compare(one, value) == 0);
            }
        });
    }

    public static WhereFilter booleanIn(final String column, final boolean isTrue, final boolean isFalse) {
        return ofBytes(column, List.of("in", isTrue, isFalse), value -> {
            final Boolean cell = BooleanUtils.byteAsBoolean(value);
            return cell != null && (cell ? isTrue : isFalse);
        });
    }

    public static WhereFilter textIn(final String column, final String[] values) {
        final Set<String> wanted = Arrays.stream(values).map(CellFilter::text).collect(Collectors.toSet());
        return ofTexts(column, List.of("in", wanted), wanted::contains);
    }

    /** In the order of their UTF-16 units, as the engine sorts. */
    public static WhereFilter textBeyond(final String column, final String hex, final boolean isAbove,
            final boolean withValue) {
        final String value = text(hex);
        return ofTexts(column, List.of("beyond", value, isAbove, withValue), cell -> {
            final int order = isAbove ? cell.compareTo(value) : value.compareTo(cell);
            return order > 0 || withValue && order == 0;
        });
    }

    /** In upper or lower case, anywhere unless it is bound to the begin or the end. */
    public static WhereFilter textLike(final String column, final String hex, final boolean atBegin,
            final boolean atEnd) {
        final String text = text(hex);
        final Pattern pattern = Pattern.compile(
                (atBegin ? "\\A" : "") + Pattern.quote(text) + (atEnd ? "\\z" : ""),
                Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        return ofTexts(column, List.of("like", text, atBegin, atEnd), cell -> pattern.matcher(cell).find());
    }

    public static WhereFilter isNull(final String column, final String kind) {
        final List<Object> question = List.of("null");
        return switch (RowWriter.Kind.valueOf(kind)) {
            case TEXT -> new CellFilter(column, question, objects(cell -> cell == null), objects(cell -> cell != null));
            case INTEGER, INSTANT -> ofLongs(column, question, new LongChunkFilter() {
                @Override
                public boolean matches(final long value) {
                    return value == QueryConstants.NULL_LONG;
                }
            });
            case DECIMAL -> ofDoubles(column, question, new DoubleChunkFilter() {
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

    /** Texts come as the digits of their UTF-16 units: the bridge from Python cuts characters beyond U+FFFF. */
    private static String text(final String hex) {
        return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_16BE);
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

    private static WhereFilter ofTexts(final String column, final List<Object> question,
            final Predicate<String> predicate) {
        final Predicate<String> holds = cell -> cell != null && predicate.test(cell);
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

    private static ChunkFilter objects(final Predicate<String> predicate) {
        return new ObjectChunkFilter<String>() {
            @Override
            public boolean matches(final String value) {
                return predicate.test(value);
            }
        };
    }
}
