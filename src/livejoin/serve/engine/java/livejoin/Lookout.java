package livejoin;

import io.deephaven.base.log.LogOutput;
import io.deephaven.engine.context.ExecutionContext;
import io.deephaven.engine.table.Table;
import io.deephaven.engine.table.impl.select.WhereFilter;
import io.deephaven.engine.updategraph.OperationInitializer;
import io.deephaven.engine.updategraph.TerminalNotification;
import io.deephaven.engine.updategraph.UpdateGraph;
import io.deephaven.util.SafeCloseable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Everything that is looked at, and the one place where it is read. After an update cycle that has changed any of it,
 * all of it is read between that cycle and the next one, so what {@link #news} returns belongs to one moment: a change
 * of generation is in all windows or in none.
 *
 * There is one for the life of the server. One thread calls {@link #news}; any thread may call the rest.
 */
public final class Lookout {

    /** How many bytes of news mean that a view has failed; what the engine says of it stands in place of all rows. */
    private static final int FAILED = -1;

    /** The same for rows that have more bytes than are written at once; nothing stands in their place. */
    private static final int TOO_LARGE = -2;

    private final UpdateGraph graph;
    private final ExecutionContext context;
    private final Set<Status> statuses = new LinkedHashSet<>();
    private final Map<Integer, Window> windows = new LinkedHashMap<>();
    private final Semaphore signals = new Semaphore(0);
    private final AtomicBoolean isCycleNoted = new AtomicBoolean();
    /** A field, because the graph holds its sources weakly. */
    private final Runnable pulse = this::pulse;
    private volatile long lastCycleNanos = System.nanoTime();
    private int nextId = 1;

    public Lookout(final UpdateGraph graph, final OperationInitializer initializer) {
        this.graph = graph;
        // Without a compiler and a scope, nothing that a client sends could be evaluated, wherever it got to.
        context = ExecutionContext.newBuilder()
                .emptyQueryScope()
                .setUpdateGraph(graph)
                .setOperationInitializer(initializer)
                .build();
        graph.addSource(pulse);
    }

    /** Follows the table of one row that says in a column which generation some tables show. */
    public Status follow(final Table table, final String column) {
        try (SafeCloseable ignored = context.open()) {
            return graph.sharedLock().computeLocked(() -> {
                final Status made = new Status(this, table, column);
                synchronized (this) {
                    statuses.add(made);
                }
                return made;
            });
        }
    }

    /** Milliseconds since an update cycle has begun. */
    public long cycleAgeMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastCycleNanos);
    }

    /** A view that follows its table, which shows the generation that the status tells. */
    public View open(final Table source, final Status status, final String[] fields, final String[] kinds,
            final String[] names, final WhereFilter[] filters, final String[] sort, final boolean[] descending) {
        final Columns columns = Columns.of(fields, kinds, names);
        try (SafeCloseable ignored = context.open()) {
            return View.build(scope -> {
                final Table arranged = View.arranged(source, filters, sort, descending);
                return graph.sharedLock().computeLocked(() -> new View(this, scope, arranged, columns, status, null, 0));
            });
        }
    }

    /**
     * A copy of a view at this moment, of its last `newest` rows; null where these are more than `most`. No cycle runs
     * meanwhile, so whoever asks bounds `most`.
     */
    public View copy(final View view, final long newest, final long most) {
        try (SafeCloseable ignored = context.open()) {
            return View.build(scope -> graph.sharedLock().computeLocked(() -> {
                final long size = view.table.size();
                if (Math.min(size, newest) > most) {
                    return null;
                }
                final Table tail = size > newest ? view.table.tail(newest) : view.table;
                final List<String> others = new ArrayList<>(tail.getDefinition().getColumnNames());
                others.removeAll(view.columns.fieldList());
                final Table copied = tail.dropColumns(others).snapshot();
                return new View(this, scope, copied, view.columns, view.status, view.status.generation(), size);
            }));
        }
    }

    /** Looks at rows of a view; the number is how news of it are told apart. All of its rows come with the next news. */
    public int look(final View view, final long first, final long last) {
        final int id;
        synchronized (this) {
            id = nextId++;
            windows.put(id, new Window(id, view, first, last));
        }
        signals.release();
        return id;
    }

    /** The next news of that window are to have all of its rows. */
    public void wantWhole(final int id) {
        synchronized (this) {
            final Window window = windows.get(id);
            if (window != null) {
                window.isWholeWanted = true;
            }
        }
        signals.release();
    }

    public synchronized void leave(final int id) {
        windows.remove(id);
    }

    /**
     * Waits for something to tell, and returns it: for each window its id, the number of bytes of what has changed, the
     * number of bytes of all its rows, and these bytes. Empty where there was nothing in time.
     */
    public byte[] news(final long withinMillis) throws InterruptedException {
        if (!signals.tryAcquire(withinMillis, TimeUnit.MILLISECONDS)) {
            return new byte[0];
        }
        signals.drainPermits();
        final JsonBuffer out = new JsonBuffer(1 << 13);
        graph.sharedLock().doLocked(() -> tellAll(out));
        return out.toBytes();
    }

    /** Called by an update cycle. What has changed is to be read when it is over. */
    void cycleHasNews() {
        if (isCycleNoted.compareAndSet(false, true)) {
            graph.addNotification(new TerminalNotification() {
                @Override
                public void run() {
                    isCycleNoted.set(false);
                    signals.release();
                }

                @Override
                public boolean mustExecuteWithUpdateGraphLock() {
                    return false;
                }

                @Override
                public LogOutput append(final LogOutput output) {
                    return output.append("livejoin: end of a cycle");
                }
            });
        }
    }

    synchronized void forget(final View view) {
        windows.values().removeIf(window -> window.view == view);
    }

    synchronized void forget(final Status status) {
        statuses.remove(status);
    }

    private void pulse() {
        lastCycleNanos = System.nanoTime();
    }

    private synchronized void tellAll(final JsonBuffer out) {
        statuses.forEach(Status::read);
        final List<View> read = new ArrayList<>();
        for (final Window window : List.copyOf(windows.values())) {
            final View view = window.view;
            if (view.failure != null) {
                tellEnd(window, FAILED, view.failure, out);
            } else if (view.status.isOther() || view.changed || window.isNew || window.isWholeWanted) {
                try {
                    window.tell(out);
                } catch (final RowWriter.TooLarge problem) {
                    tellEnd(window, TOO_LARGE, "", out);
                }
                read.add(view);
            }
        }
        read.forEach(view -> view.changed = false);
    }

    private void tellEnd(final Window window, final int why, final String said, final JsonBuffer out) {
        final byte[] text = said.getBytes(StandardCharsets.UTF_8);
        out.setInt(out.skipInt(), window.id);
        out.setInt(out.skipInt(), why);
        out.setInt(out.skipInt(), text.length);
        out.raw(text);
        windows.remove(window.id);
    }
}
