package livejoin;

import io.deephaven.engine.rowset.RowSet;
import java.util.Arrays;
import java.util.Objects;

/**
 * Some neighbouring rows of a view that are looked at, as they were last told. What it tells next is only what differs
 * from that. Guarded by its lookout.
 */
final class Window {

    private static final int NOT_TOLD = -1;

    final int id;
    final View view;
    final long first;
    final long last;
    /** Somebody needs all rows, not only what differs. */
    boolean isWholeWanted = true;
    /** Never read before, or moved. */
    boolean isNew = true;

    private byte[] bytes = new byte[0];
    private int[] ends = new int[0];
    private int count = NOT_TOLD;
    private long size = NOT_TOLD;
    private Long generation;

    Window(final int id, final View view, final long first, final long last) {
        this.id = id;
        this.view = view;
        this.first = first;
        this.last = last;
    }

    /** Reads the rows and writes what has to be told: id, how many bytes of news, of everything, and both. */
    void tell(final JsonBuffer out) {
        final Long generationNow = view.fixedGeneration == null ? view.status.told() : view.fixedGeneration;
        final RowSet all = view.table.getRowSet();
        final long sizeNow = all.size();
        final byte[] bytesNow;
        final int[] endsNow;
        try (RowSet rows = all.subSetByPositionRange(Math.min(first, sizeNow), Math.min(last + 1, sizeNow))) {
            final JsonBuffer written = new JsonBuffer(Math.max(256, bytes.length + bytes.length / 8));
            endsNow = new int[rows.intSize()];
            view.writer.arrays(rows, written, endsNow);
            bytesNow = written.toBytes();
        }
        final int[] differing = differing(bytesNow, endsNow);
        final boolean isNews = count != NOT_TOLD
                && (differing.length > 0
                        || endsNow.length != count
                        || sizeNow != size
                        || !Objects.equals(generationNow, generation));
        bytes = bytesNow;
        ends = endsNow;
        count = endsNow.length;
        size = sizeNow;
        generation = generationNow;
        if (isNews || isWholeWanted) {
            write(out, isNews ? differing : null);
        }
        isWholeWanted = false;
        isNew = false;
    }

    private void write(final JsonBuffer out, final int[] differing) {
        out.setInt(out.skipInt(), id);
        final int newsLength = out.skipInt();
        final int wholeLength = out.skipInt();
        int begin = out.size();
        if (differing != null) {
            writeHead(out);
            out.ascii(",\"at\":[");
            for (int at = 0; at < differing.length; at++) {
                if (at > 0) {
                    out.raw(',');
                }
                out.ascii(Long.toString(first + differing[at]));
            }
            out.ascii("],\"rows\":[");
            for (int at = 0; at < differing.length; at++) {
                if (at > 0) {
                    out.raw(',');
                }
                out.raw(bytes, beginOf(ends, differing[at]), ends[differing[at]]);
            }
            out.ascii("]}");
        }
        out.setInt(newsLength, out.size() - begin);
        begin = out.size();
        if (isWholeWanted) {
            writeHead(out);
            out.ascii(",\"rows\":[");
            for (int row = 0; row < count; row++) {
                if (row > 0) {
                    out.raw(',');
                }
                out.raw(bytes, beginOf(ends, row), ends[row]);
            }
            out.ascii("]}");
        }
        out.setInt(wholeLength, out.size() - begin);
    }

    private void writeHead(final JsonBuffer out) {
        out.ascii("\"generation\":" + generation + ",\"size\":" + size + ",\"first\":" + first);
    }

    /** The rows that are new or have other cells than before. */
    private int[] differing(final byte[] bytesNow, final int[] endsNow) {
        final int[] found = new int[endsNow.length];
        int many = 0;
        for (int row = 0; row < endsNow.length; row++) {
            final boolean isSame = row < count
                    && Arrays.equals(
                            bytes, beginOf(ends, row), ends[row], bytesNow, beginOf(endsNow, row), endsNow[row]);
            if (!isSame) {
                found[many++] = row;
            }
        }
        return Arrays.copyOf(found, many);
    }

    private static int beginOf(final int[] ends, final int row) {
        return row == 0 ? 0 : ends[row - 1];
    }
}
