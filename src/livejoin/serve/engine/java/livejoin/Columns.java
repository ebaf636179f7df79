package livejoin;

import java.util.Arrays;
import java.util.List;

/** The columns of a view: what each is called in the engine, its kind, and its name for clients as the begin of a cell. */
record Columns(String[] fields, RowWriter.Kind[] kinds, byte[][] names) {

    static final Columns NONE = of(new String[0], new String[0], new String[0]);

    /** Names come as the digits of their UTF-16 units, see {@link Texts}. */
    static Columns of(final String[] fields, final String[] kinds, final String[] names) {
        return new Columns(
                fields.clone(),
                Arrays.stream(kinds).map(RowWriter.Kind::valueOf).toArray(RowWriter.Kind[]::new),
                Arrays.stream(names).map(Columns::begin).toArray(byte[][]::new));
    }

    List<String> fieldList() {
        return Arrays.asList(fields);
    }

    private static byte[] begin(final String hex) {
        final JsonBuffer name = new JsonBuffer(32);
        name.text(Texts.of(hex));
        name.raw(':');
        return name.toBytes();
    }
}
