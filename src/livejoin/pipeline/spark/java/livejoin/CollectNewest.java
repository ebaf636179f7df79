package livejoin;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.InternalRow$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Collect;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.TypeUtils$;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.collection.mutable.ArrayBuffer;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/**
 * The SQL function `collect_newest(struct(order, ...), most)`: a list of what comes, in any order, as `collect_list`
 * makes it, but of no more than so many, of which those are kept whose first field is the greatest. Nulls are left out.
 *
 * Spark's own `max_by(..., most)` makes room for all of them beforehand, for every key and in every state that it
 * writes: 20 kB for a limit of a thousand, also where a key has one event.
 */
public final class CollectNewest extends Collect<ArrayBuffer<Object>> implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final String NAME = "collect_newest";

    private final Expression child;
    private final int most;
    private final int mutableOffset;
    private final int inputOffset;
    private transient Comparator<Object> byOrder;

    /** Spark copies an expression by its arguments, so their order is that of productElement. */
    public CollectNewest(final Expression child, final int most, final int mutableOffset, final int inputOffset) {
        this.child = child;
        this.most = most;
        this.mutableOffset = mutableOffset;
        this.inputOffset = inputOffset;
    }

    /** Makes the function known to a session. */
    public static void register(final SparkSession session) {
        session.sessionState().functionRegistry().createOrReplaceTempFunction(NAME, new Maker(), "java_udf");
    }

    @Override
    public ArrayBuffer<Object> createAggregationBuffer() {
        return new ArrayBuffer<>();
    }

    @Override
    public ArrayBuffer<Object> update(final ArrayBuffer<Object> kept, final InternalRow row) {
        final Object value = child.eval(row);
        if (value != null) {
            kept.addOne(convertToBufferElement(value));
        }
        return cut(kept);
    }

    @Override
    public ArrayBuffer<Object> merge(final ArrayBuffer<Object> kept, final ArrayBuffer<Object> others) {
        kept.addAll(others);
        return cut(kept);
    }

    @Override
    public Object eval(final ArrayBuffer<Object> kept) {
        return new GenericArrayData(CollectionConverters.asJava(kept).toArray());
    }

    @Override
    public Expression child() {
        return child;
    }

    @Override
    public DataType bufferElementType() {
        return child.dataType();
    }

    @Override
    public Object convertToBufferElement(final Object value) {
        return InternalRow$.MODULE$.copyValue(value);
    }

    @Override
    public Seq<Expression> children() {
        return CollectionConverters.asScala(List.of(child)).toSeq();
    }

    @Override
    public Expression withNewChildrenInternal(final IndexedSeq<Expression> children) {
        return new CollectNewest(children.head(), most, mutableOffset, inputOffset);
    }

    @Override
    public int mutableAggBufferOffset() {
        return mutableOffset;
    }

    @Override
    public ImperativeAggregate withNewMutableAggBufferOffset(final int offset) {
        return new CollectNewest(child, most, offset, inputOffset);
    }

    @Override
    public int inputAggBufferOffset() {
        return inputOffset;
    }

    @Override
    public ImperativeAggregate withNewInputAggBufferOffset(final int offset) {
        return new CollectNewest(child, most, mutableOffset, offset);
    }

    @Override
    public String prettyName() {
        return NAME;
    }

    @Override
    public int productArity() {
        return arguments().size();
    }

    @Override
    public Object productElement(final int index) {
        return arguments().get(index);
    }

    @Override
    public boolean canEqual(final Object other) {
        return other instanceof CollectNewest;
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof CollectNewest found && found.arguments().equals(arguments());
    }

    @Override
    public int hashCode() {
        return Objects.hash(arguments());
    }

    private List<Object> arguments() {
        return List.of(child, most, mutableOffset, inputOffset);
    }

    private ArrayBuffer<Object> cut(final ArrayBuffer<Object> kept) {
        final int tooMany = kept.length() - most;
        if (tooMany == 1) {
            kept.remove(oldest(kept));
        } else if (tooMany > 1) {
            final Object[] sorted = CollectionConverters.asJava(kept).toArray();
            Arrays.sort(sorted, byOrder());
            kept.clear();
            for (int index = tooMany; index < sorted.length; index++) {
                kept.addOne(sorted[index]);
            }
        }
        return kept;
    }

    private int oldest(final ArrayBuffer<Object> kept) {
        int oldest = 0;
        for (int index = 1; index < kept.length(); index++) {
            if (byOrder().compare(kept.apply(index), kept.apply(oldest)) < 0) {
                oldest = index;
            }
        }
        return oldest;
    }

    private Comparator<Object> byOrder() {
        if (byOrder == null) {
            final StructType order = (StructType) ((StructType) child.dataType()).apply(0).dataType();
            final Comparator<Object> ordering = TypeUtils$.MODULE$.getInterpretedOrdering(order);
            final int fields = order.length();
            byOrder = Comparator.comparing(one -> ((InternalRow) one).getStruct(0, fields), ordering::compare);
        }
        return byOrder;
    }

    private static final class Maker extends AbstractFunction1<Seq<Expression>, Expression> {

        @Override
        public Expression apply(final Seq<Expression> arguments) {
            return new CollectNewest(arguments.head(), (int) arguments.apply(1).eval(null), 0, 0);
        }
    }
}
