package livejoin;

import io.deephaven.engine.table.impl.select.WhereFilter;
import io.deephaven.engine.table.impl.select.WhereFilterImpl;
import java.util.List;

/** A filter whose question never changes: the engine asks it of each row by itself, and keeps its answers. */
abstract class FixedFilter extends WhereFilterImpl {

    private static final long serialVersionUID = 1L;

    /** Holds where this one does not. */
    abstract WhereFilter negated();

    @Override
    public final List<String> getColumnArrays() {
        return List.of();
    }

    @Override
    public final boolean isSimpleFilter() {
        return true;
    }

    @Override
    public final void setRecomputeListener(final RecomputeListener listener) {
        // There is never a reason to ask again.
    }

    @Override
    public final boolean canMemoize() {
        return true;
    }
}
